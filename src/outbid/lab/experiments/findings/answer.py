"""The answer of a run in sentences: first what the question asks, then what else is settled, then what is not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from outbid.core.language.phrases import listed, plural
from outbid.lab.experiments.measures import SHARE, Measure

MORE = 3  # digits more than usual, at most, where an interval is narrow
MOST = 6  # sentences about what is settled


def number(value: float, measure: Mapping[str, Any], sign: bool = False, half: float = 0.0) -> str:
    """A number as a sentence says it: shares in per cent. half: half of its interval, of which two digits are shown where
    that takes more of them than usual."""
    share = measure["unit"] == SHARE
    digits, times = (max(1, int(measure["digits"]) - 2), 100) if share else (int(measure["digits"]), 1)
    if half > 0:
        digits = max(digits, min(digits + MORE, 1 - math.floor(math.log10(times * half))))
    return f"{times * value:{'+' if sign else ''},.{digits}f}{' %' if share else ''}"


def about(one: Mapping[str, Any]) -> str:
    """Of which company and how many players a comparison speaks."""
    return f"{one['company']}; {one['players']} players"


def sentence(one: Mapping[str, Any], measure: Mapping[str, Any], many: bool) -> str:
    """One comparison."""
    where = f" ({about(one)})" if many else ""
    title = measure["title"]
    if one["verdict"] == "same" and one["difference"] == one["low"] == one["high"] == 0:
        return f"{title}{where}: the same with {one['b']} and with {one['a']}, in every match."
    half = 0.0 if one["low"] is None else (one["high"] - one["low"]) / 2
    means = [number(one[f"mean_{which}"], measure, half=half) for which in "ba"]
    said = f"{means[0]} with {one['b']}, {means[1]} with {one['a']}"
    if one["low"] is None:
        return f"{title}{where}: {said}; too few matches for an interval."
    apart, low, high = (number(one[key], measure, True, half) for key in ("difference", "low", "high"))
    said += f" ({apart}; {low} to {high})"
    if one["verdict"] in ("higher", "lower"):
        return f"{title}{where}: {one['verdict']}, {said}."
    if one["verdict"] == "same":
        return f"{title}{where}: no difference that matters, {said}."
    needed = f"; about {plural(one['needed'], 'match', 'matches')} of each would settle it" if one["needed"] else ""
    return f"{title}{where}: not settled, {said}{needed}."


def answer(results: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The sentences: the first measure is what the question is about."""
    known: Mapping[str, Mapping[str, Any]] = results["measures"]
    found: list[Mapping[str, Any]] = results["comparisons"]
    if not found:
        return _alone(results, names)
    many = len({(one["company"], one["players"]) for one in found}) > 1
    rank = {name: k for k, name in enumerate(names)}
    head = [one for one in found if one["measure"] == names[0]]
    if len({one["b"] for one in found}) > 3:
        return [*_sweep(head, known[names[0]], many), *_counted(found, known)]
    said = [sentence(one, known[one["measure"]], many) for one in head]
    rest = sorted((one for one in found if one["measure"] != names[0]), key=lambda one: rank[one["measure"]])
    said += [sentence(one, known[one["measure"]], many) for one in rest if one["verdict"] in ("higher", "lower")][:MOST]
    shown = {one["measure"] for one in rest if one["verdict"] in ("higher", "lower")}
    moved = {one["measure"] for one in rest if not one["low"] == one["high"] == 0}
    open_ones = (one["measure"] for one in rest if one["verdict"] == "open" and one["measure"] not in shown)
    left = dict.fromkeys(known[name]["title"].lower() for name in open_ones)
    same = dict.fromkeys(known[one["measure"]]["title"].lower() for one in rest if one["measure"] not in moved)
    if same:
        said.append(f"Exactly alike in every match: {listed(list(same))}.")
    if left:
        said.append(f"Not settled, or no difference: {listed(list(left))}.")
    return said


def simple(results: Mapping[str, Any], ladder: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the ladders say of each variant: does the better bot win, and is there a manner that wins everything?"""
    said = []
    for key in dict.fromkeys((one["kind"], one["variant"], one["players"]) for one in ladder):
        kind, variant, players = key
        here = [one for one in ladder if (one["kind"], one["variant"], one["players"]) == key]
        measure = results["measures"][kind]
        where = f"{variant}, {players} players"
        if kind == "skill":
            shares = [f"{one['bot']} among {one['others']} {_share(one, measure)}" for one in here]
            said.append(f"Skill ({where}; an equal share is {number(here[0]['equal'], measure)}): {listed(shares)}.")
        else:
            best = max(here, key=lambda one: one["share"])
            wins = "wins more than its share"
            if best["low"] <= best["equal"]:
                wins = "does not show that it wins more than its share"
            said.append(f"Simple manners ({where}): the best, {best['bot']}, {wins}: {_share(best, measure)}.")
    return said


def _share(one: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    return f"{number(one['share'], measure)} ({number(one['low'], measure)} to {number(one['high'], measure)})"


def _alone(results: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Where nothing is compared."""
    known, said = results["measures"], []
    for one in results["summaries"]:
        if one["measure"] == names[0]:
            measure = known[one["measure"]]
            interval = f"{number(one['low'], measure)} to {number(one['high'], measure)}"
            said.append(f"{measure['title']}: {number(one['mean'], measure)} ({interval}), {about(one)}.")
    return said


def _sweep(head: Sequence[Mapping[str, Any]], measure: Mapping[str, Any], many: bool) -> list[str]:
    """The least and the greatest of many variants."""
    said = []
    for key in dict.fromkeys((one["company"], one["players"]) for one in head):
        here = [one for one in head if (one["company"], one["players"]) == key]
        ends = [*((one["mean_b"], one["b"]) for one in here), (here[0]["mean_a"], here[0]["a"])]
        (low, at_low), (high, at_high) = min(ends), max(ends)
        where = f" ({about(here[0])})" if many else ""
        ends_said = f"from {number(low, measure)} with {at_low} to {number(high, measure)} with {at_high}"
        said.append(f"{measure['title']}{where}: {ends_said}.")
    return said


def _counted(found: Sequence[Mapping[str, Any]], known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    by_measure: dict[str, list[bool]] = {}
    for one in found:
        by_measure.setdefault(one["measure"], []).append(one["verdict"] in ("higher", "lower"))
    parts = [f"{known[name]['title'].lower()} {sum(each)} of {len(each)}" for name, each in by_measure.items()]
    return [f"Settled differences from {found[0]['a']}: {'; '.join(parts)}."]


def described(measures: Mapping[str, Measure], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What results.json says of measures."""
    return {name: measures[name].described() for name in names}
