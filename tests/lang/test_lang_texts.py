"""Texts and rows of symbols: split, words_in, replaced, stacked."""

import pytest

from tests.lang.languages import build, refusal

PLAIN = [
    "split((1, 0, 2, 3, 0), 0) == ((1,), (2, 3)) and split('as/it/is', '/') == ('as', 'it', 'is') and split('', 'a') == ()",
    "split('don\\'t', '\\'') == ('don', 't') and split('//', '/') == ()",
    "words_in('The End, \"again\"!') == ('the', 'end', 'again') and words_in('12 - ') == ()",
    "words_in('Don’t go: it\\'s the boys\\' ʼtwas') == ('don\\'t', 'go', 'it\\'s', 'the', 'boys', 'twas')",
    "words_in('Ääni ja ÖLJY') == ('ääni', 'ja', 'öljy')",
    "replaced('Xy, X-ä!', {'x': 'a', 'y': 'b'}) == 'Ab, A-ä!'",
    "[s for s in stacked('ab', (1, 2))] == [('a', 'b'), ('1', '2')]",
]


@pytest.mark.parametrize("rule", PLAIN)
def test_texts(rule: str) -> None:
    assert build(rule).model.constraints == ()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("split(x, 0) == ()", "the row to split cannot depend on an unknown"),
        ("words_in(3) == ()", "expected a text, got 3"),
        ("replaced('ab', 'cd') == ''", "expected a mapping from letters to what they stand for, got 'cd'"),
        ("replaced('ab', {'a': x[0]}) == ''", "what a letter stands for cannot depend on an unknown"),
        ("replaced('ab', x) == ''", "what a letter stands for cannot depend on an unknown"),
        ("len(stacked('ab', 'c')) == 2", "rows shown in columns must have the same length, got 2, 1"),
        ("len(stacked(x)) == 1", "a stacked row cannot depend on an unknown"),
    ],
)
def test_what_is_refused(rule: str, message: str) -> None:
    assert message in refusal(rule).message
