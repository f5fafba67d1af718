"""An example of each sentence, or several that show its optional segments."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from puzzlekit.sentences import (
    areas,
    chains,
    choices,
    conflicts,
    covers,
    reports,
    rules,
    steps,
    sums,
    verdicts,
    vertices,
)
from puzzlekit.sentences.sentence import Phrase, Sentence

LOOP = "the lines make one closed loop"
ROWS = "every row holds each digit once"
ASIDE = verdicts.GoalLeftOut("length")
ROW_1 = rules.RuleName(ROWS, "row 1")
TOUCH = rules.RuleName("no two stars touch")
FOLLOWS = steps.FollowsByRule("r1c2 is 3", (ROW_1,), "r1c1 is 1")
LINE = chains.LineOfChain("r7c1 is 4", chains.NothingElseThere())
LEFT = sums.RemainingSum("12", "2 cells")
PAIR = verdicts.RuleList((verdicts.RuleItem("x is greater"), verdicts.RuleItem("y is 3")))
BLAMED = verdicts.BlamedClues(verdicts.ClueChange.CLUES.about(1), "5 at r1c2")
BEST = reports.WithBest("length", "12")
NOTE = "3 before"
NONE_LEFT = choices.NoneLeft("shape", "for region B")
WOULD_LEAVE_NONE = choices.WouldLeaveNone("the L at r1c1–r1c3 r2c1", "shape", "for region B")
ONLY_ONE_COVERS = choices.OnlyOneCovers("r1c1–r1c3", "r1c1")
WITH_CUT = choices.WithChoices("the I at r1c1–r1c4", "a part is cut off")
COVERED = choices.CoveredByNone("r1c2 is unshaded", "shape", "it")
CORNER = "the upper right corner of r1c1"
AT_MOST_ONE = vertices.LinesAtVertex(
    "the 3 at r1c1", "at most one line", "its upper right corner", "where a line comes in"
)

EQUATION = sums.EquationOf("E + 0 + 1 = N", rules.RuleInside("column 3 adds up"))
ROOM = areas.HasRoom("the 3 at r1c1", "has", "two cells")
TOUCHES = areas.Touches("r1c2", "the 3 at r1c3")
COMPLETE = areas.IsComplete("the 1 at r1c1", "is")
FAR = areas.NotReached("the 3 at r3c4", "it")
CUT_OFF = areas.IsCutOff("r1c1", "is")

SENTENCES: tuple[Sentence, ...] = (
    # Explanations
    ROW_1,
    rules.RuleName("the sea hangs together"),
    rules.PartAt(str(rules.RulePart.AT_A_VERTEX), CORNER),
    rules.AndSoOn("5 has 4 beside it"),
    rules.TheClue("the 3 at r1c2"),
    rules.CluesAt("3 and 4", "r1c1"),
    rules.GroupAt("the cage of 17", "r1c3"),
    rules.NumberIn("clue 4", "row 2"),
    rules.NumberAt("length 4", "r1c1–r1c3"),
    steps.LastOpenCell("r1c2 is 3", "row 1"),
    steps.OnlyPlaceIn("r1c2 is 3", "3", "row 1"),
    steps.OnlyPlaceIn("r1c2 is 3", "3", "row 1", clues="the 1 above column 3"),
    steps.OnlyPlaceBetween("r1c2 is 3", "3", ends="2 (r1c1) and 5 (r2c3)"),
    steps.OnlyPlaceBetween("r1c2 is 3", "3", end="2 (r1c1)"),
    steps.OnlyPlaceBetween("r1c2 is 3", "3", next_to="4 (r1c3 or r2c3)"),
    steps.OnlyOpenBeside("only r1c2", "r1c3", "10 or 12"),
    steps.OnlyOpenBeside("no cell", "r1c3"),
    steps.OnlyOneLeftFor(
        "Ben is in house 3",
        "cleo is not in house 3 and ada is in house 1",
        (rules.RuleName("plum is the right neighbour of cleo"),),
    ),
    steps.OthersArePlaced("cleo is not in house 3"),
    steps.OnlyCandidates("r1c2 and r1c4 are white", (ROW_1,)),
    steps.OnlyCellOf("r3c4 is 1", "the 1 cage"),
    steps.OnlyCellOf("r3c4 is 1 and r4c1 is 2", "the 1 cage and the 2 cage", "have one cell each"),
    steps.GroupsHaveShare("row 1", "star"),
    steps.GroupsHaveShare("row 1 and column 3", "two stars", "have their"),
    steps.OnlyValue("r1c2 is 3"),
    steps.OnlyValueBeside("r1c2 is 3", "r1c1 is 2"),
    steps.OnlyValueBeside("r1c2 is 3", "r1c1 is 2", breach="4 at r1c2 would have no 5 beside it"),
    steps.OnlyPosition("the tree at r1c2 has its tent at r2c2", "cell"),
    steps.OnlyPosition("there is a tent at r2c2", "cell", "the tree at r1c2"),
    steps.LineCanOnlyBe(
        "column 1", "ASSET", "", "r3c1 is S", (rules.RuleName("every run spells a word"),)
    ),
    steps.LineCanOnlyBe(
        "row 2", "2 1 3 4 or 1 2 3 4", "the 3 at the left of row 2", facts="r2c3 is 3 and r2c4 is 4"
    ),
    steps.NoOtherPlace("there is a star at r1c2", "row 1", "one star"),
    steps.GroupIsFull("there is no star at r1c2", "row 1", "two stars"),
    FOLLOWS,
    steps.FollowsByRule("r1c2 is 3", (rules.RuleName("givens stay"), ROW_1)),
    steps.NeedsAll("r2c1–r2c5 are black", "row 2"),
    steps.HoweverItLies("r4c3 is black", "the 3 in row 4"),
    steps.ClueSays("the 3 at r1c2", "r1c3 is shaded"),
    steps.ClueSays("the 3 at the left of row 2", "r2c1 is not 6", otherwise="at most 2"),
    steps.FollowsByRule("r1c2 is 3", (rules.RuleName("givens stay"),), otherwise="at most 2"),
    steps.ClueSays("the 3 at r1c2", "r1c3 is shaded", "r2c2 is not shaded"),
    vertices.OnlyWayOn("there is a line right of r1c1", CORNER),
    vertices.OnlyWayOn("there is a line right of r1c1", line="the line above r1c1"),
    vertices.OnlyPath("r1c1", "r1c1–r1c4–r3c4"),
    vertices.NoOtherWay("the line goes r1c1–r1c2 and r1c1–r2c1", "r1c1"),
    vertices.NoOtherWayAt("r1c1"),
    vertices.OnlyWaysOn(CORNER, "there are lines right of r1c1 and above r2c2"),
    vertices.WouldEndInTurn("there are no lines right of r1c1 and above r2c2", CORNER),
    vertices.TwoMeet("there is no line right of r1c1", CORNER),
    vertices.WouldEnd("there is no line right of r1c1", CORNER),
    vertices.LinesAtVertex("the 3 at r1c1", "at least one line", "its upper right corner"),
    AT_MOST_ONE,
    vertices.CountsAtVertices((AT_MOST_ONE,), "there are lines below and left of r1c1"),
    steps.FollowsFromGraph(
        "r6c5 is sea", str(rules.GraphReason.CUT_OFF), (rules.RuleName("the sea hangs together"),)
    ),
    ROOM,
    COMPLETE,
    CUT_OFF,
    areas.TheLine("below r6c8"),
    areas.IsComplete("the 2s at r1c1 and r2c1", "are"),
    areas.WouldMake("r1c1 and r1c3", "seven 5s"),
    areas.RoomThere("they", "two cells", "r1c2 and r1c3"),
    areas.RoomThere("it", "one cell", touching=str(TOUCHES)),
    TOUCHES,
    areas.NeedsIt("the 3 at r1c1", "needs", "it"),
    areas.NoneCanContain("island", "them"),
    areas.ButNot("r1c1 belongs to the 3 at r1c2", "r2c1"),
    areas.NothingLeftFor("the 11"),
    areas.WouldNeed("the 11 at r9c5", "12"),
    areas.CornerOfBoard("top left"),
    areas.ThingsAround("white cells", "r1c1"),
    FAR,
    areas.NoOtherRoom("the 3 at r1c1"),
    areas.Without("it", CUT_OFF),
    areas.AreJoined("seven 5s", "r1c1–r1c7"),
    areas.ValuesAt("3s", "r1c1 and r1c2"),
    areas.FollowsFromArea("r1c2 is not 1", COMPLETE),
    areas.TwoReasons(
        areas.FollowsFromArea("r1c2 is sea", COMPLETE),
        areas.FollowsFromArea("r1c5 is sea", areas.NoneCanContain("island", "it")),
    ),
    areas.FollowsByExclusion("r1c2 is sea", "r1c1 is in the island of r2c1", str(FAR)),
    chains.OtherwiseBroken("r1c2 is 3", ROOM),
    chains.LineOfChain("r1c2 is sea", areas.Without("it", CUT_OFF)),
    areas.HasBeside("r1c2", "two stars beside it"),
    areas.EachHasBeside("r3c6 and r4c6", "their shaded neighbour"),
    areas.WouldHaveBeside("two stars beside it"),
    areas.WouldTouchBoth("r7c4", "r8c3"),
    areas.HasAllBeside("r1c3 is unshaded", "r1c2", "its shaded neighbour", "r2c2"),
    areas.NeedsBeside("r1c2", "a shaded neighbour"),
    areas.OnlyPlaceBeside("r1c1 is shaded", "place left", "a shaded cell", "r1c2"),
    sums.SumOfCell("r1c2 is 3", "the 18 at r1c3"),
    sums.SumOfCell("r1c2 is 3", "the 18 at r1c3", "6"),
    sums.SumCanOnlyBe("the 18 at r1c3", "3+9 or 4+8", "r3c3 is 3 or 4"),
    sums.SumCanOnlyBe("the 12 at r1c3", "3+9", "r3c3 is 9", given="r3c4 is 3 or 4"),
    sums.SumCanOnlyBe("the 18 at r1c3", "3+9 or 4+8", "r3c3 is 3 or 4", str(LEFT)),
    sums.SumLeaves("the 18 at r1c3", str(LEFT), "r3c3 is not 9"),
    LEFT,
    EQUATION,
    sums.EquationOf("3 + R + 0 = 12"),
    sums.SumsGive(EQUATION, sums.EquationOf("N + R + C = E + 10"), "R + C = 9"),
    sums.RestOfSums("box 1", "adds", "45", "inside", "43", "r5c2 is 2"),
    sums.RestOfSums(
        "boxes 1 and 2", "add", "90", "inside", "78", sums.CellsAddUp("r5c2 and r5c3", "12", "3+9")
    ),
    sums.CellsAddUp("r5c2 and r5c3", "12", facts="r5c2 is not 5"),
    sums.CellOfSum("r5c2 is 5", "r5c2 and r5c3", "12"),
    covers.RoomInOneGroup(
        "region D", "a star", "r6c2 and r6c4", "both", "row 6", "there is no star at r6c1"
    ),
    covers.AllInOneGroup("box 3", "r2c7 and r2c9", "3", "both", "row 2", "r2c1 is not 3"),
    covers.OneOfThese("r1c2 or r1c3 is shaded", "2 at r1c1", "r2c2 is not shaded", "none touch"),
    covers.AllExclude("r2c2 is not shaded", 12, "every ship has its length"),
    choices.CoveredByAll("r1c2 is shaded", "shape", "for region A", "it"),
    choices.CoveredByAll("r1c2 is shaded", "shape", "for region A", "it", "r1c1 is unshaded"),
    choices.CoveredByAll(
        "r1c2 is shaded", "shape", "for region A", "it", options="the I at r1c1–r1c4"
    ),
    choices.CoveredByNone("r1c2 is unshaded", "shape", "it", "r1c1 is unshaded"),
    choices.WhicheverIsRight("r1c2 is unshaded", "shape", "for region A", "r1c1 is unshaded"),
    choices.TooFewFor("(the fleet has 2 of length 3)"),
    choices.WouldLeaveNone(
        "the T at r1c1–r1c3 and r2c2", "shape", "for region B", "r1c4 is unshaded"
    ),
    choices.WouldLeaveNone(
        *("the L at r1c1–r1c3 r2c1", "shape", "for region B"),
        because=(choices.WithChoices("the L at r1c4–r3c4 and r3c5", "two Ls would touch"),),
    ),
    choices.WouldLeaveNone(
        *("the L at r1c1–r1c3 r2c1", "shape", "for region B", "r1c4 is unshaded"),
        further=(choices.WithChoices("the L at r1c5–r3c5 and r3c4", "two Ls would touch"),),
    ),
    choices.WhicheverIsRight("r1c2 is unshaded", "shape", "for region A"),
    choices.CoveredByNone("r1c2 is unshaded", "shape", "it"),
    ONLY_ONE_COVERS,
    choices.OnlyTheseCover((ONLY_ONE_COVERS, choices.OnlyOneCovers("r2c1–r3c2", "r3c1"))),
    choices.TakenCovers("r1c2 is shaded", "the L at r1c1–r1c3 r2c1", "it"),
    choices.GroupIsComplete("r1c2 is unshaded", "region B", "shape"),
    choices.SoOnlyOption(
        "the L at r1c1–r1c3 r2c1", "is", "for region A", "r1c2 is unshaded", "r2c1 is shaded"
    ),
    choices.ThenHolds("r2c7 is unshaded", chains.ElseBroken("r1c6–r2c7 would all be shaded")),
    choices.OnlyOption("the L at r1c1–r1c3 r2c1", "is"),
    choices.OnlyOption("the L at r1c1–r1c3 r2c1", "is", "for region A", "", "r1c2 is shaded"),
    choices.NoneCovers("shape", "it"),
    NONE_LEFT,
    choices.ByRules(COVERED, "no block of two by two is shaded"),
    WOULD_LEAVE_NONE,
    WITH_CUT,
    choices.ChoicesBreak("the T at r1c1–r1c3 r2c2", "no block of two by two is shaded"),
    choices.AsRejected(COVERED, (WOULD_LEAVE_NONE, WITH_CUT)),
    covers.Packed(
        "column 8",
        "two stars",
        "one at r1c8 and one at r3c8 or r4c8",
        "no two stars touch",
        "there is no star at r3c9",
    ),
    covers.NeedsOneInEach(
        "region F", "two shaded cells", "one at r5c1 or r5c2 and one at r5c3 or r5c4", "none touch"
    ),
    covers.NakedSet("r4c1 and r4c4", "5 or 8", "naked pair", "row 4", "r4c6 is not 5"),
    covers.HiddenSet("", "r8c4 and r8c6", "5 and 7", "hidden pair", "r8c4 is 5 or 7"),
    covers.HiddenSet(
        *("", "r1c2 and r2c1", "10 and 12", "hidden pair", "r1c2 and r2c1 are 10 or 12"),
        next_to="11 (r1c1)",
    ),
    covers.HiddenSet("row 8", "r8c4 and r8c6", "5 and 7", "hidden pair", "r8c4 is 5 or 7"),
    covers.HiddenSet(
        "",
        "r3c5 and r4c5",
        "34 and 39",
        "hidden pair",
        "r3c5 and r4c5 are 34 or 39",
        (rules.RuleName("34 has 35 beside it"),),
    ),
    covers.UniqueRectangle("r1c2 is not 3 or 7", "3 and 7", "r1c2, r1c8, r2c2 and r2c8"),
    covers.Fish("rows 2 and 6", "7", "columns 4 and 8", "X-wing", "r1c4 is not 7"),
    covers.NowhereElse("columns 4 and 8"),
    covers.NeedAllLeft("the 2 at r3c1 and the 3 at r8c3", "two mines", "there is no mine at r1c5"),
    covers.NeedAllIn("regions A and B", "four stars", "rows 1 and 2", "there is no star at r1c9"),
    covers.NeedAllIn("region A", "two stars", "rows 1 and 2", "there is no star at r1c9", "still "),
    chains.OtherwiseBroken(
        "r2c4 is not 2", conflicts.NoPlaceFor("row 3", "2"), "every box holds each digit once"
    ),
    chains.OtherwiseChain("r2c1 is not 8", (LINE, LINE), conflicts.NoValueLeft("r9c2")),
    chains.OtherwiseChain(
        "r2c1 is not 8", (LINE, LINE), conflicts.NoValueLeft("r9c2"), "and", "XY-wing"
    ),
    chains.OtherwiseChain("there is no star at r1c1", (LINE,), TOUCH, "but"),
    chains.OtherwiseAbove("r8c1 is white"),
    chains.AtTheEnd("r5c3–r5c5 would cross two borders"),
    chains.TrialOf("r5c5 is not 3", "r5c5 is 3"),
    chains.ChainProves("column 5 has no place for 4", "r5c5 is not 3"),
    chains.OtherwiseLong("r2c1 is not 8", conflicts.NoValueLeft("r9c2")),
    LINE,
    chains.LineOfChain("r1c2 is 3", chains.OnlyPlaceOf("column 2")),
    chains.LineOfChain("r1c2 is shaded", chains.GroupNeeds("region A", "two shaded cells")),
    chains.LineOfChain("r1c2 is not shaded", chains.GroupHasAll("region A", "two shaded cells")),
    chains.LineOfChain("r1c2 is not 3", sums.SumOf("r1c2 and r1c3")),
    chains.LineOfChain("r1c2 is not 3", rules.RuleInside(ROWS, "row 1")),
    chains.SupposeChain("r2c1 is 8", (LINE, LINE), conflicts.NoValueLeft("r9c2"), "r2c1 is not 8"),
    chains.Supposed("r2c1 is 8"),
    chains.LongChain("r2c1 is 8", conflicts.NoValueLeft("r9c2"), "r2c1 is not 8"),
    chains.LongTrial("r2c1 is 8", conflicts.TwoValues("r9c2"), "r2c1 is not 8"),
    chains.LongTrial("r2c1 is 8", "", "r2c1 is not 8", "Neither way works"),
    chains.AllAreThere("24 mines"),
    chains.BothWays("r1c3 or r1c4 is 5", "row 1"),
    chains.CaseFails(conflicts.NoValueLeft("r9c2"), "r2c1 is not 8"),
    chains.CaseFails(conflicts.NoValueLeft("r9c2"), "r2c1 is not 8", "neither way works, so"),
    chains.EitherWay(
        "r1c1 or r1c2 is 3", "row 1", (chains.BranchLeads("r1c1 is 3", (LINE,)),), "r7c1 is 4"
    ),
    chains.SearchRefutes("r1c2 is 3", ROWS),
    steps.AndSo(FOLLOWS, "r1c3 is 4"),
    steps.AndSo(FOLLOWS, "r1c3 is 4", chains.WasOneOf("2 or 4")),
    steps.BecauseOf(
        covers.GroupsContain(
            "columns 1 and 2", "need", "four stars", "two", "region A", "r1c1", "holds", "two stars"
        ),
        FOLLOWS,
    ),
    covers.GroupsAreCovered(
        "rows 1 and 2", "lie", "six stars", "four", "regions A to C", "r3c1", "holds", "two stars"
    ),
    conflicts.HasTwice("row 1", "3"),
    conflicts.TooFewValues("r4c2–r6c2", "1 and 2"),
    conflicts.HasTooMany("row 1", "two stars"),
    conflicts.NoRoomFor("row 1", "r1c1 and r1c2", "its two stars", "no two stars touch"),
    conflicts.NoRoomFor("the 2 at r4c3", "r3c4", "its two mines"),
    conflicts.NoRoomFor(
        "the 2 at r4c3", "r3c4 and r5c4", "two more mines", clue="the 1 at r4c4", allowed="only one"
    ),
    sums.CannotAddUp("the 18 at r1c3", "at most 17"),
    sums.CannotAddUp("the run of 15 down at r1c2", total="15"),
    sums.CannotAddUp("the run of 15 down at r1c2", total="15", facts="r3c2 is 3"),
    sums.RestOfSum("the run of 15 down at r1c2", sums.RemainingSum("7", "3 cells")),
    conflicts.RuleBroken("there are stars at r1c1 and r1c2", TOUCH),
    conflicts.WouldBreak("r1c1–r2c2 would all be sea"),
    conflicts.WouldBreak("there would be stars at r1c1 and r1c2", TOUCH),
    conflicts.ClueBroken("the 3 at r1c2"),
    conflicts.ClueBroken("the 3 at r1c2", "a number counts the lamps beside it"),
    conflicts.TooFewPlaces("the 3 at r1c2", "its three lamps"),
    conflicts.TooFewPlaces("the 3 at r1c2", "its three lamps", "has only r1c1 and r1c3 left"),
    chains.ElseBroken("r1c1–r1c5 would cross two borders"),
    conflicts.GraphBroken("a part is cut off", TOUCH),
    rules.RuleInside(ROWS, "row 1"),
    chains.BranchLeads("r1c1 is 3", (LINE,)),
    covers.GroupsContain(
        "columns 1 and 2", "need", "four stars", "two", "region A", "r1c1", "holds", "two stars"
    ),
    chains.LinesAgain("2–8", 93),
    chains.NothingElseThere(),
    chains.WasOneOf("1 or 3"),
    chains.OthersAreAt("1 or 3", "r2c3 is 1"),
    chains.OnlyOneLeft("3"),
    conflicts.NoneHolds("none of tea, water and milk is in house 2"),
    steps.OneOfMany(48, "words"),
    rules.NumberBeside("4", "at the right of", "row 5"),
    conflicts.ClueMissed(
        "the 3 at the left of row 4",
        "4",
        rows=conflicts.LineCouldOnlyBe("row 4", "1 3 5 6 2 4 or 2 3 5 6 1 4"),
    ),
    conflicts.LineCouldOnlyBe("row 4", "1 3 5 6 2 4"),
    conflicts.ClueMissed(
        "the 5 in column 2", "at most 4", "a clue counts the buildings that are seen"
    ),
    chains.OnlyPlaceOf("column 2"),
    chains.GroupNeeds("region A", "two shaded cells"),
    chains.GroupHasAll("region A", "two shaded cells"),
    vertices.OnlyWayFrom(CORNER),
    vertices.OnlyWayFrom(line="the line above r1c1"),
    vertices.OnlyWaysFrom(CORNER),
    vertices.EndInTurn(CORNER),
    chains.WithStrikers(vertices.CannotGoOn(CORNER), "the 1 at r1c1 has its line"),
    vertices.TwoMeetAt(CORNER),
    vertices.TwoLinesMeet(CORNER),
    vertices.WouldEndAt(CORNER),
    vertices.CannotGoOn(CORNER),
    vertices.LoopIsClosed(),
    vertices.SmallLoop("it would close a small loop", "around r1c2"),
    vertices.ThreeMeetAt(CORNER),
    vertices.WaysOut("r1c1", "has only one way"),
    vertices.DeadEnd("r1c1"),
    vertices.CannotPass("r1c1"),
    vertices.CannotComeBack("r1c1–r2c2"),
    sums.SumOf("r1c2 and r1c3"),
    conflicts.NoValueLeft("r9c2"),
    conflicts.TwoValues("r9c2"),
    conflicts.NoPlaceFor("row 3", "2"),
    conflicts.NoPlaceFor("row 3", "2", "r3c4 and r3c6"),
    conflicts.NoPlaceLeftFor("12"),
    chains.OnlyPlaceForValue("12"),
    steps.SoFacts("r1c2 is shaded"),
    steps.LookAt("column 5"),
    steps.NumberedStep(3, FOLLOWS),
    steps.FullStop(FOLLOWS),
    steps.NothingFollows(),
    steps.StepsSolve("26 steps"),
    steps.StepsSolve("26 steps", "that continues the marks"),
    steps.StepsStuck("2 steps", "there are several solutions", ASIDE),
    steps.StuckWithout("2 steps", "fish"),
    steps.LookFor("row 2", "X-wing"),
    steps.StepsContradicted("1 step", rule="x is greater"),
    steps.StepsStopped("4 steps", "the time is up"),
    # Boards and solutions
    ASIDE,
    verdicts.GoalsLeftOut("length and width"),
    verdicts.BreaksRule(f"{ROWS} (row 1)", "r1c3 and r1c4 are 4"),
    verdicts.BreaksRule(str(TOUCH), "r1c3 is shaded", "r1c4 is shaded"),
    verdicts.IsSolution(),
    verdicts.RightSoFar(verdicts.SolutionsLeft.LEFT.about(1)),
    verdicts.RightSoFar(verdicts.SolutionsLeft.LEFT.about(2), ASIDE),
    verdicts.LeadsNowhere(verdicts.AllOfThis.FACTS.about(2), "r1c3 is 2 and r1c4 is 5"),
    verdicts.NeverPossible("r1c5 is 38", "r1c5 is 34, 35 or 36"),
    verdicts.NoSolutionAtAll(),
    verdicts.DrawnRight(),
    verdicts.DrawnWrong(),
    verdicts.NotCompared("the time is up"),
    verdicts.OneSolution(),
    PAIR.rules[0],
    PAIR,
    verdicts.NorThese(PAIR),
    verdicts.ConflictingRules(verdicts.CannotHold.RULES.about(2), PAIR),
    verdicts.ConflictingRules(verdicts.CannotHold.RULES.about(2), PAIR, (), BLAMED),
    BLAMED,
    verdicts.TwoSolutions("1 place", "x is 2", "x is 3", verdicts.Decides("x is 2"), ASIDE),
    verdicts.Decides("x is 2"),
    verdicts.NoSolution(),
    verdicts.NoSolution("x is greater"),
    verdicts.OnlySolution(),
    verdicts.AllSolutions(3),
    verdicts.FirstSolutions(20),
    verdicts.SearchStopped("the time is up"),
    verdicts.NotFoundOut("the time is up"),
    verdicts.SharedValues(12, 81),
    verdicts.ThisIsOnlySolution(),
    verdicts.OnlySolutionOfBoard(),
    verdicts.StuckSteps(),
    verdicts.FirstSteps("1,000 steps"),
    # Commands
    reports.Ending("the only solution", "sat", "0.12"),
    reports.Interrupted("stopped", "the time is up", reports.SoFar("3 solutions")),
    reports.SoFar("3 solutions"),
    reports.Counted("3 solutions", BEST),
    BEST,
    reports.Drawn("3 solutions"),
    reports.Drawn("3 solutions", BEST),
    reports.Optimal("length", "12", "3 solutions"),
    reports.NoSolutionProven("x cannot be 3"),
    reports.GoalExcludes("length"),
    reports.AllRanked(reports.every_solution(3), "rarity"),
    reports.ThereAreMore("3 solutions"),
    reports.FirstRanked("3 solutions", "rarity", "there are more"),
    reports.LexiconsWere(reports.Lexicons.WERE.about(1), "english (9,000 words)", "large"),
    reports.Settled("3", "4", "?", reports.NotSettled("2", "…"), BEST),
    reports.NotSettled("2", "…"),
    reports.NamedMembers("line", "true in some solutions", "r1c1–r1c2"),
    reports.Expected("solutions 1", "2"),
    reports.SizedBoard("answer", "9 cells", 2),
    reports.NotAsExpected("answer", reports.IsNot("r1c1", "3", "4"), "2 other items differ"),
    reports.IsNot("r1c1", "3", "4"),
    reports.ValidType("a valid type", "size", "x", "3 rules", ", run on 2 specs"),
    reports.KeepsRules(),
    reports.KeepsRules("length: 12", "the other solver reports that this is the best"),
    reports.KeepRules("3"),
    reports.PuzzlesDone("3", "9", "1 failed"),
    reports.BatchRate(reports.PuzzlesDone("3", "9"), "1.5/s", "4 s"),
    reports.BatchEnd("9 puzzles", "out.jsonl", NOTE),
    reports.GroupFound("sat, csp", "3", reports.NotFoundBy("1", "z3")),
    reports.NotFoundBy("1", "z3"),
    reports.Compilation("compiled once"),
    reports.Compilation("solved one by one", "the rules depend on the clues"),
    reports.PartsLeft("2 independent parts"),
    reports.Watching("type.yaml", "1 more file"),
    reports.NumberOfTypes("240 types"),
    reports.NoTypeFor("numbr", "did you mean number?"),
    reports.GoalSoFar("length", 34, "at least", 31),
    reports.GoalSoFar("worth", 812, "at most"),
    reports.RowsWritten("rows.csv", "9 rows", (NOTE, "1 of loops not found")),
    reports.SetIsShort("loops", 3, 5),
    reports.CluesWithoutPartner("islands 2", 3, 8, "--symmetry rotate"),
    reports.SpokenCage(2, "14"),
    reports.SpokenPiece("L"),
    reports.SpokenPath(1, 2, 5),
    reports.SpokenRegion(3),
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
