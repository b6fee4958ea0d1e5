"""The formats that a graph can be shown in: the only place where their names are listed.

``weaklearn show --format`` reads `FORMATS`. A new format is a file of this package and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weaklearn.models.ruleset import Ruleset
from weaklearn.show import ruleset_text
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
    write_ruleset : callable, optional
        Returns a ruleset as text, if the format can show one.
    """

    name: str
    summary: str
    write: Callable[..., str] | None = None
    draw: Callable[..., bytes] | None = None
    for_reading: bool = False
    takes_depth: bool = False
    write_ruleset: Callable[[Ruleset], str] | None = None


#: Formats by name, in the order in which messages show them.
FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format(
            "text",
            "as C4.5 prints",
            to_text,
            for_reading=True,
            takes_depth=True,
            write_ruleset=ruleset_text.to_text,
        ),
        Format(
            "rules",
            "one per path, or sentences of a ruleset",
            lambda graph: rules(graph).to_text(),
            for_reading=True,
            write_ruleset=lambda ruleset: "\n".join(ruleset_text.to_sentences(ruleset)),
        ),
        Format("dot", "Graphviz", to_dot),
        Format("json", "nested nodes", to_json, write_ruleset=ruleset_text.to_json),
        Format("html", "a page that unfolds", to_page, write_ruleset=ruleset_text.to_page),
        Format("plot", "a picture", draw=to_picture, takes_depth=True),
    )
}
