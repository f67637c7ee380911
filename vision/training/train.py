"""Trains one of the networks on rendered pictures.

    python -m vision.training.fetch
    python -m vision.training.decks
    python -m vision.training.pool crops  POOL/crops  &       renders for ever beside the training
    python -m vision.training.pool crops  POOL/crops-held --held-out --count 4000
    python -m vision.training.train classifier --pool POOL/crops --minutes 60
    (the same with `faces`, and with `scenes` and `finder`, or its rival `pose`, see `vision.training.pose`)
    python -m vision.training.mine                            false alarms of the finder become "none" crops
    python -m vision.training.export

The recipe: AdamW with decoupled weight decay, one cosine from the peak rate to zero over the time given, an exponential
moving average of the weights for judging and release, bfloat16 autocast (twice as fast on CPUs that have it),
channels-last memory, small batches (many steps help more than large ones). Figures on decks, fonts and backgrounds
that are held out of training go to the log every few minutes. A checkpoint is written as often; the same command goes
on from it. A GPU is used where there is one.
"""

import argparse
import copy
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.losses import (
    classifier_figures,
    classifier_loss,
    faces_figures,
    finder_loss,
    finder_spots,
    finder_targets,
    spot_figures,
)
from vision.training.nets import Classifier, Faces, Finder
from vision.training.pool import Pool
from vision.training.render import MOST_INDICES, SCENE_PX

KIND = {"classifier": "crops", "faces": "faces", "finder": "scenes", "pose": "scenes"}
BATCH = {"classifier": 80, "faces": 64, "finder": 16, "pose": 16}
PEAK_RATE = {"classifier": 2e-3, "faces": 2e-3, "finder": 2.5e-3, "pose": 2e-3}
LEAST_POOL = {"classifier": 8000, "faces": 8000, "finder": 1500, "pose": 1500}
JUDGED = {"classifier": 4000, "faces": 3000, "finder": 240, "pose": 240}
JUDGE_EVERY_S = 120.0
_OWN: dict[str, type[nn.Module]] = {"classifier": Classifier, "faces": Faces, "finder": Finder}
STRETCHED = 0.4
"""Share of crops that are stretched and turned while training."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train, from what, for how long."""

    what: str
    pool: Path
    held: Path
    minutes: float
    checkpoint: Path
    rate: float
    start: Path | None = None
    """A checkpoint whose weights are taken over where their shapes fit, when training begins anew."""
    extra: Path | None = None
    """A second pool, from which a quarter of each batch comes: what the finder hands over, mistakes included."""


