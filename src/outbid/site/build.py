"""The folder of `outbid site DIR`: what any web space serves, and what plays in a browser alone.

    index.html shell.*          the page around everything: it starts Python, and shows pages in a frame
    sw.js                       the service worker, with the hashes of all files: it checks them, and keeps them
    python/                     Pyodide, worker.js, outbid.zst: this program and its libraries as byte code
    app/static/ app/games/      sheets and scripts, as the server has them below /static and /games
    pages/en/ pages/de/         what is there before Python is: the front door, rules

What comes from elsewhere has its hash in the lock files beside this module: wheels by pip (of libraries with compiled parts
the one for WebAssembly, or else the Python in it), Pyodide by npm. Byte code is made by Pyodide itself, under Node. A page
that is there in advance is rendered by the same application, below a path (`ROOT`) that the service worker puts right.
"""

import asyncio
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.rulebook import rulebook, rulebooks
from outbid.review.puzzles import FILE, pack, shipped
from outbid.server.domain import scene
from outbid.server.web import icons, screens
from outbid.server.web.below import ANYWHERE as ROOT
from outbid.site import patterns, tab
from outbid.version import __version__

HERE = Path(__file__).parent
PACKAGE = HERE.parent
NODE = 18  # the oldest version that Pyodide starts in
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")  # Pyodide's, and one of whose wheels the Python is taken
PYTHON = "3.14"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LEFT_OUT = {  # what a tab has no use for: rooms, and what builds a site
    "adapters", "agents", "cli", "lab", "runs", "solve", "terminal", "testing", "site/build.py", "site/patterns.py",
    "server/workbench", "server/web/screens/workbench", "server/reload.py", "server/main.py", "review/balance.py",
    "server/operating/admin.py", "server/operating/desk_tools.py", "server/operating/playtesting.py",
    "server/storage/hand_on.py", "server/web/screens/playtest",
}  # fmt: skip
UNREAD = {  # of libraries: tests, other databases, parts that nothing here imports
    "tests", "testing", "testclient.py", "pytest_plugin.py", "templates", "v1", "sboms", "mypy", "mypy.py", "_trio.py",
    "orm", "mysql", "mysql.py", "mssql", "mssql.py", "oracle", "oracle.py", "postgresql", "postgresql.py", "asyncio",
    "associationproxy.py", "automap.py", "baked.py", "declarative", "horizontal_shard.py", "hybrid.py", "indexable.py",
    "mutable.py", "orderinglist.py", "serializer.py",
}  # fmt: skip
NO_TEMPLATES = {  # of Mako, with which Alembic writes new migrations: none is written here
    "__init__.py": "exceptions = None\n", "template.py": "Template = None\n", "pygen.py": "PythonPrinter = None\n",
}  # fmt: skip
READ = (".py", ".html", ".css", ".js", ".svg", ".po", ".md", ".toml", ".json", ".mako", ".ini", ".gz")
PUZZLES = 100  # of a game, at most
SMALL = 3000  # numbers of a net's array that is left as it is
NETS = ("review.npz", "policy.npz")  # by which the curve of a match is drawn (review/plain.py)
ABSENT = re.compile(r"^(import|from) (numpy|numba|argon2|cryptography|uvicorn)\b", re.M)  # what no module does without
STAMP = "site.json"  # by which a former site is known

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; frame-src 'self'; "
    "style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"
)
WORDS = {
    "start": i18n.N_("The games are getting ready in your browser."),
    "first": i18n.N_("The first time takes longer."),
    "opening": i18n.N_("What you have chosen opens as soon as they are."),
    "newer": i18n.N_("There is a newer version. What you play is kept, and goes on in it."),
    "take": i18n.N_("Take it"),
    "later": i18n.N_("Later"),
    "unkept": i18n.N_("This browser keeps nothing here (a private window?): a match is gone when you close the page."),
    "full": i18n.N_(
        "There is hardly any room left on this device. A move that cannot be stored is not made; once there is room, you go "
        "on."
    ),
    "changed": i18n.N_("A file of this site is missing or damaged; please load the page again when you have finished."),
    "here": i18n.N_("All games run in your browser, also without a network."),
    "kept": i18n.N_("Ready without a network."),
    "about": i18n.N_("Nothing that you type leaves this device."),
    "shared": i18n.N_("Nothing that you type leaves this device until you choose to play with friends."),
    "fleeting": i18n.N_(
        "Some browsers clear away what they keep for pages that are not opened for a week, your tables too."
    ),
    "install": i18n.N_(
        "To have the games beside your other apps, choose “Install” or “Add to Home Screen” in the menu of your browser."
    ),
    "friends": i18n.N_("Play with friends"),
    "scripts": i18n.N_("The games run in your browser as a program; please allow this page its scripts."),
}
OBSTACLES = {
    "file": i18n.N_(
        "Opened as a file, this page cannot start the games. Run “python -m http.server” in its folder, and open "
        "http://localhost:8000 in your browser."
    ),
    "old": i18n.N_(
        "This browser is too old for the games: it takes one from 2023 or later (Safari 16.4, Firefox 115, Chrome 109)."
    ),
    "unsafe": i18n.N_(
        "This browser does not let the page do what the games need (a service worker). In a private window or at an address "
        "without https that is so; please open it in another window, or at its https address."
    ),
    "memory": i18n.N_("This device has not enough memory left for the games. Close other pages, and load this one again."),
    "taken": i18n.N_("The games are open in another tab of this browser. Go on there; when you close it, they open here."),
    "room": i18n.N_("There is no room left on this device to store what you play. Make some, and load the page again."),
    "changed": i18n.N_(
        "A file of this site is missing or damaged. Load the page again in a while; if that does not help, whoever put the "
        "site there can build it again."
    ),
    "broken": i18n.N_("The games could not start. Load the page again; what you have played is kept."),
}


