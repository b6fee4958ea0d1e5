"""The loops that learn committees: AdaBoost.M1, bagging, G2, with their samples and progress."""
