"""Settings of the documentation site; ``make docs`` builds it."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

_PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
project = "weaklearn"
author = "The weaklearn developers"
version = release = _PROJECT["version"]

extensions = [
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "try_page",
]
exclude_patterns = ["_build", "auto_examples/*.ipynb"]
html_math_renderer = "mathml"
nitpicky = True
# Attributes that fitted models have are described in the docstring of the class.
nitpick_ignore_regex = [("py:obj", r"\w+_")]

# Markdown: formulas between dollars; every heading is a target of links, which are checked.
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 4

# The types stand in the docstrings, in words.
autodoc_typehints = "none"
autodoc_default_options = {"inherited-members": False}
autosummary_generate = True
autosummary_imported_members = False
numpydoc_show_class_members = False
numpydoc_validation_checks: set[str] = set()
numpydoc_class_members_toctree = False

templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_title = "weaklearn"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
# A page without pages below it needs no navigation of its section.
html_sidebars = {name: [] for name in ("index", "tutorial", "choosing", "try")}
html_copy_source = False
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": False,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "back_to_top_button": False,
}
copyright = "The weaklearn developers, BSD-3-Clause"
copybutton_exclude = ".linenos, .gp, .go"
suppress_warnings = ["config.cache"]

sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["auto_examples"],
    "filename_pattern": "/plot_",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "matplotlib_animations": False,
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "reset_modules": ("matplotlib",),
}


def link_pages(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Turn the names of pages in docstrings, such as docs/guides/files.md, into links."""
    for index, line in enumerate(lines):
        lines[index] = re.sub(r"\bdocs/([\w/]+)\.md", r":doc:`/\1`", line)


def setup(app: Sphinx) -> None:
    """Register what is done to docstrings; numpydoc comes first."""
    app.connect("autodoc-process-docstring", link_pages, priority=900)
