"""Compare the speed of weaklearn with its peers: ``python -m benchmarks`` in the checkout."""
