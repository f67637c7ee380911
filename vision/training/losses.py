"""What each network is asked to get right, and how its answers are scored on held-out pictures."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.training.nets import RANKS, SUITS

CELL_PX = 4
HIT_SEEN, MISS_SEEN = 0.6, 0.15
"""Share of an index that must be seen to count as one, and below which it counts as absent; between them: ignored."""
LEAST_PX = 7.0
SURE = 0.9
NONE = RANKS * SUITS


def classifier_loss(answers: Sequence[Tensor], labels: Tensor) -> Tensor:
    """Cross entropy of rank and suit; `labels` (n,) are card numbers or 52 for none.

    No label is smoothed: certainty is to be what it says.
    """
    rank, suit = split(labels)
    return functional.cross_entropy(answers[0].float(), rank) + functional.cross_entropy(answers[1].float(), suit)


def split(labels: Tensor) -> tuple[Tensor, Tensor]:
    """Rank and suit classes of card numbers; none is the last class of each."""
    none = labels >= NONE
    return torch.where(none, RANKS, labels % RANKS), torch.where(none, SUITS, labels // RANKS)


def classifier_figures(answers: Sequence[Tensor], labels: Tensor) -> dict[str, float]:
    """Shares read right: whole card, rank, suit, none; and how honest certainty is.

    `sure` is the share of all crops read with 0.9 and more, `slips` the share of those that are wrong, `surprise` the
    mean of minus log probability of the truth.
    """
    rank, suit = split(labels)
    right_rank, right_suit = answers[0].argmax(1) == rank, answers[1].argmax(1) == suit
    card = labels < NONE
    both = right_rank & right_suit
    chance = functional.softmax(answers[0].float(), 1)[:, :RANKS].amax(1)
    chance = chance * functional.softmax(answers[1].float(), 1)[:, :SUITS].amax(1)
    sure = chance >= SURE
    return {
        "sure": float(sure.float().mean()),
        "slips": _share(~both[sure]),
        "surprise": float(classifier_loss(answers, labels)),
        "card": _share(both[card]),
        "rank": _share(right_rank[card]),
        "suit": _share(right_suit[card]),
        "none": _share(both[~card]),
    }


def faces_figures(logits: Tensor, labels: Tensor) -> dict[str, float]:
    """Shares of cards, of their ranks and suits, of backs and of nothing read right, and the mean surprise."""
    found, card = logits.argmax(1), labels < NONE
    cards, truth = logits[card, :NONE].argmax(1), labels[card]
    return {
        "surprise": float(functional.cross_entropy(logits.float(), labels)),
        "card": _share(found[card] == truth),
        "rank": _share(cards % RANKS == truth % RANKS),
        "suit": _share(cards // RANKS == truth // RANKS),
        "back": _share(found[labels == NONE] == NONE),
        "nothing": _share(found[labels > NONE] > NONE),
    }


def _share(right: Tensor) -> float:
    return float(right.float().mean()) if len(right) else 0.0


def finder_targets(truth: NDArray[np.float32], side: int) -> tuple[Tensor, Tensor]:
    """Maps to learn from rows of (x, y, height, up x, up y, seen): (n, 6, side, side) and where each loss counts.

    The weights' first channel is for the centre map, the second for offset, size and direction.
    """
    target = np.zeros((len(truth), 6, side, side), np.float32)
    weight = np.zeros((len(truth), 2, side, side), np.float32)
    weight[:, 0] = 1
    for picture, rows in enumerate(truth):
        for row in rows[rows[:, 5] >= MISS_SEEN]:
            _draw(target[picture], weight[picture], row)
    return torch.from_numpy(target), torch.from_numpy(weight)


def _draw(target: NDArray[np.float32], weight: NDArray[np.float32], row: NDArray[np.float32]) -> None:
    """Draws one index into the maps, only in the window that it touches."""
    x, y, height = (float(v) / CELL_PX for v in row[:3])
    reach, side = int(0.5 * height + 4), target.shape[1]
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    right, foot = min(int(x) + reach + 1, side), min(int(y) + reach + 1, side)
    if right <= left or foot <= top:
        return
    target, weight = target[:, top:foot, left:right], weight[:, top:foot, left:right]
    across, down = np.arange(left, right)[None] + 0.5 - x, np.arange(top, foot)[:, None] + 0.5 - y
    square = across**2 + down**2
    if row[5] < HIT_SEEN or row[2] < LEAST_PX:
        weight[0][square < (0.45 * height + 1) ** 2] = 0
        return
    spot = np.exp(-square / (2 * max(0.09 * height, 0.55) ** 2))
    if left <= int(x) < right and top <= int(y) < foot:
        spot[int(y) - top, int(x) - left] = 1.0
    target[0] = np.maximum(target[0], spot)
    weight[0][spot > 0.3] = 1
    near = square < max(0.18 * height, 1.0) ** 2
    weight[1][near] = 1
    target[1][near], target[2][near] = (
        np.broadcast_to(-across, near.shape)[near],
        np.broadcast_to(-down, near.shape)[near],
    )
    target[3][near] = np.log(height)
    target[4][near], target[5][near] = row[3], row[4]


def finder_loss(answer: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss on the centre map (CornerNet's form), smooth L1 on the rest where an index is."""
    answer = answer.float()
    logit, heat = answer[:, 0], target[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = heat >= 1.0
    gain = torch.where(peak, (1 - chance) ** 2 * torch.log(chance), (1 - heat) ** 4 * chance**2 * torch.log(1 - chance))
    centre = -(gain * weight[:, 0]).sum() / peak.sum().clamp(min=1)
    there = weight[:, 1:2]
    rest = functional.smooth_l1_loss(answer[:, 1:], target[:, 1:], reduction="none", beta=0.3) * there
    scale = torch.tensor([0.3, 0.3, 1.0, 1.0, 1.0])[None, :, None, None]
    return centre + 2.0 * (rest * scale).sum() / there.sum().clamp(min=1)


def finder_spots(answer: Tensor, threshold: float = 0.3) -> list[list[list[float]]]:
    """What the finder's maps (n, 6, rows, columns) find, picture by picture: x, y, up x, up y."""
    heat = torch.sigmoid(answer[:, 0:1].float())
    peaks = (heat == functional.max_pool2d(heat, 3, 1, 1)) & (heat > threshold)
    found: list[list[list[float]]] = [[] for _ in answer]
    for picture, _, row, column in peaks.nonzero().tolist():
        _, off_x, off_y, _, up_x, up_y = answer[picture, :, row, column].float().tolist()
        found[picture].append([(column + 0.5 + off_x) * CELL_PX, (row + 0.5 + off_y) * CELL_PX, up_x, up_y])
    return found


def spot_figures(spots: list[list[list[float]]], truth: Tensor) -> dict[str, float]:
    """Recall, precision and share of directions within 30° over pictures; ignored indices count neither way."""
    found = hits = wanted = turned = 0
    for rows, their in zip(truth, spots, strict=True):
        there = rows[rows[:, 5] > 0]
        is_good = (there[:, 5] >= HIT_SEEN) & (there[:, 2] >= LEAST_PX)
        good, free = there[is_good], there[~is_good & (there[:, 5] >= MISS_SEEN)]
        wanted += len(good)
        matches = [_nearest(good, spot) for spot in their]
        first = {match: spot for match, spot in zip(matches, their, strict=True) if match is not None}
        hits, found = hits + len(first), found + len(first)
        found += sum(m is None and _nearest(free, spot) is None for m, spot in zip(matches, their, strict=True))
        turned += sum(_is_along(spot, good[match]) for match, spot in first.items())
    return {"recall": hits / max(wanted, 1), "precision": hits / max(found, 1), "up": turned / max(hits, 1)}


def _is_along(spot: list[float], row: Tensor) -> bool:
    return bool(spot[2] * row[3] + spot[3] * row[4] > 0.866 * np.hypot(spot[2], spot[3]))


def _nearest(rows: Tensor, spot: list[float]) -> int | None:
    if not len(rows):
        return None
    far = (rows[:, :2] - torch.tensor(spot[:2])).norm(dim=1) / rows[:, 2]
    best = int(far.argmin())
    return best if far[best] < 0.35 else None
