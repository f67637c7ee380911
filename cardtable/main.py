"""The command line: `cardtable COMMAND`. Exit status 0: fine, 1: found something wrong, 2: wrong use."""

from __future__ import annotations

import os
import sys

import typer

from cardtable.commands import bench, calibrate, demo, doctor, learn, look, mat, play, proof, replay, resume
from engine.errors import TableError

app = typer.Typer(
    help="A referee for real card tables: reads the cards, judges who laid first, says why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in (
    demo.demo,
    play.play,
    resume.resume,
    look.look,
    learn.learn,
    replay.replay,
    proof.proof,
    bench.bench,
    mat.mat,
    calibrate.calibrate,
    doctor.doctor,
):
    app.command()(command)


def main() -> None:
    """Runs the command line; what a person can mend is told in one sentence, exit status 2."""
    try:
        app()
    except TableError as error:
        print(f"cardtable: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read our lines has seen enough; closing the stream again at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
