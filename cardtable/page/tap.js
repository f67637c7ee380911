// A tap is a press that ends near where it began. The browser's own click is lost, or falls on a neighbour, when the
// page moves under the finger or what was touched is drawn anew; a tap goes to whatever was there when it began.
(() => {
  const REACH_PX = 24;
  const pressed = new Map();
  const tapped = (event) => event.target.closest?.(".tap");
  const tap = (element) => element?.dispatchEvent(new CustomEvent("tap"));

  // A slap is over when the finger goes, wherever it has slid to.
  addEventListener("pointerdown", (event) => {
    event.target.closest?.(".big")?.setPointerCapture(event.pointerId);
    const element = tapped(event);
    if (element && event.button === 0) pressed.set(event.pointerId, { element, x: event.clientX, y: event.clientY });
  }, true);
  addEventListener("pointercancel", (event) => pressed.delete(event.pointerId), true);
  addEventListener("pointerup", (event) => {
    const begun = pressed.get(event.pointerId);
    pressed.delete(event.pointerId);
    if (begun && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) <= REACH_PX) tap(begun.element);
  }, true);
  // Without a pointer: keys and screen readers.
  addEventListener("click", (event) => event.detail === 0 && tap(tapped(event)), true);
})();

// A tone of so many hertz and seconds, as the buzzer on a table plays it.
window.tone = (hertz, seconds) => {
  const audio = (window.audio ??= new AudioContext());
  if (audio.state !== "running") return;
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency: hertz });
  oscillator.connect(new GainNode(audio, { gain: 0.3 })).connect(audio.destination);
  oscillator.start();
  oscillator.stop(audio.currentTime + seconds);
};
addEventListener("pointerdown", () => (window.audio ??= new AudioContext()).resume(), { once: true });
