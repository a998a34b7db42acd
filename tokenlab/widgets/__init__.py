"""Widgets, one function each; every one returns an Explorer(controls, view, state)."""
from .explorer import Explorer
from .lesson0 import first_taste
from .lesson1 import byte_eraser, byte_inspector, four_rulers
from .lesson2 import merge_curve, merge_stepper, tie_switch

__all__ = ["Explorer", "byte_eraser", "byte_inspector", "first_taste", "four_rulers", "merge_curve", "merge_stepper",
           "tie_switch"]
