"""How fast weaklearn is beside its peers: ``python -m benchmarks`` from the checkout."""