class Training:
    """One network being trained; its state is a checkpoint file."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = new_net(plan.what).to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
        self.mean = copy.deepcopy(self.net).eval()
        self.optimizer = torch.optim.AdamW(self.net.parameters(), plan.rate, weight_decay=0.02, fused=True)
        self.spent_s, self.steps = 0.0, 0
        self.rng = np.random.default_rng()
        if plan.checkpoint.exists():
            self._restore(torch.load(plan.checkpoint, map_location=self.device, weights_only=True))
        elif plan.start:
            self._begin_with(torch.load(plan.start, map_location=self.device, weights_only=True)["mean"])

    def _begin_with(self, old: dict[str, Tensor]) -> None:
        new = self.net.state_dict()
        new.update({name: value for name, value in old.items() if name in new and new[name].shape == value.shape})
        self.net.load_state_dict(new)
        self.mean.load_state_dict(new)

    def _restore(self, state: dict[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.spent_s, self.steps = state["spent_s"], state["steps"]

    def save(self) -> None:
        """Writes the checkpoint; a crash in between leaves the old one."""
        state = {
            "net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict(),
            "spent_s": self.spent_s, "steps": self.steps,
        }  # fmt: skip
        scratch = self.plan.checkpoint.with_suffix(".part")
        torch.save(state, scratch)
        scratch.replace(self.plan.checkpoint)

    def run(self, least: int = 0) -> None:
        """Waits for `least` samples, then trains until the planned minutes are spent, judging and saving on the way."""
        pool = _stored(self.plan.pool, KIND[self.plan.what])
        extra = _stored(self.plan.extra, KIND[self.plan.what]) if self.plan.extra else None
        while len(pool) < least:
            time.sleep(2)
        held = _stored(self.plan.held, KIND[self.plan.what])
        last, judged, losses = self._clock(), self.spent_s, []
        while self.spent_s < self.plan.minutes * 60:
            losses.append(self._step(pool, extra))
            now = self._clock()
            self.spent_s, last = self.spent_s + now - last, now
            if self.spent_s - judged > JUDGE_EVERY_S:
                judged = self.spent_s
                self._log(np.mean(losses), held, pool)
                losses = []
                self.save()
                last = self._clock()
        self._log(np.mean(losses or [0.0]), held, pool)
        self.save()

    def _clock(self) -> float:
        """Seconds of a core, so that neighbours on the machine cost no training; of the wall where a GPU works."""
        return time.monotonic() if self.device.type == "cuda" else time.process_time() / torch.get_num_threads()

    def _step(self, pool: Pool, extra: Pool | None) -> float:
        done = self.spent_s / (self.plan.minutes * 60)
        warm = min(1.0, (self.steps + 1) / 200)
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate * warm * (0.5 + 0.5 * math.cos(math.pi * min(done, 1.0)) + 0.005)
        pictures, truth = self._batch(pool, extra)
        self.net.train()
        with torch.autocast(self.device.type, torch.bfloat16):
            answer = self.net(pictures)
        loss = self._loss(answer, truth, pictures)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.steps += 1
        self._average()
        return float(loss.item())

    def _batch(self, pool: Pool, extra: Pool | None) -> tuple[Tensor, NDArray[np.float32]]:
        count = BATCH[self.plan.what]
        few = count // 4 if extra is not None and len(extra) else 0
        pictures, truth = pool.draw(self.rng, count - few)
        if few and extra is not None:
            more, their = extra.draw(self.rng, few)
            pictures, truth = np.concatenate([pictures, more]), np.concatenate([truth, their])
        tensor = self._tensor(pictures)
        if self.plan.what == "faces":
            return either_way_up(tensor), truth
        return stretched(tensor) if self.plan.what == "classifier" else tensor, truth

    def _tensor(self, pictures: NDArray[np.uint8]) -> Tensor:
        """(n, h, w, 3) BGR bytes to (n, 3, h, w), channels last: BGR from -1 to 1, RGB from 0 to 1 for ultralytics."""
        tensor = torch.from_numpy(pictures).to(self.device).permute(0, 3, 1, 2).float()
        return tensor.flip(1).div_(255) if self.plan.what == "pose" else tensor.div_(127.5).sub_(1.0)

    def _loss(self, answer: Any, truth: NDArray[np.float32], pictures: Tensor) -> Tensor:
        if self.plan.what == "classifier":
            return classifier_loss(answer, torch.from_numpy(truth[:, 0]).long().to(self.device))
        if self.plan.what == "faces":
            return nn.functional.cross_entropy(answer.float(), torch.from_numpy(truth[:, 0]).long().to(self.device))
        if self.plan.what == "pose":
            from vision.training.pose import pose_loss  # noqa: PLC0415

            return pose_loss(self.net, answer, truth, pictures)
        target, weight = finder_targets(truth, SCENE_PX // 4)
        return finder_loss(answer, target.to(self.device), weight.to(self.device))

    def _average(self) -> None:
        keep = min(0.999, (self.steps + 1) / (self.steps + 20))
        with torch.no_grad():
            for mean, new in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.lerp_(new, 1 - keep)
                else:
                    mean.copy_(new)

    def _log(self, loss: Any, held: Pool, pool: Pool) -> None:
        line = {
            "minutes": round(self.spent_s / 60, 1), "steps": self.steps, "samples": self.steps * BATCH[self.plan.what],
            "rendered": pool.written, "loss": round(float(loss), 4), **self.judge(held),
        }  # fmt: skip
        print(json.dumps(line), flush=True)

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def judge(self, held: Pool) -> dict[str, float]:
        """The averaged weights' figures on held-out samples."""
        figures: list[dict[str, float]] = []
        for start in range(0, min(len(held), JUDGED[self.plan.what]), 80):
            truth = torch.from_numpy(held.truth[start : start + 80].copy())
            with torch.autocast(self.device.type, torch.bfloat16):
                answer = self.mean(self._tensor(held.pictures[start : start + 80].copy()))
            figures.append(_figures(self.plan.what, answer, truth))
        return {name: round(float(np.mean([f[name] for f in figures])), 4) for name in figures[0]}


