"""What the metadata of a package says of the place where its repository is published: the project's URLs, and links of the
README that lead there wherever it is read. pyproject.toml has all the rest.

The address is $OUTBID_REPOSITORY, or that of the checkout's remote `origin` if it is one of the web; without either there
are no URLs, links stay relative, and both the build and the description say so.
"""

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
UNKNOWN = "*This package was built where no address of the project was known: links lead into a checkout of its sources.*"
LINK = re.compile(r"(!?)(\[(?:[^\[\]]|\[[^\[\]]*\])*\])\((?!\w+:|#)([^)]+)\)")


def repository() -> str | None:
    """The address where the repository is published, if it is known."""
    said = os.environ.get("OUTBID_REPOSITORY", "")
    built = HERE / "PKG-INFO"
    if not said and built.is_file():  # unpacked from what was built there
        found = re.search("^Project-URL: Repository, (.*)$", built.read_text(encoding="utf-8"), re.M)
        said = found[1] if found else ""
    if not said and (HERE / ".git").exists():
        with suppress(OSError):  # no git
            command = ["git", "remote", "get-url", "origin"]
            said = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    said = re.sub(r"^git@([\w.-]+):", r"https://\1/", said).removesuffix("/").removesuffix(".git")
    return re.sub(r"//[^/@]*@", "//", said) if said.startswith("https://") else None


def absolute(text: str, address: str) -> str:
    """A document with links to the newest files at the address; pictures as such."""
    return LINK.sub(lambda found: f"{found[1]}{found[2]}({address}/{'raw' if found[1] else 'blob'}/HEAD/{found[3]})", text)


address = repository()
readme = (HERE / "README.md").read_text(encoding="utf-8")
if not address:
    print("warning: outbid: no address of the project is known; set OUTBID_REPOSITORY for URLs and links.", file=sys.stderr)
setup(
    long_description=absolute(readme, address) if address else f"{UNKNOWN}\n\n{readme}",
    long_description_content_type="text/markdown",
    project_urls={
        "Repository": address,
        "Documentation": f"{address}/tree/HEAD/docs",
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
    }
    if address
    else {},
)
