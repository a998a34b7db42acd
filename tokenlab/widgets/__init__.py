"""Widgets, one function each; every one returns an Explorer(controls, view, state)."""
from .explorer import Explorer
from .lesson0 import first_taste
from .lesson1 import byte_eraser, byte_inspector, four_rulers
from .lesson2 import merge_curve, merge_stepper, tie_switch
from .lesson3 import fence_chooser, fences_off
from .lesson4 import drop_by_drop, encode_stepper, replay_or_longest
from .lesson5 import em_scrubber, lattice, saddle
from .lesson6 import prune_rounds, prune_scatter
from .lesson7 import digit_ruler, what_the_model_sees
from .lesson8 import sampler, spaces
from .lesson9 import budget, price_of_language
from .lesson10 import race, your_own_text
