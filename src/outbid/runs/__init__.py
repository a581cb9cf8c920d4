"""Runs: many matches among bots, the same on any number of threads and machines, and resumed where they were interrupted.

| module | is |
| --- | --- |
| seeds.py | which seeds are for training, for selection and for reports |
| seating.py | names of bots as rows that compiled loops read, and who sits where when the table turns |
| loops/ | whole matches in one compiled loop: `observed` among policies and nets, `matches` among bots that search |
| blocks.py | a range of deals of one company, the unit of work; its columns |
| matches.py | a range of deals with a seating of their own, as the arena has it; its columns |
| replay.py | a match of a run as a `Match`, and matches of bots that are asked for whole moves |
| runner.py | play the tasks that no earlier process has played, in a pool, and keep their columns |
| checkpoint.py | columns of tasks, appended to files, so that a run goes on from there |
| sources.py | the hash of all that columns depend on besides the task |
| executor.py | the pool: threads of this process, or a cluster |

Who calls whom: simulate, arena, exploit, experiments, tuning and training (lab) make tasks and read columns; runner asks
the checkpoint, sends the other tasks to the pool, and each worker calls the loop. A task is small data; its columns depend
on the task and on the sources whose hash it carries (`code`): a worker with other sources refuses. Deal k of a run is
shuffled from `stream(seed, k)`, and what a seat draws depends on deal and seat alone. So tasks may be cut and played
anywhere, in any order.
"""
