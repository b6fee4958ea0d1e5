"""Slow, obvious Python versions of the algorithms: what the compiled core is compared with."""
