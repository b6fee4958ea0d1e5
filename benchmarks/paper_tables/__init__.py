"""Make the tables of docs/papers from the results of ``weaklearn reproduce``.

``weaklearn reproduce PAPER --out FOLDER``, then ``python -m benchmarks.paper_tables FOLDER``
"""
