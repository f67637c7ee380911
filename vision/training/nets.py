"""The networks: a finder of indices, a classifier of index crops and one of whole cards."""

import torch
from torch import Tensor, nn
from torch.nn import functional

RANKS, SUITS = 13, 4


def _conv(inside: int, outside: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two 3 × 3 convolutions around a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Classifier(nn.Module):  # type: ignore[misc, unused-ignore]
    """Reads a (n, 3, 48, 48) upright crop: logits of 13 ranks + none and of 4 suits + none, and what they rest on.

    Returns (n, 14), (n, 5) and the features (n, 192). Ranks are read as ranks, not as letters: A, Т, 1 and E are all
    the ace.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 32, 2), _conv(32, 32), _conv(32, 64, 2), _Block(64), _conv(64, 128, 2), _Block(128), _Block(128),
            _conv(128, 192, 2), _Block(192), _conv(192, 64, kernel=1), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(64 * 9, 192), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.rank = nn.Linear(192, RANKS + 1)
        self.suit = nn.Linear(192, SUITS + 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.body(x)
        return self.rank(features), self.suit(features), features


class Faces(nn.Module):  # type: ignore[misc, unused-ignore]
    """Reads (n, 3, 96, 72) upright pictures of whole cards: logits (n, 54) of 52 cards, a back, and nothing.

    A card's logit is its rank's plus its suit's and little of its own: pips tell the suit whatever the rank.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, 2), _conv(24, 48, 2), _Block(48), _conv(48, 80, 2), _Block(80), _conv(80, 128, 2), _Block(128),
            _conv(128, 48, kernel=1), nn.Flatten(), nn.Dropout(0.1), nn.Linear(48 * 30, 192), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.rank, self.suit, self.other = nn.Linear(192, RANKS), nn.Linear(192, SUITS), nn.Linear(192, 2)
        self.card = nn.Linear(192, RANKS * SUITS)
        nn.init.zeros_(self.card.weight)

    def forward(self, x: Tensor) -> Tensor:
        features = self.body(x)
        shared = self.suit(features).unsqueeze(2) + self.rank(features).unsqueeze(1)
        return torch.cat([shared.flatten(1) + self.card(features), self.other(features)], 1)


class Finder(nn.Module):  # type: ignore[misc, unused-ignore]
    """Finds indices in a (n, 3, h, w) picture, h and w multiples of 32.

    Returns (n, 6, h/4, w/4): centre logit, offset x and y in cells, log of height in cells, and the vector "up".
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), _conv(32, 32))
        self.down8 = nn.Sequential(_conv(32, 64, 2), _Block(64))
        self.down16 = nn.Sequential(_conv(64, 96, 2), _Block(96))
        self.down32 = nn.Sequential(_conv(96, 128, 2), _Block(128))
        self.side4, self.side8, self.side16, self.side32 = (nn.Conv2d(width, 32, 1) for width in (32, 64, 96, 128))
        self.mix16, self.mix8, self.mix4 = _conv(32, 32), _conv(32, 32), _conv(32, 48)
        self.head = nn.Conv2d(48, 6, 1)
        assert self.head.bias is not None
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.stem(x)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at32 = self.down32(at16)
        top = self.mix16(self.side16(at16) + _twice(self.side32(at32)))
        top = self.mix8(self.side8(at8) + _twice(top))
        top = self.mix4(self.side4(at4) + _twice(top))
        result: Tensor = self.head(top)
        return result


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")
