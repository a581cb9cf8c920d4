"""The house: imports point downwards, the core knows no game, importing is quick work."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import outbid
from outbid.core.rulebook import rulebooks

SOURCE = Path(outbid.__file__).parent
FLOORS = (  # from the ground up
    "version", "core", "compiled", "facade", "examples", "games", "bots", "runs", "solve", "review", "lab", "wire",
    "terminal", "agents", "testing", "adapters", "server", "site", "cli", "__main__",
)  # fmt: skip
SIDE_BY_SIDE = (  # no arrow, either way
    ("review", "solve"), ("lab", "wire"), ("lab", "terminal"), ("agents", "lab"), ("agents", "terminal"), ("testing", "lab"),
)  # fmt: skip
# In a function: seats for agents, games that are not ours, pages that are drawn.
WHEN_ASKED_FOR = {("facade", "agents"), ("compiled", "testing"), ("testing", "server")}
# What the domain of the server knows of its storage: this list may only become shorter.
KNOWN = {
    "chat": {"notifications", "people"}, "daily": {"store"}, "deadlines": {"notifications"}, "ladder": {"ratings"},
    "names": {"people", "store"}, "notifier": {"notifications", "notices"}, "pacing": {"notifications"},
    "reviews": {"store"}, "table": {"notifications", "store"}, "tables": {"notifications", "store"},
}  # fmt: skip


def modules():
    return sorted(SOURCE.rglob("*.py"))


def room(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def imported(path, everywhere=True):
    """What a module imports of Outbid; everywhere: in its functions, too."""
    code, names = ast.parse(path.read_text(encoding="utf-8")), []
    for node in ast.walk(code) if everywhere else code.body:
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{one.name}" for one in node.names]
    return [name for name in names if name.startswith("outbid.")]


def rooms_of(path, everywhere=True):
    """The rooms that a module imports from."""
    return {part for part in (name.split(".")[1] for name in imported(path, everywhere)) if part in FLOORS}


def test_every_room_has_a_floor():
    assert {room(path) for path in modules()} - {"__init__"} == set(FLOORS)


def test_imports_point_downwards():
    for path in modules():
        here = room(path)
        for there in rooms_of(path) if here != "__init__" else ():
            if (here, there) in WHEN_ASKED_FOR:
                assert there not in rooms_of(path, everywhere=False), f"{path} imports {there} at once"
            else:
                assert FLOORS.index(there) <= FLOORS.index(here), f"{path} imports {there}"
            assert (here, there) not in SIDE_BY_SIDE, path
            assert (there, here) not in SIDE_BY_SIDE, path


def test_a_game_imports_only_the_core_and_itself():
    for path in (SOURCE / "games").glob("*/**/*.py"):
        own = f"outbid.games.{path.relative_to(SOURCE / 'games').parts[0]}"
        for name in imported(path):
            assert name.startswith(("outbid.core.", own)), f"{path} imports {name}"


def test_sheets_scripts_and_templates_of_the_server_name_no_game():
    titles = "|".join(sorted(book.title for book in rulebooks().values()))
    of_a_game = re.compile(rf"data-game=[\"']?\w|/\* *({titles})\b")
    for path in (SOURCE / "server/web").rglob("*.*"):
        if path.suffix in (".css", ".js", ".html"):
            assert not of_a_game.search(path.read_text()), path


def test_in_the_server_storage_is_below_the_domain_and_the_domain_below_pages():
    above = {"stored": ("web", "operating", "domain", "storage"), "storage": ("web", "operating", "domain")}
    above |= {"domain": ("web", "operating"), "operating": ("web",)}
    for path in (SOURCE / "server").rglob("*.py"):
        here = path.relative_to(SOURCE / "server").parts[0]
        for name in imported(path):
            there, _, module = name.removeprefix("outbid.server.").partition(".")
            if here in above and name.startswith("outbid.server."):
                assert there not in above[here], f"{path.name} imports {name}"
                if (here, there) == ("domain", "storage"):
                    assert module.split(".")[0] in KNOWN.get(path.stem, ()), f"{path.name} imports {name}"


IN_A_BROWSER = """if True:
    import pkgutil, sys
    from types import SimpleNamespace
    for name in ("numpy", "numba", "uvicorn", "sqlalchemy"):
        sys.modules[name] = None
    import outbid.wire, outbid.server.domain
    for package in (outbid.wire, outbid.server.domain):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            __import__(module.name)
    from outbid.core.rulebook import rulebooks
    from outbid.server.domain import scene, setup
    from outbid.server.domain.table import Table
    from outbid.server.moments import Moments
    from outbid.server.settings import Settings
    from outbid.server.storage.notifications import Bus
    from outbid.server.web import pages
    store = SimpleNamespace(moments=Moments(), climbers=lambda table: set())
    for book in rulebooks().values():
        order = setup.Order(book.id, book.players[0], "Ada", bots=["steady"])
        table = Table(setup.made(order, "instant", 24)[0], store, Settings("sqlite://"), Bus())
        page = pages.table(scene.live(table, 0, "http://here"))
        assert book.title in page and "Ada" in page
        assert scene.now(table, 0, "http://here").as_json()["seats"][0]["name"] == "Ada"
