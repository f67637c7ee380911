// The phone's camera page: sends what its camera sees, each picture with the moment at which it was taken.
(() => {
  const page = document.currentScript.dataset, words = JSON.parse(page.words);
  const find = selector => document.querySelector(selector);
  const note = text => { find('.camera-note').textContent = text; };
  // The page's elements are built by another script, later: listen where they will be.
  const on = (kind, selector, act) => document.addEventListener(kind, event => {
    const element = event.target.closest(selector);
    if (element) act(element);
  });
  const whenBuilt = act => find('.camera-note') ? act() : requestAnimationFrame(() => whenBuilt(act));

  on('change', '.camera-photo', async photo => {
    if (!photo.files.length) return;
    const answer = await fetch('/camera/photo', { method: 'POST', body: photo.files[0] }).catch(() => null);
    note(!answer ? words.lost : answer.ok ? words.sent : words.unreadable);
    photo.value = '';
  });
  if (page.mode === 'photos') return;
  if (!window.isSecureContext || !navigator.mediaDevices) {
    whenBuilt(() => { find('.camera-start').style.display = 'none'; note(words.insecure); });
    return;
  }

  const canvas = document.createElement('canvas');
  let socket = null, outstanding = 0, since = 0, sent = 0, scale = 1;

  function connect() {
    socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/camera/stream');
    socket.binaryType = 'arraybuffer';
    outstanding = 0;
    socket.onmessage = event => {
      const told = JSON.parse(event.data);
      if ('asked' in told) socket.send(JSON.stringify({ asked: told.asked, now: performance.now() }));
      if ('got' in told) { outstanding -= 1; show(told.within_ms); }
    };
    socket.onclose = () => { note(words.lost); setTimeout(connect, 1000); };
  }
  function show(within_ms) {
    sent += 1;
    const now = performance.now();
    if (!since) since = now;
    if (now - since < 1000) return;
    const rate = sent * 1000 / (now - since);
    if (rate < 10 && scale > 0.4) scale *= 0.7;  // a slow phone or network: fresh pictures are worth more than large ones
    note(words.sending.replace('{rate}', Math.round(rate)).replace('{within}', Math.ceil(within_ms)));
    since = now; sent = 0;
  }
  // At most two pictures are on their way: what cannot be sent in time is not sent at all.
  function take(video, now, frame) {
    video.requestVideoFrameCallback((now, frame) => take(video, now, frame));
    if (!socket || socket.readyState !== 1 || outstanding >= 2) return;
    outstanding += 1;
    const taken = frame.captureTime, known = typeof taken === 'number' && taken > 0 && taken <= now;
    canvas.width = Math.round(video.videoWidth * scale); canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(async blob => {
      if (!blob || socket.readyState !== 1) { outstanding -= 1; return; }
      // A browser that does not tell when the picture was taken hands it over a little later, nobody knows how much.
      const head = new Float64Array([known ? taken : now, known ? 17 : 150]);
      socket.send(await new Blob([head, blob]).arrayBuffer());
    }, 'image/jpeg', 0.9);
  }
  on('click', '.camera-start', async start => {
    const video = find('video'), size = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } };
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: { ideal: 'environment' }, ...size } });
    } catch (error) { note(words.refused); return; }
    await video.play();
    start.style.display = 'none';
    if (navigator.wakeLock) navigator.wakeLock.request('screen').catch(() => {});
    connect();
    video.requestVideoFrameCallback((now, frame) => take(video, now, frame));
  });
})();
