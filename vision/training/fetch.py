"""Installs the art that training pictures are made of: decks, fonts, textures, clutter.

    python -m vision.training.fetch [--art FOLDER]

Packages come from Debian, npm and PyPI through their ordinary clients, are unpacked below FOLDER/packages and never
installed into the system. Besides `apt-get`, `dpkg`, `npm` and `pip` the cutting of decks needs `rsvg-convert`
(librsvg2-bin) and `pdftoppm` (poppler-utils).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from engine.errors import TableError

DEBIAN_DECKS = ("gnome-cards-data", "texlive-games", "kdegames-card-data-kf5")
DEBIAN_FONTS = (
    "fonts-paratype", "fonts-bebas-neue", "fonts-roboto-slab", "fonts-urw-base35", "fonts-dejavu-core",
    "fonts-dejavu-extra", "fonts-liberation", "fonts-oldstandard", "fonts-yanone-kaffeesatz", "fonts-roboto-unhinted",
    "fonts-noto-core", "fonts-noto-extra", "fonts-symbola", "fonts-freefont-ttf", "fonts-open-sans", "fonts-lato",
    "fonts-cantarell", "fonts-croscore", "fonts-crosextra-carlito", "fonts-crosextra-caladea", "fonts-linuxlibertine",
    "fonts-cabin", "fonts-comfortaa", "fonts-inter", "fonts-ebgaramond", "fonts-firacode", "fonts-hack",
)  # fmt: skip
DEBIAN_TEXTURES = (
    "ufoai-textures", "openarena-081-textures", "mate-backgrounds", "lomiri-wallpapers-16.04",
    "lomiri-wallpapers-20.04",
    "plasma-workspace-wallpapers", "tuxpaint-stamps-default", "gimp-data", "opencv-doc",
)  # fmt: skip
NPM = (
    "@heruka_urgyen/react-playing-cards@0.5.0", "cardsJS@1.1.1", "@fontsource/bitter@5", "@fontsource/oswald@5",
)  # fmt: skip
PYPI = (
    "blackjack-gui==1.8.1", "five-card-draw==1.1.0", "metaworld==3.1.1", "robosuite==1.5.2", "scikit-image==0.26.0",
)  # fmt: skip


class ArtMissing(TableError):
    """The art that training pictures are rendered from isn't there or can't be installed."""


def art_folder() -> Path:
    """Folder that holds the art: $CARDTABLE_ART, else ~/.cache/cardtable/art."""
    return Path(os.environ.get("CARDTABLE_ART") or Path.home() / ".cache" / "cardtable" / "art").expanduser()


def fetch(art: Path) -> None:
    """Brings every package below `art`/packages, leaving alone those that are there already."""
    packages = art / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    for name in DEBIAN_DECKS + DEBIAN_FONTS + DEBIAN_TEXTURES:
        _bring(packages / name, ["apt-get", "download", "-q", name])
    for name in NPM:
        _bring(packages / _folder_name(name), ["npm", "pack", "--silent", name])
    for name in PYPI:
        _bring(packages / _folder_name(name), [sys.executable, "-m", "pip", "download", "-q", "--no-deps", name])


def _folder_name(package: str) -> str:
    """'@fontsource/bitter@5' -> 'fontsource-bitter'; 'metaworld==3.1.1' -> 'metaworld'."""
    return package.split("==", maxsplit=1)[0].lstrip("@").split("@")[0].replace("/", "-")


def _bring(folder: Path, command: list[str]) -> None:
    if folder.exists():
        return
    print(folder.name, flush=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        result = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
        archives = [path for path in Path(scratch).iterdir() if path.is_file()]
        if result.returncode or not archives:
            reason = (result.stderr.strip().splitlines() or ["no file came"])[-1]
            raise ArtMissing(f"cannot install {folder.name} with {command[0]}: {reason}; check the package client")
        unpacked = Path(scratch) / "unpacked"
        _unpack(archives[0], unpacked)
        shutil.move(unpacked, folder)


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir()
    if archive.suffix == ".deb":
        subprocess.run(["dpkg", "-x", archive, folder], check=True)
    elif archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(folder)
    else:
        shutil.unpack_archive(archive, folder)
    for inner in list(folder.rglob("*.pk3")):
        _unpack_textures(inner)


def _unpack_textures(pack: Path) -> None:
    """Unpacks a game's picture archive beside itself."""
    with zipfile.ZipFile(pack) as inside:
        pictures = [name for name in inside.namelist() if name.lower().endswith((".jpg", ".png", ".tga"))]
        inside.extractall(pack.with_suffix(""), pictures)
    pack.unlink()


def main() -> None:
    """Command line of `python -m vision.training.fetch`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=art_folder(), help="where the art lives (default: %(default)s)")
    try:
        fetch(parser.parse_args().art)
    except TableError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