"""


@pytest.mark.slow
def test_the_domain_and_a_page_of_each_game_need_no_arrays_no_compiler_no_database_and_no_web_server():
    done = subprocess.run([sys.executable, "-c", IN_A_BROWSER], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


def circles(room, known=()):
    """The modules of a room that need themselves, also where only types are named."""
    graph = {}
    for path in (SOURCE / room).rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        graph[".".join(parts).removesuffix(".__init__")] = set(imported(path))
    for name, found in graph.items():
        needed = {one if one in graph else one.rpartition(".")[0] for one in found}
        graph[name] = {one for one in needed if one in graph and one != name and (name, one) not in known}
    while free := [name for name, needs in graph.items() if not needs & graph.keys()]:
        for name in free:
            del graph[name]
    return graph


def test_no_module_of_the_server_needs_itself():
    """What opens a bus loads PostgreSQL's when there is one: that pair is known."""
    assert not circles("server", [("outbid.server.storage.notifications", "outbid.server.storage.postgres")])


@pytest.mark.parametrize("room", ["bots", "core", "review"])
def test_no_module_of_a_room_needs_itself(room):
    assert not circles(room)


@pytest.mark.parametrize("room", ["core", "compiled"])
def test_the_core_names_no_game(room):
    for path in (SOURCE / room).rglob("*.py"):
        code = ast.parse(path.read_text(encoding="utf-8"))
        constants = [node.value for node in ast.walk(code) if isinstance(node, ast.Constant)]
        said = {value for value in constants if isinstance(value, str) and "\n" not in value}
        for game in rulebooks():
            assert game not in said, path
            assert all(game not in name for name in imported(path)), path


@pytest.mark.parametrize("heavy", ["numba", "numpy", "starlette", "sqlalchemy", "typer"])
@pytest.mark.slow
def test_importing_outbid_loads_nothing_heavy(heavy):
    code = f"import outbid, sys; outbid.game('kuhhandel').new(players=3); sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_the_core_needs_no_extra():
    names = [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in modules()]
    rooms = ("cli", "core", "compiled", "facade", "games", "bots", "runs", "solve", "review", "testing")
    names = [name for name in names if name.split(".")[1] in rooms] + ["outbid.terminal.local", "outbid.terminal.line_mode"]
    alone = {"outbid.testing.fixtures", "outbid.testing.skeleton_tests"}  # for pytest, and for an author's folder
    code = "import " + ", ".join(name for name in names if name not in alone)
    command = [sys.executable, "-m", "tests.support.core_only", code, "."]
    done = subprocess.run(command, cwd=SOURCE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_person_at_a_table_never_waits_for_a_compiler():
    code = """if True:
        import sys
        import outbid, outbid.server.web.app
        from outbid.bots import choose
        match = outbid.game("kuhhandel").new(players=3, seed=1)
        for n in range(60):
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, "steady", n).actions)
            match.view(0), match.log(0), match.legal(0)
        sys.exit("numba" in sys.modules)
    """
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


SHAPE = re.compile(r"\([\w…][^()]*,[^()]*\)")  # (n,), (…, P, F)
PICTURES = {"render", "get_images"}  # whose shape stands where the picture is made, single.picture


def functions(of):
    """The public functions and methods of a module or a class."""
    for node in of.body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.slow
def test_a_public_function_that_gives_an_array_says_its_shape():
    found = [
        (path.name, one.name)
        for path in modules()
        for one in functions(ast.parse(path.read_text(encoding="utf-8")))
        if one.returns and "NDArray" in ast.unparse(one.returns) and not SHAPE.search(ast.get_docstring(one) or "")
    ]
    assert [(path, name) for path, name in found if name not in PICTURES] == []