class Size(NamedTuple):
    """Bytes of a built folder, as they are and as gzip sends them."""

    raw: int
    gzip: int


def build(target: Path, server: str | None = None, tell: Callable[[str], None] = lambda step: None) -> Size:
    """Write the site into a folder that is empty or holds a former one. server: address where friends are played with. tell:
    is told what is being done. Raises OutbidError."""
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / STAMP).is_file())):
        raise OutbidError(f"{target} is not empty, and no site that this command wrote; name another folder.")
    _check_node()
    with TemporaryDirectory(prefix="outbid-site-") as name:
        work = Path(name)
        site, library = work / "site", work / "library"
        tell("Fetching Pyodide")
        _fetch_runtime(work, site / "python")
        tell("Fetching libraries")
        _unpack_wheels(_fetch_wheels(work), library)
        _copy_program(library)
        tell("Making byte code")
        command: list[str | Path] = ["node", HERE / "compile.mjs", work / "node_modules/pyodide", library, site / "python"]
        _run(command, "Byte code could not be made")
        tell("Writing pages")
        _write_files(site)
        asyncio.run(_write_pages(site, work))
        write_shell(site, server)
        size = seal(site)
        target.mkdir(parents=True, exist_ok=True)
        for former in target.iterdir():
            shutil.rmtree(former) if former.is_dir() else former.unlink()
        shutil.copytree(site, target, dirs_exist_ok=True)
    return size


# --- what comes from elsewhere ----------------------------------------------------------------------------------------


def _check_node() -> None:
    needed = f"`outbid site` needs Node.js {NODE} or newer with npm, to fetch Pyodide and to make byte code with it"
    if not shutil.which("node") or not shutil.which("npm"):
        raise OutbidError(f"{needed}; there is none here.")
    version = _run(["node", "--version"], "Node.js does not run").strip()
    if int(version.lstrip("v").partition(".")[0]) < NODE:
        raise OutbidError(f"{needed}; here is {version}.")


def _run(command: Sequence[str | Path], failure: str) -> str:
    """What a command prints. Raises OutbidError with its last line."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no reason was given"]
        raise OutbidError(f"{failure}: {lines[-1]}")
    return done.stdout


def _fetch_runtime(work: Path, folder: Path) -> None:
    """Pyodide by npm, which compares it with the hash in package-lock.json."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, work)
    npm = shutil.which("npm") or "npm"
    _run([npm, "ci", "--prefix", work, "--ignore-scripts", "--no-audit", "--no-fund"], "npm could not fetch Pyodide")
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(work / "node_modules/pyodide" / name, folder)
    lock = json.loads((work / "node_modules/pyodide/pyodide-lock.json").read_text(encoding="utf-8"))
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8")


