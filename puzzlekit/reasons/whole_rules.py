from puzzlekit.reasons.deductions import Deduction, Pattern


class WholeRules:
    def __init__(self, model, rest, cards, unknowns):
        self.rest = rest
        self.model = model
        self.memo = {}

    def silent(self, marks):
        return ()

    def deductions(self, marks):
        out = []
        for i in self.rest:
            key = (
                tuple(n for n in i.scope if n in marks.trail or -n in marks.trail)
                if not i.shape
                else len(marks.trail)
            )
            if self.memo.get(i.number, (None,))[0] != key:
                self.memo[i.number] = (key, list(i.inferences(marks.trail)))
            for inf in self.memo[i.number][1]:
                new = tuple(l for l in inf.literals if l not in marks.trail)
                if new:
                    out.append(
                        Deduction(
                            Pattern.ONE_RULE if not i.shape else Pattern.REACH,
                            2.2 if not i.shape else 2.4,
                            new,
                            instances=(i,),
                            reasons=inf.reasons,
                            graph_reason=inf.graph_reason,
                        )
                    )
        return out

    def consequences(self, trail, touched):
        return ()
