"""Render formulas as MathML, which browsers display without a script, a font or a network.

Docutils converts the formulas while the pages are built, so a formula that it cannot read is a
warning, and ``make docs`` fails.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging


def to_mathml(node: nodes.Element, as_block: bool) -> str:
    """Return the MathML of a formula, or its text and a warning."""
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return f"<code>{node.astext()}</code>"


def visit_math(translator: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(to_mathml(node, as_block=False))
    raise nodes.SkipNode


def visit_math_block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula of its own; wide ones scroll."""
    translator.body.append(f'<div class="math">{to_mathml(node, as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
