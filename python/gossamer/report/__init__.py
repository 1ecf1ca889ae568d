"""One page of what runs left: JSON of commands and traces in, HTML that needs no network out.

The page needs the extra ``report`` (Jinja2 and Bokeh); reading what goes on it does not.
"""

from .inputs import Input, read_input
from .page import page

__all__ = ["Input", "page", "read_input"]
