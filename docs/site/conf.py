"""The documents as a site: `make docs` runs Sphinx on the pages that build.py has gathered."""

from __future__ import annotations

import re

from outbid.version import __version__

project = "Outbid"
author = "the authors of Outbid"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "alabaster"
html_theme_options = {"description": "Five games of money", "page_width": "72rem", "sidebar_width": "15rem"}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_show_copyright = False
myst_heading_anchors = 4
autodoc_member_order = "bysource"
suppress_warnings = ["misc.highlighting_failure"]


def as_rst(app, what, name, obj, options, lines):
    """Docstrings are plain: what stands between backticks is code, and so is an indented paragraph."""
    text = re.sub(r"(?<!`)`([^`\n]+)`(?!`)", r"``\1``", "\n".join(lines)).replace("*", r"\*")
    made = []
    for paragraph in re.split(r"\n\s*\n", text):
        head, code = [], []
        for line in paragraph.split("\n"):
            (code if line.startswith("    ") or code else head).append(line)
        made += ["\n".join(head)] if head else []
        made += ["::\n\n" + "\n".join(line.replace("``", "`").replace(r"\*", "*") for line in code)] if code else []
    lines[:] = [*"\n\n".join(made).split("\n"), ""]


def setup(app):
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", as_rst)
