"""Random models that are drawn once for several tests:
drawing one takes longer than most backends need to solve it.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

from puzzlekit.model import Model, Value
from tests.model.random_models import models, story, visible_solutions

Drawn = TypeVar("Drawn")
MODELS = models()


class Unfit(Exception):
    """A check does not apply to this model."""


def require_fit(condition: object) -> None:
    """Leave a check, as `assume` does, unless the condition holds."""
    if not condition:
        raise Unfit


@cache
def drawn(strategy: st.SearchStrategy[Drawn], number: int) -> list[Drawn]:
    """So many examples of a strategy: the same ones in each process,
    and in each test that asks for them.
    """
    found: list[Drawn] = []

    @seed(1)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def take(example: Drawn) -> None:
        found.append(example)

    take()
    return found


@cache
def solved(number: int) -> list[tuple[Model, set[tuple[Value, ...]]]]:
    """So many random models without a goal, with their solutions by plain search."""
    return [(model, visible_solutions(model)) for model in drawn(MODELS, number)]


def applies(model: Model, check: Callable[[], None]) -> bool:
    """Run a check, and return whether it applies to the model.

    Where it fails, the message shows the model.
    """
    try:
        check()
    except Unfit:
        return False
    except Exception as error:
        error.add_note(story(model))
        raise
    return True
