"""The workbench of an author: `outbid dev mygame.py` (docs/write-a-game.md says what it does).

    supervisor.py   the command: watches the files as `serve --reload` does, has a new process try what was saved, and lets
                    it take the place of the server if a match can be played by it; runs `outbid verify` beside it
    serving.py      the server, a process: one table, whose seats are all played by the author
    bench.py        what the author does with the table: time travel, bots, new matches, records
    line.py         the match: all its moves, also those after the one where the table stands, and how far rules play them
    faults.py       where a rule raises an error, with its source; which rule is slow
    seats.py        each seat below a path of its own, so that one browser shows the page of every seat

They share a folder for as long as the workbench is open: `order.json` (game, bot, address), `match.json` (the line, written
by the server after every move), `fault.json` (why what was saved is not on the table), `verify.txt` (what `verify` says).
The page is a screen like others, web/screens/workbench, and is there in no other server.

It runs the file, so it listens on the loopback only.
"""

ORDER, MATCH, FAULT, VERIFY = "order.json", "match.json", "fault.json", "verify.txt"  # files of the folder
READY = "ready-{}"  # a file, too: the process of this number has tried what was saved, and waits until it is gone