def _fetch_wheels(work: Path) -> list[Path]:
    """The wheels of wheels.txt by pip, which compares their hashes."""
    folder = work / "wheels"
    platforms = [part for platform in PLATFORMS for part in ("--platform", platform)]
    command: list[str | Path] = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command += ["--implementation", "cp", "--python-version", PYTHON, *platforms]
    _run([*command, "--requirement", HERE / "wheels.txt", "--dest", folder], "pip could not fetch the libraries")
    return sorted(folder.glob("*.whl"))


def _unpack_wheels(wheels: list[Path], library: Path) -> None:
    """What is read of the wheels: modules, compiled ones if they are for WebAssembly, and data."""
    for wheel in wheels:
        endings = (*READ, ".so") if PLATFORMS[0] in wheel.name else READ
        with zipfile.ZipFile(wheel) as packed:
            for name in packed.namelist():
                if name.endswith(endings) and not UNREAD.intersection(Path(name).parts):
                    packed.extract(name, library)
    (library / "regex.py").write_text(patterns.stand_in(), encoding="utf-8")
    likes = library / "confusable_homoglyphs/confusables.json"  # which characters look alike; the names of all have 0.5 MB
    alike = json.loads(likes.read_text("utf-8"))
    likes.write_text(json.dumps({text: [{"c": sign["c"]} for sign in signs] for text, signs in alike.items()}))
    (library / "anyio/to_interpreter.py").write_text("")  # Pyodide has no further interpreters
    for name, text in NO_TEMPLATES.items():
        (library / "mako").mkdir(exist_ok=True)
        (library / "mako" / name).write_text(text, encoding="utf-8")
    (library / "alembic/ddl/__init__.py").write_text("from . import sqlite\nfrom .impl import DefaultImpl\n")


# --- the program ------------------------------------------------------------------------------------------------------


def _own_games() -> list[str]:
    """The games of this program: those of other packages are not in the archive."""
    return [game for game, book in rulebooks().items() if book.folder.is_relative_to(PACKAGE)]


