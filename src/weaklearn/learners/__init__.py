"""Learners: from a dataset, weights and parameters to a model.

Each has a function ``grow``, which all share but for what is said there:

``grow(dataset, weights, parameters, n_threads=1)``
    ``dataset`` is the encoded training set; ``weights`` has a number per row, taken as counts, and
    rows of weight 0 are absent; ``parameters`` maps each name of the learner's ``PARAMETERS`` to a
    value that was checked; threads change nothing but the time. It gives the graph, trained.
"""
