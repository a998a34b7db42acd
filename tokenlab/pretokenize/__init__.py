r"""Pre-tokenization: cut a text into chunks that no merge will cross (lesson 3).

A pattern is a regular expression whose alternatives are tried from left to right at each position; what one takes is
a chunk. The named patterns are the published ones, kept in `patterns` part by part, so that `explain` can say which
part of the pattern took a piece.
"""
from .counts import count_chunks, count_files
from .cut import NOT_COVERED, explain, split
from .expressions import compiled_parts
from .named import CUT, CUT_AT_BLANKS
from .patterns import PARTS, PATTERNS
from .stream import split_stream
