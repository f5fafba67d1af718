"""LZ-string, against two texts that the sites' own program compressed."""

import pytest
from hypothesis import given, strategies as st

from puzzlekit.errors import InputError
from puzzlekit.links.lz_string import compress, decompress

BOARD = (
    '{"size":4,"grid":[[{},{},{},{"value":1,"given":true}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]]}',
    "N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTQA3AQwBsBXOeARlTQkpgDsEAXDRkQC6yQhXHkRY8jOJSyC8UKFEgA=",
)


@pytest.mark.parametrize(("text", "data"), [("{}", "N4XyA==="), BOARD])
def test_known_texts(text: str, data: str) -> None:
    assert compress(text) == data
    assert decompress(data, 1000) == text


@given(
    st.text(
        alphabet=st.one_of(st.sampled_from("ab{}12"), st.characters(exclude_categories=["Cs"])),
        max_size=200,
    )
)
def test_what_is_compressed_is_read_back(text: str) -> None:
    assert decompress(compress(text), 1000) == text


@given(
    st.text(
        alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=! ", max_size=80
    )
)
def test_any_data_are_text_or_an_error(data: str) -> None:
    try:
        assert len(decompress(data, 500)) <= 500
    except InputError as error:
        assert "character" in str(error)


def test_a_place_and_a_bound() -> None:
    data = BOARD[1]
    with pytest.raises(
        InputError, match="character 21 of the data: the compressed text is cut off"
    ):
        decompress(data[:20], 1000)
    with pytest.raises(InputError, match="character 6 of the data: '!' is not base64"):
        decompress(data[:5] + "!" + data[6:], 1000)
    with pytest.raises(InputError, match="more than 1,000 characters"):
        decompress(compress("a" * 1_000_000), 1000)
