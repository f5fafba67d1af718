"""The encodings, by the examples of the notation and by reading back what was written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit.encodings import ENCODINGS, UNKNOWN, Cursor, EncodingError, Extent

_ = None


def read(name: str, text: str, extent: Extent) -> list[Any]:
    found = list(ENCODINGS[name].encoding.read(Cursor(text, 0, len(text)), extent))
    return [*found, *[None] * (extent.count - len(found))]


# worked examples: the encoding, the text, the size of the board, the values
EXAMPLES = [
    ("four_cell", "d7.bha", (4, 3), [3, _, _, 2, _, "?", 1, _, _, _, _, 0]),
    ("four_cell", "gbg2a", (3, 3), [_, 1, _, _, _, 2, 0, _, _]),
    ("number10", "2b5a.e0", (4, 3), [2, _, _, 5, _, "?", _, _, _, _, _, 0]),
    ("number16", "ch4g.k-10", (4, 3), [12, _, _, 4, _, "?", _, _, _, _, _, 16]),
    ("circle", "962", (3, 3), [1, _, _, _, 2, _, _, _, 2]),
    ("bits", "88", (3, 3), [_, 1, _, _, _, _, 1, _, _]),
    ("arrow", "42c+a10a2.", (3, 3), ["2e", _, _, _, "+", _, "0n", _, "?s"]),
    ("arrow", "c814", (4, 1), [_, _, _, "20w"]),
    ("castle", "10.a232a040a", (3, 2), [(1, _, _), _, (2, 3, 2), _, (0, 4, 0), _]),
    ("balance", "0g1ag9", (3, 2), [(1, _), _, (2, _), (1, 5), _, (2, 4)]),
    ("trees", "i4", (3, 2), [_, 1, _, _, _, _]),
    ("base36", "133.c2", (3, 2), [1, 3, 3, _, 12, 2]),
    ("three_signs", "1g2g3.", (3, 2), [1, _, 2, _, 3, "?"]),
    ("pipes", "ahgib", (3, 2), ["a", _, "g", _, _, "b"]),
    ("number10", "7b2a.", (3, 2), [7, _, _, 2, _, "?"]),
    ("sums", "22dc6c737c", (5, 5), [2, 2, 13, 12, 6, 12, 7, 3, 7, 12]),
]


@pytest.mark.parametrize("name, text, size, values", EXAMPLES)
def test_the_worked_examples_are_read_and_written(name: str, text: str, size: tuple[int, int], values: list[Any]) -> None:
    extent = Extent(*size, len(values))
    assert read(name, text, extent) == values
    assert ENCODINGS[name].encoding.write(values, extent) == text


def test_borders_are_edges_in_rows_then_between_rows() -> None:
    edges = [_, 1, 1, 1, _, 1, _, 1, _, 1, _, _]
    assert read("border", "ega0", Extent(3, 3, 12)) == edges
    assert ENCODINGS["border"].encoding.write(edges, Extent(3, 3, 12)) == "ega0"
    with pytest.raises(EncodingError, match="4 characters, but 3 are left"):
        read("border", "ega", Extent(3, 3, 12))


def test_dots_take_the_blanks_behind_them_along() -> None:
    places = [1, _, _, _, _, 2, _, _, _]
    assert read("dots", "8f", Extent(2, 2, 9)) == places
    assert ENCODINGS["dots"].encoding.write(places, Extent(2, 2, 9)) == "8f"


@pytest.mark.parametrize(
    "text, size, values",
    [
        (
            "l.m463h",
            (3, 2),
            [(_, _), (4, _), (6, _), (_, _), (_, 3), _, _, (_, _), (_, 17), _, _, _],
        ),
        ("m3-4Ea-", (2, 2), [(_, _), (4, _), (24, _), (_, 10), _, _, (_, _), _, (3, _)]),
    ],
)
def test_two_sums_have_the_rim_behind_the_cells(text: str, size: tuple[int, int], values: list[Any]) -> None:
    extent = Extent(*size, len(values))
    assert read("two_sums", text, extent) == values
    assert ENCODINGS["two_sums"].encoding.write(values, extent) == text


@pytest.mark.parametrize(
    "number, text",
    [
        *((15, "f"), (16, "-10"), (255, "-ff"), (256, "+100"), (4095, "+fff"), (4096, "=000"), (8191, "=fff")),
        *((8192, "@000"), (12239, "@fcf"), (12240, "*0000"), (77775, "*ffff"), (77776, "$00000")),
    ],
)
def test_numbers_have_a_prefix_for_their_digits(number: int, text: str) -> None:
    assert read("number16", text, Extent(1, 1, 1)) == [number]
    assert ENCODINGS["number16"].encoding.write([number], Extent(1, 1, 1)) == text


def test_the_old_prefix_of_numbers_is_read() -> None:
    assert read("number16", "%000", Extent(1, 1, 1)) == [8192]
    assert read("base36", "%1", Extent(2, 1, 2)) == [UNKNOWN, 1]


numbers = st.integers(0, 80_000) | st.just(UNKNOWN)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "four_cell": st.integers(0, 4) | st.just(UNKNOWN),
    "number10": st.integers(0, 9) | st.just(UNKNOWN),
    "number16": numbers,
    "circle": st.integers(1, 2),
    "bits": st.just(1),
    "trees": st.just(1),
    "base36": st.integers(0, 1295) | st.just(UNKNOWN),
    "three_signs": st.integers(1, 3) | st.just(UNKNOWN),
    "pipes": st.sampled_from("abcdefg"),
    "numbers_and_arrows": st.integers(1, 100) | st.sampled_from("abcde"),
    "arrow": st.builds("{}{}".format, st.integers(0, 4095) | st.just(UNKNOWN), st.sampled_from(["", *"nesw"])) | st.just("+"),
    "castle": st.tuples(st.integers(0, 2), st.integers(1, 4), st.integers(0, 4095)),
    "balance": st.tuples(st.integers(1, 2), st.integers(1, 2000) | st.none()),
    "dots": st.integers(1, 2),
}


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | VALUES[name], min_size=1, max_size=90))
    values += [None] * data.draw(st.integers(0, 60))
    extent = Extent(len(values), 1, len(values))
    assert read(name, ENCODINGS[name].encoding.write(values, extent), extent) == values


@pytest.mark.parametrize("name", ENCODINGS)
@settings(max_examples=25)
@given(text=st.text("0123456789abcdefgjkvwxyz.-+=@%*$/~Aé", max_size=30))
def test_any_text_is_read_or_refused_at_a_place_in_it(name: str, text: str) -> None:
    extent = Extent(4, 3, {"border": 17, "two_sums": 20}.get(name, 12))
    try:
        values = list(ENCODINGS[name].encoding.read(Cursor(text, 0, len(text)), extent))
    except EncodingError as error:
        assert 0 <= error.at <= len(text)
    else:
        assert len(values) <= max(extent.count, len(text))


@pytest.mark.parametrize(
    "name, value", [("four_cell", 5), ("number10", 10), ("number16", 77776 + 16**5), ("circle", 3), ("base36", 1296)]
)
def test_a_value_that_an_encoding_does_not_have_is_refused(name: str, value: int) -> None:
    with pytest.raises(EncodingError, match="cannot be written") as caught:
        ENCODINGS[name].encoding.write([None, value], Extent(2, 1, 2))
    assert caught.value.at == 1
