"""Slow, obvious Python versions of the algorithms; tests compare the compiled core with them."""
