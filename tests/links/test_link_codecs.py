"""The codecs of links: by the examples of the notation, and by reading back what was written."""

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.links.codecs import CODECS, codec
from puzzlekit.links.tokens import TOKENS, UNKNOWN, CodecError, Cursor, LayerSize

_ = None


NUMBER16, NUMBER10, ARROW = "runs g of hex | (.)", "runs a of digit | (.)", "runs a of arrow | (+)"
BASE36, CASTLE, BALANCE = "each . of base36 | (@%)", "runs a of (012) way+number", "runs g of hex/2"
SIGNS, PIPES, MAKARO = "runs g of (123.)", "runs h of (abcdefg.)", "runs g of decimal+1 | (abcde)"
TAPA = "runs g of counts"
SUMS, KAKURO, RIM = "each of base32", "runs k of sum sum", "each of sum"


def read(words: str, text: str, extent: LayerSize) -> list[Any]:
    found = list(codec(words).read(Cursor(text, 0, len(text)), extent))
    return [*found, *[None] * (extent.count - len(found))]


# worked examples: the encoding, the text, the size of the board, the values
EXAMPLES = [
    ("four_cell", "d7.bha", (4, 3), [3, _, _, 2, _, "?", 1, _, _, _, _, 0]),
    ("four_cell", "gbg2a", (3, 3), [_, 1, _, _, _, 2, 0, _, _]),
    (NUMBER10, "2b5a.e0", (4, 3), [2, _, _, 5, _, "?", _, _, _, _, _, 0]),
    (NUMBER16, "ch4g.k-10", (4, 3), [12, _, _, 4, _, "?", _, _, _, _, _, 16]),
    ("circle", "962", (3, 3), [1, _, _, _, 2, _, _, _, 2]),
    ("bits", "88", (3, 3), [_, 1, _, _, _, _, 1, _, _]),
    (ARROW, "42c+a10a2.", (3, 3), ["2e", _, _, _, "+", _, "0n", _, "?s"]),
    (ARROW, "c814", (4, 1), [_, _, _, "20w"]),
    (CASTLE, "10.a232a040a", (3, 2), [(1, _, _), _, (2, 3, 2), _, (0, 4, 0), _]),
    (BALANCE, "0g1ag9", (3, 2), [(1, _), _, (2, _), (1, 5), _, (2, 4)]),
    ("ones", "i4", (3, 2), [_, 1, _, _, _, _]),
    (BASE36, "133.c2", (3, 2), [1, 3, 3, _, 12, 2]),
    (SIGNS, "1g2g3.", (3, 2), [1, _, 2, _, 3, "?"]),
    (PIPES, "ahgib", (3, 2), ["a", _, "g", _, _, "b"]),
    (NUMBER10, "7b2a.", (3, 2), [7, _, _, 2, _, "?"]),
    (TAPA, "3ga6bn9.", (3, 2), ["3", _, "1?", "113", "1111", "?"]),
    (SUMS, "22dc6c737c", (5, 5), [2, 2, 13, 12, 6, 12, 7, 3, 7, 12]),
]


@pytest.mark.parametrize("name, text, size, values", EXAMPLES)
def test_the_worked_examples_are_read_and_written(
    name: str, text: str, size: tuple[int, int], values: list[Any]
) -> None:
    extent = LayerSize(*size, len(values))
    assert read(name, text, extent) == values
    assert codec(name).write(values, extent) == text


def test_borders_are_edges_in_rows_then_between_rows() -> None:
    edges = [_, 1, 1, 1, _, 1, _, 1, _, 1, _, _]
    assert read("border", "ega0", LayerSize(3, 3, 12)) == edges
    assert codec("border").write(edges, LayerSize(3, 3, 12)) == "ega0"
    with pytest.raises(CodecError, match="4 characters, but 3 are left"):
        read("border", "ega", LayerSize(3, 3, 12))


def test_dots_take_the_blanks_behind_them_along() -> None:
    places = [1, _, _, _, _, 2, _, _, _]
    assert read("dots", "8f", LayerSize(2, 2, 9)) == places
    assert codec("dots").write(places, LayerSize(2, 2, 9)) == "8f"


def test_pairs_of_sums_and_those_of_the_rim() -> None:
    cells = [_, _, (_, _), _, _, _]
    assert read(KAKURO, "l.m", LayerSize(3, 2, 6)) == cells
    assert codec(KAKURO).write(cells, LayerSize(3, 2, 6)) == "l.m"
    assert (
        read(KAKURO, "m3-", LayerSize(2, 2, 4))
        == read(KAKURO, "m30", LayerSize(2, 2, 4))
        == [_, _, _, (3, _)]
    )
    assert read(RIM, "463h", LayerSize(3, 2, 4)) == [4, 6, 3, 17]
    assert codec(RIM).write([4, 24, 10, _], LayerSize(2, 2, 4)) == "4Ea-"


