"""Pruning methods, one file each: the `Method` for the registry and the public function.

To add one, copy `first_rounds`, the shortest file, and add a line to `weaklearn.pruning.registry`.
"""
