"""HTML views of characters, bytes, tokens and merges: functions from data to HTML, all text escaped in one place."""
from .base import Html, bars, box, card, columns, escape, mono, problem, small, strip, table
from .characters import ascii_table, code_point_table, encodings_table, rulers, rulers_card
from .cost import budget_card, budget_state, price_card, price_state
from .encoding import contest, contest_card, encode_card, encode_state, merge_numbers, stream_card, stream_state
from .fences import fences_card, fences_state, merges_card, merges_state, patterns_card
from .letters import digits_card, digits_state, letters_card, letters_state
from .merges import corpus_card, corpus_state, merge_steps, tie_state, ties_card, top_merges, trace_table
from .own import downloads, own_card, own_state
from .pieces import Refit, counts_card, lattice_card, lattice_state, loss_card, prune_steps, refit, rounds_card
from .sentencepiece import draws_card, draws_state, stages_card, stages_state
from .tokens import byte_ids_table, compare, compare_card, cuts_card, tokens_card
from .utf8 import byte_roles_table, bytes_card, cut, cut_card, inspect, misread_card, utf8_layout_table
from .writing import label, short
