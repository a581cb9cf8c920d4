"""Experiments: change a rule, play many matches on common deals, see the difference with its interval.

    outbid lab compare kuhhandel --a overbid=allowed --b overbid=forbidden      # cli/laboratory.py
    frame = load("outbid-runs/overbid")                                         # the matches as a pandas data frame
    frame = load("outbid-runs/overbid", "seats")

Who calls whom: cli/laboratory.py → spec (the experiment file) and variants → runner → design (cells and their blocks) → runs
(plays blocks and keeps their columns) → design.Sums → compare (statistics) → publish (tables and results.json, which the
report reads).

A *cell* is one variant, one company and one number of players. Cells are played on common deals: deal k of every cell is
shuffled from `stream(seed, k)`, and what a seat draws depends on deal and seat alone. A company of different bots plays
each deal once in every rotation of its seats; a company of equal bots plays it once, since a rotation would be the same
match. Work is cut into ranges of deals, which depend on nothing but the experiment file: a run that was interrupted, or
was played on many machines, has the same columns, bit for bit.

The run folder (default `outbid-runs/NAME`; format `outbid-run/1`)

`experiment.toml`: the file as it was given (or as the command line says it).
`run.json`:
    format "outbid-run/1", outbid (version), rules ("rivals/2"), code (SHA-256 of the sources that played), game (id or
    file), title, question (may be ""), name, warnings [sentences], where (on what it was played),
    players [4, …], deals (of each cell, as asked), seed, measures [names], baseline (name of a variant),
    company [{name, seats ["steady", …], says}],      seats: as given, repeated round the table
    variants [{name, preset, options {changed options}, says (one sentence), over {option: value} (the point of a sweep;
        else {}), rule (the file that changes a rule, or ""), learned (bool: a net was trained on it)}],
    learn (minutes that nets were trained; 0: none),
    over {option: [values]} (of a sweep; else {}), limits (always {}),
    finished (bool), preview (bool: so far only the first few deals), stopped ("" or why the run ended before all deals),
    stopped_after (deals, or 0),
    matches_done, matches_asked, judged, to_judge (matches), seconds, hash (SHA-256 of what was played; "" before the
    end), hashes {table: SHA-256 of its columns}, made_of {part: version or hash} (provenance.py)
`matches.parquet`, one row a match, in order of variant, company, players, deal, rotation:
    variant, company (names), players, deal (number from 0), rotation, seed (outbid.game(…).new(seed=seed); −1: read),
    winners (how many; 0: stopped unfinished), the measures that every game has (measures.MEASURES defines them; shares of
    matches are 0 or 1 here, parts of a match 0–1), then the game's own measures and functions of the experiment
`seats.parquet`, one row a match and seat:
    variant, company, players, deal, rotation, seat, order (0: moves first, clockwise), bot, score, share (of the victory,
    0–1), place (how many seats finished before it), moves, choices (its decisions), led (share of the match it led)
`usage.parquet`, one row a cell and thing:
    variant, company, players, thing (what the game calls it, or the name of an action), kind (what an action is, a
    sentence), action (the first that counts as it), used (times), matches (in which it was used), users (seats that used
    it, over the matches), share (mean share of the victory of those seats), equal (what it would be if use did not
    matter), low, high (95 % interval of share), could (times it could be used)
`curve.parquet` (of a sample, when a measure needs a judge), one row a cell and point of progress:
    variant, company, players, progress (0–1), matches, leader (mean win probability of who leads), winner (of who will
    win), hopeless (share of seats below 5 %), low, high (95 % interval of winner)
`ladder.parquet` (of a sample, with the measure `skill` or `exploit`), one row a variant, players and pair of bots:
    variant, players, kind ("skill" or "exploit"), bot (sits alone), others, deals, share, low, high, equal, needed (matches
    after which the better of the two is known with 95 %)
`results.json`:
    format "outbid-results/1", answer (sentences, the first answers the question), preview, matches,
    measures {name: {title, definition, source, unit, better ("", "lower", "higher"), digits}},
    summaries [{measure, variant, company, players, mean, low, high, sd, matches, deals}],
    seats [{variant, company, players, by ("order" or "bot"), of (0, 1, … or a bot), share, low, high, equal, score}],
    comparisons [{measure, definition, source, company, players, a, b, mean_a, mean_b, difference (b − a), low, high (95 %,
        paired by deal, clustered, simultaneous over all comparisons of the run), alone_low, alone_high (without that), p
        (corrected by Holm), matches, settled (bool: a difference, or none that matters), verdict ("higher", "lower", "same",
        "open"), smallest (the difference that matters), needed (matches of each variant that would show it, or that there is
        none; null if settled), between (matches that would settle any difference, if it is open)}],
    moved [{a, b, company, players, measures [names of all measures, compared or not, that are not the same in every deal],
        nothing (bool: no match differs in anything that is counted), deals, different (in how many of them anything but the
        number of legal moves differs)}]
`games/index.json`: [{file, which ("closest", "longest", "strangest", "typical", "changed"), variant, company, players,
    deal, rotation, seed, measure, value, usual (what it was chosen for, and the median of its cell; "typical" has none)}];
    `games/*.json`: the records. "changed" is the deal in which the change mattered most; it has two records, of both
    variants: {…, file_a, variant_a, other (the value there, instead of usual)}. "strangest" and "typical" are none of the
    other three.
`tune.json` (of `outbid lab tune`): {goals [{measure, goal, weight}], trials [{number, options, values, state}], front
    [numbers], checked [{number, company, seed, values, low, high, reached [bool]}], unreached [sentences]}
`parts/`: columns of finished ranges while the run is not finished.
"""

from pathlib import Path
from typing import Any

TABLES = ("matches", "seats", "usage", "curve", "ladder")


def load(run: str | Path, table: str = "matches") -> Any:
    """A table of a run as a pandas data frame; without pandas, as an Arrow table. Raises BadSetup."""
    from outbid.lab.experiments.store import Run

    arrow = Run.open(Path(run)).table(table)
    try:
        return arrow.to_pandas()
    except ImportError:
        return arrow
