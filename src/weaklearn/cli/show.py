"""``weaklearn show``: a saved model, for the eye."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.committees import is_committee, member_headings
from weaklearn.cli.output import AsJson
from weaklearn.files import write_whole
from weaklearn.show.label_text import words

if TYPE_CHECKING:
    from weaklearn.models import Graph

_FORMATS = ("text", "rules", "dot", "json", "plot")
_FORMATS_FOR_MANY = ("text", "rules")


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
    member: Annotated[
        int | None,
        typer.Option(metavar="N", help="Show one member of a committee, counted from 1."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tree of a model, or the trees of a committee.

    Example:  weaklearn show credit.json --format plot -o tree.png
    """
    from weaklearn.estimators import load

    loaded: Any = load(model)
    form = "json" if as_json else form
    parts = _parts(loaded)
    if len(parts) > 1 and member is None:
        text = _all_written(parts, form)
    else:
        graph = _one_graph(loaded, parts, member, model)
        if form == "plot":
            _save_plot(graph, output)
            return
        text = _written(graph, form)
    if output is None:
        print(text)
    else:
        write_whole(output, f"{text}\n".encode())
        print(f"saved in {output}")


def _parts(loaded: Any) -> list[tuple[str, Graph]]:
    """Give the members of a committee or the separators of classes, each with a line about it."""
    if is_committee(loaded):
        graphs = [member.graph_ for member in loaded.members_]
        return list(zip(member_headings(loaded), graphs, strict=True))
    each = loaded.separators_.each if hasattr(loaded, "separators_") else ()
    labels = [one.graph.schema.classes[one.positive] for one in each]
    return [
        (f"{words(label)} from the other classes", one.graph)
        for label, one in zip(labels, each, strict=True)
    ]


def _one_graph(
    loaded: Any, parts: list[tuple[str, Graph]], member: int | None, path: Path
) -> Graph:
    """Give the graph of a model, or of one member of a committee."""
    if member is None:
        return parts[0][1] if parts else getattr(loaded, "graph_", loaded)
    if not parts:
        raise ValueError(f"{path} holds one tree and no committee: leave out --member")
    if not 1 <= member <= len(parts):
        raise ValueError(f"--member {member}: the committee has members 1 to {len(parts)}")
    return parts[member - 1][1]


def _all_written(parts: list[tuple[str, Graph]], form: str) -> str:
    """Write every member below a line about it."""
    if form not in _FORMATS_FOR_MANY:
        raise ValueError(
            f"{form} shows one tree, and this is a committee of {len(parts)}: add  --member N  "
            f"(1 to {len(parts)})"
        )
    return "\n\n".join(f"{heading}\n\n{_written(graph, form)}" for heading, graph in parts)


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
