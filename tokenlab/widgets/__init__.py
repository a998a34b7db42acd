"""Widgets, one function each; every one returns an Explorer(controls, view, state)."""
from .explorer import Explorer
from .lesson0 import first_taste
from .lesson1 import byte_eraser, byte_inspector, four_rulers
from .lesson2 import merge_curve, merge_stepper, tie_switch
from .lesson3 import fence_chooser, fences_off

__all__ = [
    "Explorer", "byte_eraser", "byte_inspector", "fence_chooser", "fences_off", "first_taste", "four_rulers",
    "merge_curve", "merge_stepper", "tie_switch",
]
