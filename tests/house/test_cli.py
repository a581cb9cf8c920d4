"""The command line as other programs call it: outputs, exit codes, sentences."""

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import outbid
from outbid import cli
from outbid.bots import LookAhead
from outbid.cli import console
from outbid.core.rulebook import rulebook
from outbid.terminal import local
from tests.support.commands import outbid_command


def good_record():
    match = outbid.game("kuhhandel").new(players=3, seed=5)
    for n in range(30):
        match.random_move(match.asked[0], n)
    return match.record()


def test_version_and_help():
    command = [sys.executable, "-c", "from outbid.cli import main; main()", "--version"]
    fresh = subprocess.run(command, capture_output=True, text=True, check=True)
    assert fresh.stdout == outbid_command("--version").stdout
    assert outbid_command("--version").stdout.startswith("outbid ")
    for command in ("play", "serve", "join", "games", "rules", "simulate", "check", "verify", "bench"):
        shown = outbid_command(command, "--help")
        assert shown.returncode == 0
        assert "Example" in shown.stdout


def test_games_as_json_lists_options_with_their_defaults():
    (game,) = [g for g in json.loads(outbid_command("games", "--json").stdout) if g["id"] == "kuhhandel"]
    assert game["players"] == [3, 5]
    options = {option["name"]: option for option in game["options"]}
    assert options["trade_stall"]["default"] == 100


def test_rules_prints_the_rulebook():
    assert "K15" in outbid_command("rules", "kuhhandel").stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "iso8859-2"])
@pytest.mark.slow
def test_what_a_console_cannot_show_is_replaced_by_what_can_be_read(encoding):
    code = "import sys; sys.argv[:] = ['outbid', *sys.argv[1:]]; from outbid.cli import main; main()"
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "LC_ALL": "C"}

    def ran(*words: str | bytes) -> tuple[int, str, str]:
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, env=environment, check=False)
        return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)

    status, rules, errors = ran("rules", "kuhhandel", "--language", "de")
    assert (status, errors) == (0, "")
    assert ("Vier Kühe" if encoding != "ascii" else "Vier Kuehe") in rules
    assert ("*verkaufen* – das" if encoding == "cp1252" else "*verkaufen* - das") in rules
    assert ran("simulate", "--help")[0] == 0
    status, shown, sentence = ran("check", b"no\xfftext\xe2\x82\xac.json")  # a name of a file that is no text
    assert (status, shown, len(sentence.splitlines())) == (2, "", 1)
    assert "Traceback" not in sentence


def test_every_sign_that_is_printed_has_a_replacement_that_can_be_read():
    console.prepare()
    texts = [*Path(outbid.__file__).parent.rglob("*.po"), *Path(outbid.__file__).parent.rglob("*.md")]
    signs = {sign for path in texts for sign in path.read_text("utf-8") if not sign.isascii()}
    assert len(signs) > 20
    for sign in signs:
        assert "?" not in sign.encode("ascii", console.NAME).decode(), sign
    assert "Ünal – „3 × ½ Kühe“ → 5…\udcff😀 é\u0301".encode("ascii", console.NAME) == b'Uenal - "3 x 1/2 Kuehe" -> 5...?? e'


def test_check_says_good_and_exits_0(tmp_path):
    file = tmp_path / "good.json"
    file.write_text(json.dumps(good_record()))
    done = outbid_command("check", file)
    assert (done.returncode, done.stdout) == (0, "1 record, all good.\n")


def test_check_names_file_record_and_move_of_each_bad_record_and_exits_1(tmp_path):
    bad = good_record()
    bad["moves"][4] = {"seat": 0, "do": "dance"}
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(r) for r in (good_record(), bad, bad)))
    done = outbid_command("check", file)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert [line.split(" ", 3)[:3] for line in lines] == [[f"{file}:{n}:", "move", "4:"] for n in (2, 3)]
    document = json.loads(outbid_command("check", "--json", file).stdout)
    assert document["good"] == 1
    assert [entry["move"] for entry in document["bad"]] == [4, 4]


