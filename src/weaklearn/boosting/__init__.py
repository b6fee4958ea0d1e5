"""The loops that learn committees: AdaBoost.M1, bagging and G2, with their samples and progress."""
