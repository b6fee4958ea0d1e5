"""``weaklearn show``: a saved model, for the eye."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.output import AsJson
from weaklearn.files import write_whole

if TYPE_CHECKING:
    from weaklearn.models import Graph

_FORMATS = ("text", "rules", "dot", "json", "plot")


def _parse_format(text: str) -> str:
    if text not in _FORMATS:
        raise typer.BadParameter(f"got {text!r}, expected one of {', '.join(_FORMATS)}")
    return text


def show(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that fit saved.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            parser=_parse_format,
            metavar="NAME",
            help="text (as C4.5 prints), rules, dot (Graphviz), json (nested nodes) or plot.",
        ),
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Save it; a plot as .png, .svg or .pdf."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tree of a model.

    Example:  weaklearn show credit.json --format plot -o tree.png
    """
    from weaklearn.estimators import load

    loaded: Any = load(model)
    graph: Graph = getattr(loaded, "tree_", loaded)
    if form == "plot" and not as_json:
        _save_plot(graph, output)
        return
    text = _written(graph, "json" if as_json else form)
    if output is None:
        print(text)
    else:
        write_whole(output, f"{text}\n".encode())
        print(f"saved in {output}")


def _written(graph: Graph, form: str) -> str:
    if form == "rules":
        return "\n".join(map(str, graph.rules()))
    if form == "dot":
        return graph.to_dot()
    if form == "json":
        return json.dumps(graph.to_dict(), indent=2, ensure_ascii=False)
    return graph.to_text()


def _save_plot(graph: Graph, output: Path | None) -> None:
    if output is None:
        raise ValueError("a plot goes to a file: add  -o tree.png  (or .svg, .pdf)")
    figure: Any = graph.plot().figure
    picture = io.BytesIO()
    figure.savefig(picture, format=output.suffix.removeprefix(".") or None)
    write_whole(output, picture.getvalue())
    print(f"saved in {output}")
