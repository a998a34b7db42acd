"""HTML views of characters, bytes, tokens and merges: functions from data to HTML, all text escaped in one place."""
from .base import Html, bars, box, card, columns, escape, label, mono, problem, short, small, strip, table
from .characters import ascii_table, code_point_table, encodings_table, rulers, rulers_card
from .encoding import contest, contest_card, encode_card, encode_state, merge_numbers, stream_card, stream_state
from .fences import fences_card, fences_state, merges_card, merges_state, patterns_card
from .merges import corpus_card, corpus_state, joining, merge_steps, top_merges, trace_table
from .ties import tie_state, ties_card
from .tokens import byte_ids_table, compare, compare_card, cuts_card, tokens_card
from .utf8 import byte_roles_table, bytes_card, cut, cut_card, inspect, misread_card, utf8_layout_table

__all__ = [
    "Html", "ascii_table", "bars", "box", "byte_ids_table", "byte_roles_table", "bytes_card", "card",
    "code_point_table", "columns", "compare", "compare_card", "contest", "contest_card", "corpus_card",
    "corpus_state", "cut", "cut_card", "cuts_card", "encode_card", "encode_state", "encodings_table", "escape",
    "fences_card", "fences_state", "inspect", "joining", "label", "merge_numbers", "merge_steps", "merges_card",
    "merges_state", "misread_card", "mono", "patterns_card", "problem", "rulers", "rulers_card", "short", "small",
    "stream_card", "stream_state", "strip", "table", "tie_state", "ties_card", "tokens_card", "top_merges",
    "trace_table", "utf8_layout_table",
]