@pytest.mark.parametrize(
    "number, text",
    [
        *(
            (15, "f"),
            (16, "-10"),
            (255, "-ff"),
            (256, "+100"),
            (4095, "+fff"),
            (4096, "=000"),
            (8191, "=fff"),
        ),
        *((8192, "@000"), (12239, "@fcf"), (12240, "*0000"), (77775, "*ffff"), (77776, "$00000")),
    ],
)
def test_numbers_have_a_prefix_for_their_digits(number: int, text: str) -> None:
    assert read(NUMBER16, text, LayerSize(1, 1, 1)) == [number]
    assert codec(NUMBER16).write([number], LayerSize(1, 1, 1)) == text


def test_the_old_prefix_of_numbers_is_read() -> None:
    assert read(NUMBER16, "%000", LayerSize(1, 1, 1)) == [8192]
    assert read(BASE36, "%1", LayerSize(2, 1, 2)) == [UNKNOWN, 1]


numbers = st.integers(0, 80_000) | st.just(UNKNOWN)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "four_cell": st.integers(0, 4) | st.just(UNKNOWN),
    NUMBER10: st.integers(0, 9) | st.just(UNKNOWN),
    NUMBER16: numbers,
    "circle": st.integers(1, 2),
    "bits": st.just(1),
    "ones": st.just(1),
    BASE36: st.integers(0, 1295) | st.just(UNKNOWN),
    SIGNS: st.integers(1, 3) | st.just(UNKNOWN),
    PIPES: st.sampled_from("abcdefg"),
    MAKARO: st.integers(1, 100) | st.sampled_from("abcde"),
    ARROW: st.builds(
        "{}{}".format, st.integers(0, 4095) | st.just(UNKNOWN), st.sampled_from(["", *"nesw"])
    )
    | st.just("+"),
    CASTLE: st.tuples(st.integers(0, 2), st.integers(1, 4), st.integers(0, 4095)),
    BALANCE: st.tuples(st.integers(1, 2), st.integers(1, 2000) | st.none()),
    "dots": st.integers(1, 2),
    SUMS: st.integers(0, 1023),
    KAKURO: st.tuples(st.none() | st.integers(1, 45), st.none() | st.integers(1, 45)),
    RIM: st.none() | st.integers(1, 45),
    TAPA: st.sampled_from(
        [*map(str, range(9)), "?", "1111", "51", "?5", "??", "311", "1?3", "1?11", "????"]
    ),
    "each . of operation": st.builds("{}{}".format, st.integers(0, 999), st.sampled_from("+-*/")),
    "each . of bracketed": st.integers(0, 9999),
    "numbers": st.integers(0, 999_999),
    "steps": st.just(1),
    "open steps": st.just(1),
    "coloured steps": st.integers(1, 2),
    "listed ,": st.integers(0, 999_999),
    "listed /": st.integers(0, 999_999),
}


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    blanks = st.nothing() if name == SUMS else st.none()
    values = data.draw(st.lists(blanks | VALUES[name], min_size=1, max_size=90))
    values += [None] * (0 if name == SUMS else data.draw(st.integers(0, 60)))
    extent = LayerSize(len(values), 1, len(values))
    assert read(name, codec(name).write(values, extent), extent) == values


@pytest.mark.parametrize("name", [*CODECS, *VALUES])
@settings(max_examples=25)
@given(text=st.text("0123456789abcdefgjkvwxyz.-+=@%*$/~Aé²", max_size=30))
def test_any_text_is_read_or_refused_at_a_place_in_it(name: str, text: str) -> None:
    has_edges = name in ("border", "blocks", "repeated blocks")
    extent = LayerSize(4, 3, 17 if has_edges else 12)
    try:
        values = list(codec(name).read(Cursor(text, 0, len(text)), extent))
    except CodecError as error:
        assert 0 <= error.index <= len(text)
    else:
        assert len(values) <= max(extent.count, len(text))


@pytest.mark.parametrize(
    "name, value",
    [("four_cell", 5), (NUMBER10, 10), (NUMBER16, 77776 + 16**5), ("circle", 3), (BASE36, 1296)],
)
def test_a_value_that_an_encoding_does_not_have_is_refused(name: str, value: int) -> None:
    with pytest.raises(CodecError, match="cannot be written") as caught:
        codec(name).write([None, value], LayerSize(2, 1, 2))
    assert caught.value.index == 1


@pytest.mark.parametrize(
    "words",
    [
        "",
        "runs",
        "runs g",
        "runs gg of hex",
        "runs g of",
        "runs g of hox",
        "each ab of hex",
        "each of hex | ",
    ],
)
def test_words_that_name_no_codec_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match=r"expected runs LETTER of TOKEN|there is no token"):
        codec(words)


@pytest.mark.parametrize("token", TOKENS)
def test_every_token_is_in_some_test(token: str) -> None:
    assert any(token in words.split() for words in VALUES)
