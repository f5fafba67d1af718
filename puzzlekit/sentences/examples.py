"""An example of each sentence, or several that show its optional segments."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from puzzlekit.sentences import areas as a, reports as r, steps as s, verdicts as v
from puzzlekit.sentences.sentence import Phrase, Sentence

LOOP = "the lines make one closed loop"
ROWS = "every row holds each digit once"
ASIDE = v.GoalLeftOut("length")
ROW_1 = s.RuleName(ROWS, "row 1")
TOUCH = s.RuleName("no two stars touch")
FOLLOWS = s.FollowsByRule("r1c2 is 3", (ROW_1,), "r1c1 is 1")
LINE = s.LineOfChain("r7c1 is 4", s.NothingElseThere())
LEFT = s.RemainingSum("12", "2 cells")
PAIR = v.RuleList((v.RuleItem("x is greater"), v.RuleItem("y is 3")))
BLAMED = v.BlamedClues(v.ClueChange.CLUES.about(1), "5 at r1c2")
BEST = r.WithBest("length", "12")
NOTE = "3 before"
NONE_LEFT = s.NoneLeft("shape", "for region B")
WOULD_LEAVE_NONE = s.WouldLeaveNone("the L at r1c1–r1c3 r2c1", "shape", "for region B")
ONLY_ONE_COVERS = s.OnlyOneCovers("r1c1–r1c3", "r1c1")
WITH_CUT = s.WithChoices("the I at r1c1–r1c4", "a part is cut off")
COVERED = s.CoveredByNone("r1c2 is unshaded", "shape", "it")
CORNER = "the upper right corner of r1c1"
AT_MOST_ONE = s.LinesAtVertex(
    "the 3 at r1c1", "at most one line", "its upper right corner", "where a line comes in"
)

ROOM = a.HasRoom("the 3 at r1c1", "has", "two cells")
TOUCHES = a.Touches("r1c2", "the 3 at r1c3")
COMPLETE = a.IsComplete("the 1 at r1c1", "is")
FAR = a.NotReached("the 3 at r3c4", "it")
CUT_OFF = a.IsCutOff("r1c1", "is")

SENTENCES: tuple[Sentence, ...] = (
    # Explanations
    ROW_1,
    s.RuleName("the sea hangs together"),
    s.PartAt(str(s.RulePart.AT_A_VERTEX), CORNER),
    s.AndSoOn("5 has 4 beside it"),
    s.TheClue("the 3 at r1c2"),
    s.CluesAt("3 and 4", "r1c1"),
    s.GroupAt("the cage of 17", "r1c3"),
    s.NumberIn("clue 4", "row 2"),
    s.NumberAt("length 4", "r1c1–r1c3"),
    s.LastOpenCell("r1c2 is 3", "row 1"),
    s.OnlyPlaceIn("r1c2 is 3", "3", "row 1"),
    s.OneOfTwoPlaces("2", "r1c3", "r2c4", "r1c3 is 2"),
    s.OnlyPlaceBetween("r1c2 is 3", "3", ends="2 (r1c1) and 5 (r2c3)"),
    s.OnlyPlaceBetween("r1c2 is 3", "3", end="2 (r1c1)"),
    s.OnlyOneLeftFor(
        "Ben is in house 3",
        "cleo is not in house 3 and ada is in house 1",
        (s.RuleName("plum is the right neighbour of cleo"),),
    ),
    s.OthersArePlaced("cleo is not in house 3"),
    s.OnlyCandidates("r1c2 and r1c4 are white", (ROW_1,)),
    s.OnlyValue("r1c2 is 3"),
    s.OnlyValueBeside("r1c2 is 3", "r1c1 is 2"),
    s.OnlyPosition(
        "the tree at r1c2 has its tent at r2c2", "it does not have its tent at r1c1 or r1c3"
    ),
    s.LineCanOnlyBe("column 1", "ASSET", "", "r3c1 is S", (s.RuleName("every run spells a word"),)),
    s.LineCanOnlyBe(
        "row 2", "2 1 3 4 or 1 2 3 4", "the 3 at the left of row 2", facts="r2c3 is 3 and r2c4 is 4"
    ),
    s.NoOtherPlace("there is a star at r1c2", "row 1", "one star"),
    s.GroupIsFull("there is no star at r1c2", "row 1", "two stars"),
    FOLLOWS,
    s.FollowsByRule("r1c2 is 3", (s.RuleName("givens stay"), ROW_1)),
    s.ClueSays("the 3 at r1c2", "r1c3 is shaded"),
    s.ClueSays("the 3 at r1c2", "r1c3 is shaded", "r2c2 is not shaded"),
    s.OnlyWayOn("there is a line right of r1c1", CORNER),
    s.OnlyPath("r1c1", "r1c1–r1c4–r3c4"),
    s.NoOtherWay("the line goes r1c1–r1c2 and r1c1–r2c1", "r1c1"),
    s.NoOtherWayAt("r1c1"),
    s.OnlyWaysOn(CORNER, "there are lines right of r1c1 and above r2c2"),
    s.WouldEndInTurn("there are no lines right of r1c1 and above r2c2", CORNER),
    s.TwoMeet("there is no line right of r1c1", CORNER),
    s.WouldEnd("there is no line right of r1c1", CORNER),
    s.LinesAtVertex("the 3 at r1c1", "at least one line", "its upper right corner"),
    AT_MOST_ONE,
    s.CountsAtVertices((AT_MOST_ONE,), "there are lines below and left of r1c1"),
    s.FollowsFromGraph(
        "r6c5 is sea", str(s.GraphReason.CUT_OFF), (s.RuleName("the sea hangs together"),)
    ),
    ROOM,
    COMPLETE,
    CUT_OFF,
    a.IsComplete("the 2s at r1c1 and r2c1", "are"),
    a.WouldMake("r1c1 and r1c3", "seven 5s"),
    a.RoomThere("two cells", "r1c2 and r1c3"),
    a.RoomThere("one cell", touching=str(TOUCHES)),
    TOUCHES,
    a.NeedsIt("the 3 at r1c1", "needs", "it"),
    a.NoneCanContain("island", "them"),
    a.PartAround("r1c1"),
    FAR,
    a.NoOtherRoom("the 3 at r1c1"),
    a.Without("it", CUT_OFF),
    a.AreJoined("seven 5s", "r1c1–r1c7"),
    a.ValuesAt("3s", "r1c1 and r1c2"),
    a.FollowsFromArea("r1c2 is not 1", COMPLETE),
    a.FollowsByExclusion("r1c2 is sea", "r1c1 is in the island of r2c1", str(FAR)),
    s.OtherwiseBroken("r1c2 is 3", ROOM),
    s.LineOfChain("r1c2 is sea", a.Without("it", CUT_OFF)),
    a.HasBeside("r1c2", "two stars"),
    a.NeedsBeside("r1c2", "a shaded cell"),
    a.OnlyPlaceBeside("r1c1 is shaded", "place left", "a shaded cell", "r1c2"),
    s.SumOfCell("r1c2 is 3", "the 18 at r1c3"),
    s.SumOfCell("r1c2 is 3", "the 18 at r1c3", "6"),
    s.SumCanOnlyBe("the 18 at r1c3", "3+9 or 4+8", "r3c3 is 3 or 4"),
    s.SumCanOnlyBe("the 18 at r1c3", "3+9 or 4+8", "r3c3 is 3 or 4", str(LEFT)),
    s.SumLeaves("the 18 at r1c3", str(LEFT), "r3c3 is not 9"),
    LEFT,
    s.RestOfSums("box 1", "adds", "45", "inside", "43", "r5c2 is 2"),
    s.RestOfSums(
        "boxes 1 and 2", "add", "90", "inside", "78", s.CellsAddUp("r5c2 and r5c3", "12", "3+9")
    ),
    s.CellsAddUp("r5c2 and r5c3", "12", facts="r5c2 is not 5"),
    s.CellOfSum("r5c2 is 5", "r5c2 and r5c3", "12"),
    s.RoomInOneGroup(
        "region D", "a star", "r6c2 and r6c4", "both", "row 6", "there is no star at r6c1"
    ),
    s.AllInOneGroup("box 3", "r2c7 and r2c9", "3", "both", "row 2", "r2c1 is not 3"),
    s.OneOfThese("r1c2 or r1c3 is shaded", "2 at r1c1", "r2c2 is not shaded", "none touch"),
    s.AllExclude("r2c2 is not shaded", 12, "every ship has its length"),
    s.CoveredByAll("r1c2 is shaded", "shape", "for region A", "it"),
    s.CoveredByAll("r1c2 is shaded", "shape", "for region A", "it", "r1c1 is unshaded"),
    s.CoveredByNone("r1c2 is unshaded", "shape", "it", "r1c1 is unshaded"),
    s.WhicheverIsRight("r1c2 is unshaded", "shape", "for region A", "r1c1 is unshaded"),
    s.WouldLeaveNone("the T at r1c1–r1c3 and r2c2", "shape", "for region B", "r1c4 is unshaded"),
    s.WhicheverIsRight("r1c2 is unshaded", "shape", "for region A"),
    s.CoveredByNone("r1c2 is unshaded", "shape", "it"),
    ONLY_ONE_COVERS,
    s.OnlyTheseCover((ONLY_ONE_COVERS, s.OnlyOneCovers("r2c1–r3c2", "r3c1"))),
    s.TakenCovers("r1c2 is shaded", "the L at r1c1–r1c3 r2c1", "it"),
    s.OnlyOption("the L at r1c1–r1c3 r2c1", "is"),
    s.OnlyOption("the L at r1c1–r1c3 r2c1", "is", "for region A", "r1c2 is shaded"),
    s.NoneCovers("shape", "it"),
    NONE_LEFT,
    s.ByRules(COVERED, "no block of two by two is shaded"),
    WOULD_LEAVE_NONE,
    WITH_CUT,
    s.ChoicesBreak("the T at r1c1–r1c3 r2c2", "no block of two by two is shaded"),
    s.AsRejected(COVERED, (WOULD_LEAVE_NONE, WITH_CUT)),
    s.Packed(
        "column 8",
        "two stars",
        "one at r1c8 and one at r3c8 or r4c8",
        "no two stars touch",
        "there is no star at r3c9",
    ),
    s.NeedsOneInEach(
        "region F", "two shaded cells", "one at r5c1 or r5c2 and one at r5c3 or r5c4", "none touch"
    ),
    s.NakedSet("r4c1 and r4c4", "5 or 8", "naked pair", "row 4", "r4c6 is not 5"),
    s.HiddenSet("", "r8c4 and r8c6", "5 and 7", "hidden pair", "r8c4 is 5 or 7"),
    s.HiddenSet("row 8", "r8c4 and r8c6", "5 and 7", "hidden pair", "r8c4 is 5 or 7"),
    s.UniqueRectangle("r1c2 is not 3 or 7", "3 and 7", "r1c2, r1c8, r2c2 and r2c8"),
    s.Fish("rows 2 and 6", "7", "columns 4 and 8", "X-wing", "r1c4 is not 7"),
    s.NowhereElse("columns 4 and 8"),
    s.NeedAllIn("regions A and B", "four stars", "rows 1 and 2", "there is no star at r1c9"),
    s.NeedAllIn("region A", "two stars", "rows 1 and 2", "there is no star at r1c9", "still "),
    s.OtherwiseBroken(
        "r2c4 is not 2", s.NoPlaceFor("row 3", "2"), "every box holds each digit once"
    ),
    s.OtherwiseChain("r2c1 is not 8", (LINE, LINE), s.NoValueLeft("r9c2")),
    s.OtherwiseChain("r2c1 is not 8", (LINE, LINE), s.NoValueLeft("r9c2"), "and", "XY-wing"),
    s.OtherwiseChain("there is no star at r1c1", (LINE,), TOUCH, "but"),
    s.OtherwiseLong("r2c1 is not 8", "4 lines", s.NoValueLeft("r9c2")),
    LINE,
    s.LineOfChain("r1c2 is 3", s.OnlyPlaceOf("column 2")),
    s.LineOfChain("r1c2 is shaded", s.GroupNeeds("region A", "two shaded cells")),
    s.LineOfChain("r1c2 is not shaded", s.GroupHasAll("region A", "two shaded cells")),
    s.LineOfChain("r1c2 is not 3", s.SumOf("r1c2 and r1c3")),
    s.LineOfChain("r1c2 is not 3", s.RuleInside(ROWS, "row 1")),
    s.SupposeChain("r2c1 is 8", (LINE, LINE), s.NoValueLeft("r9c2"), "r2c1 is not 8"),
    s.Supposed("r2c1 is 8"),
    s.LongChain("r2c1 is 8", "4 lines", s.NoValueLeft("r9c2"), "r2c1 is not 8"),
    s.LongTrial("r2c1 is 8", "14 lines", s.TwoValues("r9c2"), "r2c1 is not 8"),
    s.EitherWay("r1c1 or r1c2 is 3", "row 1", (s.BranchLeads("r1c1 is 3", (LINE,)),), "r7c1 is 4"),
    s.SearchRefutes("r1c2 is 3", ROWS),
    s.AndSo(FOLLOWS, "r1c3 is 4"),
    s.AndSo(FOLLOWS, "r1c3 is 4", s.WasOneOf("2 or 4")),
    s.BecauseOf(
        s.GroupsContain(
            "columns 1 and 2", "need", "four stars", "two", "region A", "r1c1", "holds", "two stars"
        ),
        FOLLOWS,
    ),
    s.GroupsAreCovered(
        "rows 1 and 2", "lie", "six stars", "four", "regions A to C", "r3c1", "holds", "two stars"
    ),
    s.HasTwice("row 1", "3"),
    s.TooFewValues("r4c2–r6c2", "1 and 2"),
    s.HasTooMany("row 1", "two stars"),
    s.NoRoomFor("row 1", "r1c1 and r1c2", "two stars", "no two stars touch"),
    s.NoRoomFor("the 2 at r4c3", "r3c4", "two mines"),
    s.NoRoomFor(
        "the 2 at r4c3", "r3c4 and r5c4", "two mines", clue="the 1 at r4c4", allowed="only one"
    ),
    s.CannotAddUp("the 18 at r1c3", "at most 17"),
    s.RuleBroken("there are stars at r1c1 and r1c2", TOUCH),
    s.ClueBroken("the 3 at r1c2"),
    s.ClueBroken("the 3 at r1c2", "a number counts the lamps beside it"),
    s.TooFewPlaces("the 3 at r1c2", "its three lamps"),
    s.TooFewPlaces("the 3 at r1c2", "its three lamps", "has only r1c1 and r1c3 left"),
    s.WouldRuleOut("there is no star at r2c4", "it", "r1c3–r1c5", "that row 1 has for a star"),
    s.GraphBroken("a part is cut off", TOUCH),
    s.RuleInside(ROWS, "row 1"),
    s.BranchLeads("r1c1 is 3", (LINE,)),
    s.GroupsContain(
        "columns 1 and 2", "need", "four stars", "two", "region A", "r1c1", "holds", "two stars"
    ),
    s.NothingElseThere(),
    s.WasOneOf("1 or 3"),
    s.WasOneOf("1 or 3", "1 is at r2c3"),
    s.OnlyOneLeft("3"),
    s.NoneHolds("none of tea, water and milk is in house 2"),
    s.OneOfMany(48, "words"),
    s.NumberBeside("4", "at the right of", "row 5"),
    s.ClueMissed("the 5 in column 2", "at most 4", "a clue counts the buildings that are seen"),
    s.OnlyPlaceOf("column 2"),
    s.GroupNeeds("region A", "two shaded cells"),
    s.GroupHasAll("region A", "two shaded cells"),
    s.OnlyWayFrom(CORNER),
    s.OnlyWaysFrom(CORNER),
    s.EndInTurn(CORNER),
    s.WithStrikers(s.CannotGoOn(CORNER), "the 1 at r1c1 has its line"),
    s.TwoMeetAt(CORNER),
    s.WouldEndAt(CORNER),
    s.CannotGoOn(CORNER),
    s.ThreeMeetAt(CORNER),
    s.WaysOut("r1c1", "has only one way"),
    s.CannotPass("r1c1"),
    s.CannotComeBack("r1c1–r2c2"),
    s.SumOf("r1c2 and r1c3"),
    s.NoValueLeft("r9c2"),
    s.TwoValues("r9c2"),
    s.NoPlaceFor("row 3", "2"),
    s.NoPlaceLeftFor("12"),
    s.OnlyPlaceForValue("12"),
    s.SoFacts("r1c2 is shaded"),
    s.LookAt("column 5"),
    s.NumberedStep(3, FOLLOWS),
    s.FullStop(FOLLOWS),
    s.NothingFollows(),
    s.StepsSolve("26 steps"),
    s.StepsSolve("26 steps", "that continues the marks"),
    s.StepsStuck("2 steps", "there are several solutions", ASIDE),
    s.StuckWithout("2 steps", "fish"),
    s.LookFor("row 2", "X-wing"),
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
    v.ConflictingRules(v.CannotHold.RULES.about(2), PAIR, (), BLAMED),
    BLAMED,
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
