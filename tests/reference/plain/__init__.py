"""What a type means, in plain Python, written from docs/language.md:
it shares no code with the package.

The rules' texts are run by Python's own `eval` on each combination of values of the unknowns.
"""

from tests.reference.plain.evaluate import Interpreter

__all__ = ["Interpreter"]