@pytest.mark.parametrize("content", [None, "", "not json", '{"game": "kuhhandel"', "\xff"])
def test_an_unreadable_file_is_one_sentence_and_exit_2(tmp_path, content):
    file = tmp_path / "bad.json"
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    done = outbid_command("check", file)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(file) in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("simulate", "tarock"), "There is no game 'tarock'"),
        (("simulate", "kuhhandel", "--players", "9"), "3 to 5 players, not 9"),
        (("simulate", "kuhhandel", "--option", "colour=red"), "no option 'colour'"),
        (("simulate", "kuhhandel", "--option", "bidding=loud"), "bidding is 'loud'"),
        (("simulate", "kuhhandel", "--option", "bidding"), "not NAME=VALUE"),
        (("simulate", "kuhhandel", "--preset", "slow"), "no preset 'slow'"),
        (("simulate", "kuhhandel", "--bots", "genius"), "no bot 'genius'"),
        (("simulate", "kuhhandel", "--seed", "-4"), "seed"),
        (("simulate", "kuhhandel", "--records", "/nowhere/x.jsonl", "--games", "1"), "cannot be written"),
        (("arena", "claim", "--games", "100000", "--svg", "/nowhere/x.svg"), "cannot be written"),
        (("arena", "claim", "--games", "100000", "--ledger", "/nowhere/x.json"), "cannot be written"),
        (("exploit", "claim", "--games", "100000", "--ledger", "/nowhere/x.json"), "cannot be written"),
        (("solve", "claim", "--bots", "steady", "--ledger", "/nowhere/x.json"), "cannot be written"),
        (("simulate", "rivals", "--players", "2", "--bots", "random,random,easy"), "3 bots for 2 seats"),
        (("simulate", "rivals", "--bots", "mine.py"), "a bot of a file is FILE.py:NAME"),
        (("simulate", "rivals", "--deals", "9"), "give their number with --matches"),
        (("arena", "rivals", "--matches", "9"), "give their number with --deals"),
        (("exploit", "rivals", "--matches", "9"), "give their number with --deals"),
        (("play", "kuhhandel", "--players", "2", "--plain"), "3 to 5 players"),
        (("rules", "tarock"), "no game"),
        (("bench", "tarock"), "no game"),
        (("simulate", "kuhhandel", "--records", "/", "--games", "1"), "it is a folder"),
        (("serve", "--database", ""), "empty name"),
        (("serve", "--host", " "), "address to listen at is empty"),
        (("admin", "stats", "--database", ""), "empty name"),
        (("solve", "kuhhandel", "--bots", "genius"), "no bot 'genius'"),
        (("solve", "kuhhandel", "--ledger", "x.json"), "name some with --bots"),
        (("play", "--plain", "--port", "8000", "--no-browser"), "--port, --browser: not with --plain"),
        (("play", "claim", "--screen"), "The full screen needs a terminal"),
        (("play", "claim", "--screen", "--port", "8000"), "--port: not with --screen"),
        (("mcp", "-n", "4", "--seed", "3"), "--players, --seed: not without a GAME"),
        (("mcp", "--port", "8000"), "--port: not without --http"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_2(arguments, says):
    done = outbid_command(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


BROKEN = """
from outbid.bots import Bot

class Hasty:
    def decide(self, seat):
        raise ValueError("there is\\nno move")

hasty = Hasty()
"""


def test_a_bot_of_a_file_that_fails_is_one_sentence_that_names_the_line(tmp_path):
    (tmp_path / "mine.py").write_text(BROKEN, encoding="utf-8")
    done = outbid_command("simulate", "rivals", "--bots", "mine.py:hasty", "--matches", "1", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"{tmp_path / 'mine.py'}, line 6, in decide: ValueError: there is no move\n"
    done = outbid_command("simulate", "rivals", "--bots", "mine.py:slow", "--matches", "1", folder=tmp_path)
    assert done.stderr == "mine.py has no 'slow'; it has Hasty, hasty.\n"


def test_a_game_of_a_file_is_listed():
    shown = outbid_command("games", Path(__file__).parents[2] / "examples/tutorial_game.py").stdout
    assert shown.startswith("strongroom  Strongroom, 2 to 5 players\n")
    assert "rivals" not in shown


MISUSED = [
    ("simulate", "--seed", "1"),
    ("nonsense",),
    ("simulate", "kuhhandel", "--games", "many"),
    ("arena", "rivals", "--games", "1000000000000"),
    ("arena", "rivals", "--bots", "strong,steady,easy", "--mixed", "1000000000000"),
    ("exploit", "rivals", "--games", "1000000000000"),
    ("exploit", "rivals", "--tries", "1000000000000"),
    ("admin", "ban"),
    ("admin", "take-down", "bq7mz2k9xwta", "first"),
]


@pytest.mark.parametrize("arguments", MISUSED)
def test_wrong_usage_is_one_sentence_and_exits_2(arguments):
    done = outbid_command(*arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(r"\w.*\. `outbid( [a-z-]+)* --help` says more\.", line)


OLDER = [("simulate", "--matches", "-m"), ("arena", "--deals", "-d"), ("exploit", "--deals", "-d")]


@pytest.mark.parametrize(("command", "long", "short"), OLDER)
def test_older_names_of_options_are_taken_and_not_listed(command, long, short):
    found = typer.main.get_command(cli.app).commands[command]
    given = [[long, "7"], [short, "7"], [f"{short}7"], ["--games", "7"], ["--games=7"], ["-g", "7"], ["-g7"]]
    params = [found.make_context(command, ["rivals", *one]).params for one in given]
    assert params == [{**params[0], long.strip("-"): 7}] * len(given)
    assert long in (page := outbid_command(command, "--help").stdout)
    assert "--games" not in page
    assert "-g " not in page


@pytest.mark.slow
def test_simulate_writes_records_that_check_accepts_and_prints_one_json_document(tmp_path):
    file = tmp_path / "games.jsonl"
    done = outbid_command("simulate", "kuhhandel", "-n", 3, "-g", 5, "--seed", 3, "--records", file, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["games"] == 5
    assert len(file.read_text().splitlines()) == 5
    assert outbid_command("check", file).returncode == 0
    again = tmp_path / "again.jsonl"
    outbid_command("simulate", "kuhhandel", "-n", 3, "-g", 5, "--seed", 3, "--records", again)
    assert again.read_text() == file.read_text()


def test_records_replace_a_file_only_when_all_are_written(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("precious")
    code = "import outbid.lab.simulate as s; from outbid.cli import main\ndef broken(*_): raise KeyboardInterrupt\n"
    code += "s.write_records = broken; main()"
    command = [sys.executable, "-c", code, "simulate", "claim", "-n", "2", "-g", "1", "--records", str(file)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 130
    assert file.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [file]
    assert outbid_command("simulate", "claim", "-n", 2, "-g", 1, "--records", file).returncode == 0
    assert len(file.read_text().splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_one_sentence():
    command = [sys.executable, "-c", "from outbid.cli import main; main()", "rules", "claim"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_review_is_not_begun_where_its_page_cannot_be_written(tmp_path):
    record = tmp_path / "game.json"
    record.write_text(json.dumps(good_record()))
    done = outbid_command("analyse", record, "--html", tmp_path / "nowhere" / "x.html")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_a_plain_match_can_be_played_and_left(tmp_path):
    given = "help\nlook\nlegal\nwhy\nlog\nsay hello\nnonsense\nbid 10\nauction\npass\nquit\n"
    done = outbid_command("play", "--plain", "--seed", "3", "--bots", "random", given=given)
    assert done.returncode == 0
    assert "is not a move of this game" in done.stdout
    assert "they do not listen" in done.stdout
    assert done.stdout.rstrip().endswith("You leave the match.")


def test_a_plain_match_can_be_played_to_its_end():
    book = rulebook("kuhhandel")

    async def played() -> local.LocalMatch:
        here = local.LocalMatch(book, {}, "Ada", ["steady", "random"], 4)
        watching = asyncio.create_task(here.watch())
        while not here.over:
            turn = asyncio.create_task(here.turn())
            await asyncio.wait({watching, turn}, return_when=asyncio.FIRST_COMPLETED)
            turn.cancel()
            if here.decision is not None:
                assert not here.match.legal(0).forced, "what has one possibility is made for one"
                move = here.match.copy().random_move(0, len(here.match.moves))
                assert (await here.play(book.words.text({k: v for k, v in move.items() if k != "seat"}))).ok
        await watching
        return here

    here = asyncio.run(played())
    assert here.now
    assert here.now.winners == list(here.match.winners)
    assert [line.text for line in here.log] == [line.text for line in here.match.log(0)]


def test_in_the_terminal_strong_prepares_itself_before_the_match_and_says_so(monkeypatch, capsys):
    """Else the heuristic would play in its place all match long."""
    prepared = []
    monkeypatch.setattr(LookAhead, "prepare", lambda self, book: prepared.append((self.name, book.id)))
    monkeypatch.setattr(local, "ready", lambda book: False)
    reader, writer = os.pipe()
    os.write(writer, b"quit\n")
    with open(reader) as keyboard, monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", keyboard)
        local.play(rulebook("claim"), {}, "Ada", ["strong", "steady", "strong"], 1)
    os.close(writer)
    assert prepared == [("strong", "claim")]
    assert "The bot strong prepares itself" in capsys.readouterr().out
