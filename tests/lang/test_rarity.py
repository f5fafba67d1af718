"""How rare words are, in rules and goals: on plain words, on rows of unknowns,
on unknowns that are words; and `rank`.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from puzzlekit.api import Puzzle, Query, QueryOptions, Run
from puzzlekit.backends import BACKENDS, Budget
from puzzlekit.backends.exact_cover import ExactCover
from puzzlekit.errors import InputError
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.model import Model
from puzzlekit.query import Task
from puzzlekit.solve.solvers import LoweredSolver
from tests.lang.languages import build, problems_of, refusal
from tests.limits import replaced

# as common as they stand: rarities 0, 10, 16, 20, 23, 26
ORDERED = "words: {type: lexicon, default: [tea, cat, act, eat, at, ta]}"
SORTED = "words: {type: lexicon, default: [act, cat, eat, tea]}"
RARE = {"tea": 0, "cat": 10, "act": 16, "eat": 20}

PAIR = """
puzzle: pair
data:
  {words}
variables:
  letter[i]: distinct('acet') for i in range(3)
  other: words.of_length(3)
rules:
  a word: letter in words
  {rule}
goals:
  common: minimise(rarity(letter, words) + 2 * rarity(other, words))
  rare: maximise(rarity(other, words) - rarity(letter, words))
{rank}
"""


def puzzle(
    words: str = ORDERED, rule: str = "any: letter[0] == letter[0]", rank: str = "rank: common"
) -> Puzzle:
    spec = read_spec("spec.yaml", "title: a spec")
    kind = type_of_text("pair.yaml", PAIR.format(words=words, rule=rule, rank=rank))
    return Puzzle(kind, spec, bind(kind, spec), 0.0)


def found(solutions: Iterator[object]) -> list[tuple[str, str, int | None]]:
    return [
        ("".join(solution["letter"]), solution["other"], solution.value) for solution in solutions
    ]  # type: ignore[attr-defined,index]


def test_plain_words() -> None:
    rule = (
        "rarity('tea', words) == 0 and rarity(('c', 'a', 't'), words) == 10 "
        "and rarity('zzz', words) == 26"
    )
    assert build(rule, data=ORDERED).model.constraints == ()


def test_words_that_follow_each_other() -> None:
    rule = (
        "succession('in', 'time', words) < -30 and succession(('o', 'f'), 'tea', "
        "words) < succession('tea', 'of', words)"
    )
    assert build(rule, data=ORDERED).model.constraints == ()
    rule = "succession('a', 'but', words) == 0 and succession('zzz', 'in', words) == 0"
    assert build(rule, data=ORDERED).model.constraints == ()


def test_words_of_another_language_have_no_succession() -> None:
    finnish = "finnish: {type: lexicon, default: finnish}"
    assert build("succession('in', 'time', finnish) == 0", data=finnish).model.constraints == ()


def test_words_by_rarity() -> None:
    rule = (
        "by_rarity(['cat', 'zzz', 'act', 'aaa', 'at', 'tea'], words) == ('tea', 'cat', 'act', "
        "'at', 'zzz', 'aaa')"
    )
    assert build(rule, data=ORDERED).model.constraints == ()
    assert (
        build("by_rarity(['tea', 'cat'], words) == ('tea', 'cat')", data=SORTED).model.constraints
        == ()
    )


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("by_rarity([1], words) == ()", "expected words to sort by rarity, got (1)"),
        ("by_rarity([w], words) == ()", "a word cannot depend on an unknown"),
        (
            "by_rarity(['tea'], 'tea') == ()",
            "expected a lexicon to look up the rarity in, got 'tea'",
        ),
        ("rarity('tea', 'tea') == 0", "expected a lexicon to look up the rarity in, got 'tea'"),
        ("rarity(3, words) == 0", "expected a word or a row of its letters, got 3"),
        ("rarity((), words) == 0", "expected a word or a row of its letters"),
        ("rarity(x, words) == 0", "expected a word or a row of its letters"),
        ("succession('tea', 'cup', 'tea') == 0", "expected the lexicon of the words, got 'tea'"),
        ("succession('tea', 3, words) == 0", "expected a word or a row of its letters, got 3"),
        (
            "rarity('tea', sorted_words) == 0",
            "the lexicon these words does not say which of its words are common",
        ),
    ],
)
def test_what_has_no_rarity_is_told(rule: str, message: str) -> None:
    assert (
        message
        in refusal(rule, data=f"{ORDERED}\n{SORTED.replace('words', 'sorted_words', 1)}").message
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_ranks_words(backend: str) -> None:
    ranked = found(puzzle().solve(backend=backend, rank="common"))
    assert sorted(ranked) == sorted((a, b, RARE[a] + 2 * RARE[b]) for a in RARE for b in RARE)
    assert [value for *_, value in ranked] == sorted(value for *_, value in ranked)
    worst = puzzle().best("rare", backend=backend)
    assert worst is not None and ("".join(worst["letter"]), worst["other"]) == ("tea", "eat")


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_holds_words_to_their_rarity(backend: str) -> None:
    rule = (
        "few are so common: rarity(letter, words) + rarity(other, words) <= 20 "
        "and rarity(letter, words) > 0"
    )
    wanted = sorted((a, b) for a in RARE for b in RARE if RARE[a] + RARE[b] <= 20 and RARE[a] > 0)
    assert sorted((a, b) for a, b, _ in found(puzzle(rule=rule).solve(backend=backend))) == wanted


def test_the_goal_that_ranks_is_no_default() -> None:
    ranked, plain = puzzle(), puzzle(rank="")
    assert ranked.goal(None) is None and ranked.model.goal is None
    assert plain.goal(None) is plain.goal("common") is plain.model.goal
    best = ranked.best()
    assert best is not None and ("".join(best["letter"]), best["other"]) == ("tea", "tea")
    assert [
        run.rank is not None
        for run in (
            ranked.run(Query(limit=1)),
            plain.run(Query(limit=1)),
            ranked.run(Query(Task.OPTIMISE, 1, "rare")),
        )
    ] == [
        True,
        False,
        False,
    ]


def test_a_lexicon_without_an_order_has_no_such_goal() -> None:
    unordered = puzzle(SORTED)
    run = unordered.run(Query())
    assert len(list(run)) == 16
    assert (run.rank, run.unordered) == (
        None,
        "the lexicon these words does not say which of its words are common",
    )
    with pytest.raises(
        InputError,
        match="pair has no goal common with these words: the lexicon these words does not say",
    ):
        list(unordered.solve(rank="common"))


def test_rank_names_a_goal() -> None:
    text = PAIR.format(words=ORDERED, rule="any: letter[0] == letter[0]", rank="rank: commn")
    (problem,) = problems_of(text)
    assert (problem.message, problem.help) == ("there is no goal commn", "did you mean common?")


class Slow(ExactCover):
    """A backend that finds no best solution in time."""

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.task is not Task.OPTIMISE:
            yield from super().run(model, query, budget)
            return
        yield next(super().run(model, Query(), budget))
        while True:
            budget.check()


def slow(query: Query, timeout: float | None = None) -> Run:
    run = puzzle(rule="linked: rarity(other, words) + rarity(letter, words) < 40").run(
        query, timeout=timeout
    )
    run.solver = LoweredSolver(Slow())
    return run


@pytest.mark.parametrize("everything", [True, False])
@replaced(sorted_solutions=0, ranking_seconds=0.2)
def test_an_order_that_nobody_asked_for_is_given_up(everything: bool) -> None:
    run = slow(Query(limit=None if everything else 5))
    assert len(list(run)) == (15 if everything else 5)
    assert (run.status, run.counted, run.rank) == ("complete", everything, None)
    assert run.unordered == "no first solution within 0.2 seconds; use rank common to wait for it"


@pytest.mark.parametrize("rank", [None, "common"])
@replaced(sorted_solutions=0)
def test_the_best_so_far_is_given_when_the_time_is_up(rank: str | None) -> None:
    run = slow(QueryOptions(limit=5, rank=rank).query(), 0.3)
    assert len(list(run)) == 1
    assert (run.status, str(run.reason), run.counted) == (
        "stopped",
        "the time is up during search",
        False,
    )
