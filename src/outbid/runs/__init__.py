"""Runs: many matches among bots, the same on any number of threads and machines, and resumed where they were interrupted.

| module | is |
| --- | --- |
| seeds.py | which seeds are for training, for selection and for reports |
| seating.py | names of bots as rows that compiled loops read, and who sits where when the table turns |
| loops/ | whole matches in compiled loops: `observed.py` among policies and nets, `matches.py` among all bots |
| things.py | what is used in a match and counted |
| blocks.py | a range of deals of one company, the task of simulations and experiments |
| runner.py | a few deals with a seating of their own, the task of arenas; and `finished`, the runner of all tasks |
| checkpoint.py | columns of tasks, appended to files, so that a run goes on from there |
| replay.py, recorded.py | a match of a run as a `Match`: replayed, asked of its bots move by move, or read from a file |
| duplicate.py | a deal played again and again |
| sources.py | the hash of all that columns depend on besides the task |
| executor.py | the pool: threads of this process, or a cluster |

Simulations, arenas, exploiters, experiments, tuning and training (lab) make tasks and read columns. The runner reads those
that an earlier process kept, sends the other tasks to the pool, and keeps their columns. A task is small data; its columns
depend on the task and on the sources whose hash it carries (`code`): a worker with other sources refuses. Deal k of a run is
shuffled from `stream(seed, k)`, and what a seat draws depends on deal and seat alone: tasks are cut anywhere, and played in
any order.

There are two loops and not one, as bots draw in two ways that recorded results depend on: `observed.py` draws by the number
of a seat's own moves, `matches.py` by the number of all moves. Each has a short form for those that need no observer, or no
search: the same source, with the branches left out that would take long to compile. Reviews play on from given positions, in
worlds rather than deals, by a loop of their own (review/rollouts.py), which makes each step as `contest` does.
"""
