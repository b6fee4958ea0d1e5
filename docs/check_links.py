"""Check a built site: every link within it has a target, and nothing is loaded from elsewhere.

``python docs/check_links.py build/site`` prints what is wrong, and ends with status 1 then.
Links to other sites are not followed, because a network may be absent; ``make links`` does that.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: The attribute by which a tag loads a file.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """Collect the targets, the links and the loaded files of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.targets = {"", "top"}
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, loads, or is the target of."""
        values = dict(attrs)
        self.targets.update(value for key in ("id", "name") if (value := values.get(key)))
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        elif tag in LOADED and (file := values.get(LOADED[tag])):
            self.loaded.append(file)


def read_pages(site: Path) -> dict[Path, Page]:
    """Return the pages of a site by their files."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" not in path.parts:
            pages[path.resolve()] = page = Page()
            page.feed(path.read_text(encoding="utf-8"))
    return pages


def find_problems(site: Path) -> list[str]:
    """Return a line for each link without a target and for each file from another site."""
    pages = read_pages(site)
    problems = []
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    problems.append(f"{name}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                problems.append(f"{name}: no file for {link}")
            elif target in pages and unquote(parts.fragment) not in pages[target].targets:
                problems.append(f"{name}: no target for {link}")
    return problems


def main() -> int:
    """Print the problems of the site that is named."""
    site = Path(sys.argv[1])
    problems = find_problems(site)
    print(*problems, f"{len(read_pages(site))} pages, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