def new_net(what: str) -> nn.Module:
    """An untrained network; ultralytics is imported only for its own."""
    if what in _OWN:
        return _OWN[what]()
    from vision.training.pose import pose_net  # noqa: PLC0415

    return pose_net()


def _figures(what: str, answer: Any, truth: Tensor) -> dict[str, float]:
    if what == "classifier":
        return classifier_figures([part.cpu() for part in answer], truth[:, 0].long())
    if what == "faces":
        return faces_figures(answer.cpu(), truth[:, 0].long())
    if what == "finder":
        return spot_figures(finder_spots(answer.cpu()), truth)
    from vision.training.pose import pose_spots  # noqa: PLC0415

    return spot_figures(pose_spots(answer[0].cpu(), 0.3), truth)


def either_way_up(cards: Tensor) -> Tensor:
    """The (n, 3, h, w) cards, half of them turned by half a turn, all moved, turned and grown a little."""
    count = len(cards)
    way = (torch.rand(count, device=cards.device) < 0.5).float() * 2 - 1
    noise = torch.randn(count, 6, device=cards.device) * 0.03
    matrix = noise.reshape(count, 2, 3)
    matrix[:, 0, 0], matrix[:, 1, 1] = matrix[:, 0, 0] + way, matrix[:, 1, 1] + way
    grid = nn.functional.affine_grid(matrix, list(cards.shape), align_corners=False)
    seen = nn.functional.grid_sample(cards, grid, padding_mode="border", align_corners=False)
    return seen.contiguous(memory_format=torch.channels_last)


def stretched(crops: Tensor) -> Tensor:
    """The upright (n, 3, h, w) crops, many of them wider, narrower or slanted, and framed as a misled finder would."""
    count, (height, width) = len(crops), crops.shape[2:]
    changed = (torch.rand(count, 1, 1, device=crops.device) < STRETCHED).float()
    noise = torch.randn(4, count, 1, 1, device=crops.device) * changed
    wide, slant, angle, zoom = torch.exp(0.35 * noise[0]), 0.2 * noise[1], 0.2 * noise[2], torch.exp(0.15 * noise[3])
    one, none = torch.ones_like(wide), torch.zeros_like(wide)
    shape = torch.cat([torch.cat([wide, slant], 2), torch.cat([none, one], 2)], 1)
    cos, sin = torch.cos(angle), torch.sin(angle)
    turn = torch.cat([torch.cat([cos, -sin], 2), torch.cat([sin, cos], 2)], 1) * zoom
    matrix = torch.cat([shape @ turn, torch.zeros(count, 2, 1, device=crops.device)], 2)
    grid = nn.functional.affine_grid(matrix, [count, 1, height, width], align_corners=False)
    seen = nn.functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)
    return seen.contiguous(memory_format=torch.channels_last)


def _stored(folder: Path, kind: str) -> Pool:
    """A pool of whatever size it was made with."""
    row_bytes = {"crops": 4, "faces": 4, "scenes": 4 * 6 * MOST_INDICES}[kind]
    return Pool(folder, kind, (folder / "truth.f32").stat().st_size // row_bytes)


def main() -> None:
    """Command line of `python -m vision.training.train`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=tuple(KIND))
    parser.add_argument("--pool", type=Path, required=True, help="folder that a renderer fills")
    parser.add_argument("--held", type=Path, help="held-out samples (default: the pool's name with -held)")
    parser.add_argument("--extra", type=Path, help="pool of mined crops; a quarter of each batch comes from it")
    parser.add_argument("--start", type=Path, help="checkpoint of an earlier network to begin with")
    parser.add_argument("--minutes", type=float, default=60.0, help="training time in all, also over several runs")
    parser.add_argument("--checkpoint", type=Path, help="default: WHAT.pt beside the pool")
    parser.add_argument("--rate", type=float, help="peak learning rate")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    held = args.held or args.pool.with_name(args.pool.name + "-held")
    checkpoint = args.checkpoint or args.pool.parent / f"{args.what}.pt"
    rate = args.rate or PEAK_RATE[args.what]
    plan = Plan(args.what, args.pool, held, args.minutes, checkpoint, rate, args.start, args.extra)
    Training(plan).run(LEAST_POOL[args.what])


if __name__ == "__main__":
    main()
