"""How tokenization works: the package that the lessons import."""
