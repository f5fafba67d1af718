"""An example of each sentence, or several that show its optional segments."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from puzzlekit.sentences import reports as r, steps as s, verdicts as v
from puzzlekit.sentences.sentence import Phrase, Sentence

LOOP = "the lines make one closed loop"
ROWS = "every row holds each digit once"
ASIDE = v.GoalLeftOut("length")
ROW_1 = s.RuleName(ROWS, "row 1")
FOLLOWS = s.Follows("r1c2 is 3", (ROW_1,), "r1c1 is 1")
PAIR = v.RuleList((v.RuleItem("x is greater"), v.RuleItem("y is 3")))
BEST = r.WithBest("length", "12")
NOTE = "3 before"

SENTENCES: tuple[Sentence, ...] = (
    # Explanations
    ROW_1,
    s.RuleName("the sea hangs together"),
    s.RuleInParentheses(ROWS, "row 1"),
    s.PartAt("it neither ends nor forks", "+r1c2"),
    s.CluesAt("3 and 4", "r1c1"),
    s.NumberIn("clue 4", "row 2"),
    s.NumberAt("length 4", "r1c1–r1c3"),
    FOLLOWS,
    s.Follows("r1c2 is 3", (s.RuleName("givens stay"), ROW_1)),
    s.FollowsFromGraph(
        "r6c5 is sea", str(s.GraphReason.CUT_OFF), (s.RuleName("the sea hangs together"),)
    ),
    s.FollowsAtVertex(
        "there is no line at the top of r4c5",
        "there is no line at the top of r1c5",
        s.AtVertex.LOOP.about(1),
        (LOOP,),
    ),
    s.FollowsByTrial("r2c2 is 3", s.BrokenRules.BROKEN.about(1), (ROW_1,), "r1c1 is 1"),
    s.OnlyPlace("r4c4 is 7", "row 4", "7", "r4c1 is 8 and r6c1 is 7", ROWS),
    s.GroupHas("column 5", "1, 2 and 6"),
    s.NothingElseLeft(
        "r5c5 is 5", (s.GroupHas("column 5", "1 and 2"), s.GroupHas("row 5", "3")), ROWS
    ),
    s.GivenAndSo("r1c2 is sea", "r1c3 is land (islands do not touch)"),
    s.FactsByRules(
        "r6c5 is land", ("it would be cut off", s.RuleInParentheses("the sea hangs together"))
    ),
    s.BrokenBecause("they cannot meet", (s.RuleInParentheses("an island hangs together", "r5c6"),)),
    s.LeadsToContradiction(
        "there is a line on the right of r5c5",
        f"there is no line at the bottom of r5c5 ({LOOP})",
        s.RuleName("a clue counts the lines around its cell", "3 at r5c5"),
    ),
    s.WithMeaning(FOLLOWS, "r3c4 is sea", "a cell is sea or in one island"),
    s.LookAt("column 5"),
    s.NumberedStep(3, FOLLOWS),
    s.FullStop(FOLLOWS),
    s.NothingFollows(),
    s.StepsSolve("26 steps"),
    s.StepsSolve("26 steps", "that continues the marks"),
    s.StepsStuck("2 steps", "there are several solutions", ASIDE),
    s.StepsContradicted("1 step", rule="x is greater"),
    s.StepsStopped("4 steps", "the time is up"),
    # Boards and solutions
    ASIDE,
    v.GoalsLeftOut("length and width"),
    v.BreaksRule(f"{ROWS} (row 1)", "r1c3 and r1c4 are 4"),
    v.IsSolution(),
    v.RightSoFar(v.SolutionsLeft.LEFT.about(1)),
    v.RightSoFar(v.SolutionsLeft.LEFT.about(2), ASIDE),
    v.LeadsNowhere(v.AllOfThis.FACTS.about(2), "r1c3 is 2 and r1c4 is 5"),
    v.NeverPossible("r1c5 is 38", "r1c5 is 34, 35 or 36"),
    v.NoSolutionAtAll(),
    v.DrawnRight(),
    v.DrawnWrong(),
    v.NotCompared("the time is up"),
    v.OneSolution(),
    PAIR.rules[0],
    PAIR,
    v.NorThese(PAIR),
    v.ConflictingRules(v.CannotHold.RULES.about(2), PAIR),
    v.TwoSolutions("1 place", "x is 2", "x is 3", v.Decides("x is 2"), ASIDE),
    v.Decides("x is 2"),
    v.NoSolution(),
    v.NoSolution("x is greater"),
    v.OnlySolution(),
    v.AllSolutions(3),
    v.FirstSolutions(20),
    v.SearchStopped("the time is up"),
    v.NotFoundOut("the time is up"),
    v.SharedValues(12, 81),
    v.ThisIsOnlySolution(),
    v.OnlySolutionOfBoard(),
    v.StuckSteps(),
    v.FirstSteps("1,000 steps"),
    # Commands
    r.Ending("the only solution", "sat", "0.12"),
    r.Interrupted("stopped", "the time is up", r.SoFar("3 solutions")),
    r.SoFar("3 solutions"),
    r.Counted("3 solutions", BEST),
    BEST,
    r.Drawn("3 solutions"),
    r.Drawn("3 solutions", BEST),
    r.Optimal("length", "12", "3 solutions"),
    r.NoSolutionProven("x cannot be 3"),
    r.GoalExcludes("length"),
    r.AllRanked(r.every_solution(3), "rarity"),
    r.ThereAreMore("3 solutions"),
    r.FirstRanked("3 solutions", "rarity", "there are more"),
    r.LexiconsWere(r.Lexicons.WERE.about(1), "english (9,000 words)", "large"),
    r.Settled("3", "4", "?", r.NotSettled("2", "…"), BEST),
    r.NotSettled("2", "…"),
    r.NamedMembers("line", "true in some solutions", "r1c1–r1c2"),
    r.Expected("solutions 1", "2"),
    r.SizedBoard("answer", "9 cells", 2),
    r.NotAsExpected("answer", r.IsNot("r1c1", "3", "4"), "2 other items differ"),
    r.IsNot("r1c1", "3", "4"),
    r.ValidType("a valid type", "size", "x", "3 rules", ", run on 2 specs"),
    r.KeepsRules(),
    r.KeepsRules("length: 12", "the other solver reports that this is the best"),
    r.KeepRules("3"),
    r.PuzzlesDone("3", "9", "1 failed"),
    r.BatchRate(r.PuzzlesDone("3", "9"), "1.5/s", "4 s"),
    r.BatchEnd("9 puzzles", "out.jsonl", NOTE),
    r.GroupFound("sat, csp", "3", r.NotFoundBy("1", "z3")),
    r.NotFoundBy("1", "z3"),
    r.Compilation("compiled once"),
    r.Compilation("solved one by one", "the rules depend on the clues"),
    r.PartsLeft("2 independent parts"),
    r.Watching("type.yaml", "1 more file"),
    r.NumberOfTypes("240 types"),
    r.NoTypeFor("numbr", "did you mean number?"),
    r.GoalSoFar("length", 34, "at least", 31),
    r.GoalSoFar("worth", 812, "at most"),
    r.RowsWritten("rows.csv", "9 rows", (NOTE, "1 of loops not found")),
    r.SetIsShort("loops", 3, 5),
    r.SpokenCage(2, "14"),
    r.SpokenPiece("L"),
    r.SpokenPath(1, 2, 5),
    r.SpokenRegion(3),
)


def types_of(base: type[Sentence]) -> Iterator[type[Sentence]]:
    """Yield all types of sentences."""
    for sentence_type in base.__subclasses__():
        yield sentence_type
        yield from types_of(sentence_type)


# By module, then as they stand there: not in the order in which modules were imported.
SENTENCE_TYPES = sorted(types_of(Sentence), key=attrgetter("__module__"))
PHRASES: list[type[Phrase]] = sorted(Phrase.__subclasses__(), key=attrgetter("__module__"))
EXAMPLES: dict[type[Sentence], list[Sentence]] = {
    sentence_type: [example for example in SENTENCES if type(example) is sentence_type]
    for sentence_type in SENTENCE_TYPES
}
