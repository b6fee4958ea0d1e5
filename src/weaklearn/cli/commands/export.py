"""``weaklearn export``: write a saved model in another language or format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.cli.output import print_json
from weaklearn.cli.shared_options import AsJson
from weaklearn.export.registry import TARGETS


def _parse_target(text: str) -> str:
    if text not in TARGETS:
        raise typer.BadParameter(f"got {text!r}, expected one of {', '.join(TARGETS)}")
    return text


def _target_of_suffix(output: Path | None) -> str:
    """Return the name of the target whose files have the suffix of the output."""
    suffixes = {target.suffix: target.name for target in TARGETS.values()}
    if output is None or output.suffix not in suffixes:
        raise typer.BadParameter(
            f"expected --to {'|'.join(TARGETS)}, or -o FILE with one of the suffixes "
            f"{', '.join(suffixes)}; got {'neither' if output is None else f'-o {output}'}"
        )
    return suffixes[output.suffix]


def export(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model saved by 'weaklearn fit'.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            parser=_parse_target,
            metavar="NAME",
            help=", ".join(f"{t.name} ({t.summary})" for t in TARGETS.values())
            + ". Default: the target with the suffix of -o.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write. Default: the name of the model with the suffix of the target, "
            "in the current folder.",
        ),
    ] = None,
    float32: Annotated[
        bool,
        typer.Option("--float32", help="Inputs of numbers and probabilities in float32; for onnx."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a model in another language, so that it predicts without weaklearn.

    The result predicts the same classes and the same probabilities, missing values included.

    Example:  weaklearn export credit.json -o credit.c
    """
    from weaklearn.estimators import load

    to = to or _target_of_suffix(output)
    target = TARGETS[to]
    loaded = load(model)
    if float32 and not target.has_float32:
        able = ", ".join(name for name, other in TARGETS.items() if other.has_float32)
        raise typer.BadParameter(f"--float32 is for --to {able}; got --to {to}")
    if output is None:
        stem = model.name.removesuffix(".gz").removesuffix(".json").removesuffix(".wl")
        output = Path(f"{stem}{target.suffix}")
    if not output.parent.is_dir():
        raise FileNotFoundError(f"-o {output}: there is no folder {output.parent}; create it first")
    options = {"float32": True} if float32 else {}
    saved = [str(file) for file in target.write(loaded, output, **options)]
    if as_json:
        print_json({"model": type(loaded).__name__, "to": to, "saved": saved})
    else:
        print(f"saved in {' and '.join(saved)}")