def _copy_program(library: Path) -> None:
    """This program without the rooms that are left out, and what its metadata says of its games."""
    for path in PACKAGE.rglob("*"):
        inner = path.relative_to(PACKAGE)
        wanted = path.suffix in READ or path.name in NETS
        left_out = LEFT_OUT.intersection(each.as_posix() for each in (inner, *inner.parents))
        if not wanted or left_out or (path.suffix == ".py" and ABSENT.search(path.read_text("utf-8"))):
            continue
        copy = library / "outbid" / inner
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in screens.SERVED:  # the service worker has them
            copy.touch()
        elif path.name in NETS:
            write_net(path, copy)
        elif path.name == FILE:
            puzzles = shipped(rulebooks()[path.parent.name])
            copy.write_bytes(pack(puzzles[:: -(-len(puzzles) // PUZZLES)]))
        else:
            shutil.copy(path, copy)
    for source in (library / "outbid").rglob("locale/*.po"):
        source.with_suffix(".mo").write_bytes(i18n.compiled(source, LEFT_OUT))
        source.unlink()
    info = library / f"outbid-{__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: outbid\nVersion: {__version__}\n", encoding="utf-8")
    lines = ["[outbid.games]", *(f"{game} = outbid.games.{game}:rulebook" for game in _own_games())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_net(source: Path, target: Path) -> None:
    """A net in whole numbers of one byte, with a scale for each row: a curve is off by less than its line is wide."""
    import numpy as np

    arrays = dict[str, Any]()
    with np.load(source, allow_pickle=False) as net:
        facts = json.loads(str(net["facts"]))
        for name in net.files:
            array = net[name]
            if array.dtype.kind != "f" or array.size < SMALL:
                arrays[name] = array
                continue
            rows = array.astype(np.float64).reshape(-1, array.shape[1] if array.ndim > 1 else facts["units"])
            scale = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-9) / 127
            arrays[name] = np.round(rows / scale).astype(np.int8).reshape(array.shape)
            arrays[f"{name}.scale"] = scale.ravel().astype(np.float32)
    np.savez_compressed(target, **arrays)


# --- the folder -------------------------------------------------------------------------------------------------------


def _assets() -> Iterator[tuple[str, Path]]:
    """Sheets and scripts of the pages: the address below app/, and the file."""
    for folder in (screens.FOLDER.parent / "static", screens.FOLDER):
        for path in folder.rglob("*"):
            if path.suffix in screens.SERVED:
                yield f"static/{path.relative_to(folder).as_posix()}", path
    for game in _own_games():
        book = rulebook(game)
        for name in scene.extras(book):
            yield f"games/{game}/{name}", Path(book.folder / name)


def _write_files(site: Path) -> None:
    for address, path in _assets():
        (site / "app" / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, site / "app" / address)
    for name in ("worker.js", "files.js"):
        shutil.copy(HERE / name, site / "python")
    for name in ("shell.js", "sockets.js", "check.js", "shell.css"):
        shutil.copy(HERE / name, site)
    for size in icons.SIZES:
        (site / f"icon-{size}.png").write_bytes(icons.png(size))
    (site / "icon-whole.png").write_bytes(icons.png(512, True))
    (site / "icon.svg").write_text(icons.svg(), encoding="utf-8")


async def _write_pages(site: Path, work: Path) -> None:
    """Pages that are the same for everybody, as the application renders them before anything has been played."""
    running = await tab.start(str(work / "pages.sqlite"), base=ROOT)
    addresses = ["", *(f"{kind}/{name}" for name in _own_games() for kind in ("rules", "learn"))]
    for language in i18n.LANGUAGES:
        for address in addresses:
            headers = [("host", "localhost"), ("accept-language", language)]
            status, _headers, page = await running.request("GET", f"{ROOT}/{address}", headers, b"")
            if status != 200:
                raise OutbidError(f"The page /{address} could not be rendered ({status}).")
            place = site / "pages" / language / address
            place.mkdir(parents=True, exist_ok=True)
            (place / "index.html").write_bytes(page)
    await running.close()


def write_shell(site: Path, server: str | None) -> None:
    """The page around everything, and the manifest by which a browser installs it."""
    files = {name: (site / "python" / name).stat().st_size for name in (*RUNTIME, "outbid.zst")}
    words = {name: i18n.everywhere(partial(_, sentence)) for name, sentence in WORDS.items()}
    if server:
        words["about"] = words["shared"]
    obstacles = {name: i18n.everywhere(partial(_, sentence)) for name, sentence in OBSTACLES.items()}
    templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    page = templates.get_template("shell.html").render(
        policy=POLICY, themes=icons.THEMES, words=words, obstacles=obstacles, server=server,
        sizes=Markup(json.dumps({f"python/{name}": size for name, size in files.items()})),
    )
    (site / "index.html").write_text(page, encoding="utf-8")
    manifest = icons.manifest() | {"start_url": "./", "scope": "./", "shortcuts": []}
    del manifest["id"]  # its address
    manifest["icons"] = [
        icon | {"src": "icon-whole.png" if "purpose" in icon else icon["src"].lstrip("/")} for icon in manifest["icons"]
    ]
    (site / "manifest.webmanifest").write_text(json.dumps(manifest), encoding="utf-8")


def seal(site: Path) -> Size:
    """Write the service worker with the hashes of all files, and the stamp."""
    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    version = hashlib.sha256(json.dumps(hashes).encode()).hexdigest()[:12]
    sizes = {name: len(content) for name, content in files.items()}
    role = json.dumps({"version": version, "root": ROOT, "files": hashes, "sizes": sizes})
    text = (screens.FOLDER / "notices/worker.js").read_text(encoding="utf-8")
    (site / "sw.js").write_text(f"globalThis.SITE = {role};\n{text}", encoding="utf-8")
    (site / STAMP).write_text(json.dumps({"outbid": __version__, "version": version}), encoding="utf-8")
    return Size(sum(sizes.values()), sum(len(gzip.compress(content)) for content in files.values()))
