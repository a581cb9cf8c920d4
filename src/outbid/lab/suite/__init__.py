"""The benchmark: frozen tasks, and what an agent is worth in them. `outbid eval`.

    tasks.py       the tasks of a suite, who sits there, and whether they still move as when the suite was frozen
    candidate.py   the agent: whatever it answers, the match goes on, and forfeits are counted
    evaluate.py    an agent in some tasks as one JSON document; the same again, to verify it
    families.py    instances with values, numbers of cards and order drawn, in two splits that share none

A room of the laboratory, since it puts together what the laboratory measures with: the runner of the arena, exploiters,
exact values of small games and the judge of reviews. What is frozen stands in bench-1.toml and is held by a test; what
changes an agent's share makes a new suite beside the old one.
"""
