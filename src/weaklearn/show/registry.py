"""The formats that a graph can be shown in: the only place where their names are listed.

``weaklearn show --format`` reads `FORMATS`. A new format is a file of this package and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weaklearn.show.dot import to_dot
from weaklearn.show.html import to_page
from weaklearn.show.nested_dict import to_json
from weaklearn.show.plot import to_picture
from weaklearn.show.rules import rules
from weaklearn.show.text import to_text


@dataclass(frozen=True, slots=True)
class Format:
    """A format that a graph can be shown in.

    Parameters
    ----------
    name : str
        Its name on the command line.
    summary : str
        A few words about it, for the help of the command line.
    write : callable, optional
        Returns a graph as text.
    draw : callable, optional
        Returns a graph as the bytes of a picture, given a file type such as "png". A format has
        either ``write`` or ``draw``.
    for_reading : bool
        Whether people read the text. Then the texts of several members can follow each other, each
        below a heading, and a long text can be cut.
    takes_depth : bool
        Whether ``write`` or ``draw`` take ``max_depth``, the most levels of splits to show.
    """

    name: str
    summary: str
    write: Callable[..., str] | None = None
    draw: Callable[..., bytes] | None = None
    for_reading: bool = False
    takes_depth: bool = False


#: Formats by name, in the order in which messages show them.
FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("text", "as C4.5 prints", to_text, for_reading=True, takes_depth=True),
        Format("rules", "one per path", lambda graph: rules(graph).to_text(), for_reading=True),
        Format("dot", "Graphviz", to_dot),
        Format("json", "nested nodes", to_json),
        Format("html", "a page that unfolds", to_page),
        Format("plot", "a picture", draw=to_picture, takes_depth=True),
    )
}
