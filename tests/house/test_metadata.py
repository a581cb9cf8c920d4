"""What the metadata of a package say: where the project is published, and links that lead there."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = "import setuptools.build_meta as build, sys; build.prepare_metadata_for_build_wheel(sys.argv[1])"


@pytest.fixture
def checkout(tmp_path):
    """As much of a checkout as its metadata are made of."""
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "src/outbid/__init__.py", "src/outbid/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def metadata(folder, **more):
    into = folder / "made"
    into.mkdir()
    env = {**{name: value for name, value in os.environ.items() if name != "OUTBID_REPOSITORY"}, **more}
    subprocess.run([sys.executable, "-c", CODE, "made"], cwd=folder, env=env, check=True, capture_output=True)
    (found,) = into.glob("*/METADATA")
    text = found.read_text(encoding="utf-8")
    shutil.rmtree(into)
    return text, email.message_from_string(text)


@pytest.mark.slow
def test_urls_and_links_lead_to_where_the_checkout_came_from(checkout):
    git = ["git", "-C", str(checkout)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "remote", "add", "origin", "https://me:pass-word@git.example/you/outbid.git"], check=True)
    text, made = metadata(checkout)
    urls = dict(one.split(", ") for one in made.get_all("Project-URL"))
    home = "https://git.example/you/outbid"
    assert urls["Repository"] == home
    assert {"Documentation", "Issues", "Changelog"} < urls.keys()
    assert all(one.startswith(home) for one in urls.values())
    assert f"]({home}/blob/HEAD/docs/research.md)" in text
    assert f"]({home}/raw/HEAD/docs/table.png)" in text
    assert "](#play)" in text
    assert "](docs/" not in text
    assert "pass-word" not in text

    subprocess.run([*git, "remote", "set-url", "origin", "/where/it/is/copied/from"], check=True)
    assert "Project-URL" not in metadata(checkout)[1]
    assert metadata(checkout, OUTBID_REPOSITORY=home)[0] == text


@pytest.mark.slow
def test_a_package_without_an_address_says_so(checkout):
    assert "built where no address of the project was known" in metadata(checkout)[0]
    assert "no address of the project" not in metadata(checkout, OUTBID_REPOSITORY="https://git.example/you/outbid")[0]


@pytest.mark.slow
def test_what_is_built_from_what_was_built_there_says_the_same(checkout):
    assert "Project-URL" not in metadata(checkout)[1]
    home = "https://git.example/you/outbid"
    text, _ = metadata(checkout, OUTBID_REPOSITORY=home)
    (checkout / "PKG-INFO").write_text(text, encoding="utf-8")
    assert metadata(checkout)[0] == text
