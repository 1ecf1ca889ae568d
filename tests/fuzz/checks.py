"""What fuzzers in Python ask of an error's text."""

#: No message is longer, whatever was read.
LONGEST_MESSAGE = 2000


def check_message(text: str) -> None:
    """One line that prints, of bounded length."""
    assert 0 < len(text) <= LONGEST_MESSAGE, f"a message of {len(text)} characters: {text:.200}"
    assert text.isprintable(), f"a message that does not print: {text!r}"
