// Greedy merging of children, for the rules "budget" and "width".
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "program/merge_rows.hpp"
#include "program/weighted_impurity.hpp"

namespace weaklearn::program {

// Merges pairs of groups, the pair that raises the weighted impurity least first. Ties go to the first pair, in the
// order of the first members of the groups. Each group has a lower bound of the rise of merging it with a later group.
// The bound is computed again only when it would decide: a group that is gone can only make the rise larger.
template <criteria::Criterion C>
class GreedyMerging {
 public:
  GreedyMerging(const WeightedImpurity<C>& impurity, std::vector<ClassWeights> children)
      : impurity_(impurity), weights_(std::move(children)) {
    for (std::uint32_t c = 0; c < weights_.size(); ++c) {
      groups_.push_back({c});
      of_.push_back(impurity_.of(weights_[c]));
      next_.push_back(c + 1);
    }
    least_.resize(weights_.size());
    exact_.resize(weights_.size());
    partner_of_.resize(weights_.size());
    n_groups_ = weights_.size();
    for (std::uint32_t i = 0; i < weights_.size(); ++i) compute_least(i);
  }

  std::size_t n_groups() const { return n_groups_; }

  // Finds the next pair and returns by how much merging it raises the weighted impurity.
  double next_rise() {
    double least = infinite;
    while (true) {
      std::uint32_t best = 0;
      least = infinite;
      for (std::uint32_t i = 0; i < end(); i = next_[i])
        if (least_[i] < least) {
          least = least_[i];
          best = i;
        }
      if (least == infinite || exact_[best]) break;
      compute_least(best);
    }
    for (first_ = 0;; first_ = next_[first_]) {
      if (least_[first_] <= least + impurity_noise && !exact_[first_]) compute_least(first_);
      if (least_[first_] <= least + impurity_noise) break;
    }
    for (second_ = next_[first_];; second_ = next_[second_])
      if (const double rise = rise_of(first_, second_); rise <= least + impurity_noise) return rise;
  }

  // Merges the pair that next_rise() found.
  void merge() {
    auto& group = groups_[first_];
    group.insert(group.end(), groups_[second_].begin(), groups_[second_].end());
    std::ranges::sort(group);
    for (std::size_t k = 0; k < weights_[first_].size(); ++k) weights_[first_][k] += weights_[second_][k];
    of_[first_] = impurity_.of(weights_[first_]);
    std::uint32_t before = first_;
    while (next_[before] != second_) before = next_[before];
    next_[before] = next_[second_];
    --n_groups_;
    for (std::uint32_t i = 0; i != first_; i = next_[i]) {
      if (const double rise = rise_of(i, first_); rise < least_[i]) {
        least_[i] = rise;
        partner_of_[i] = first_;
        exact_[i] = true;
      } else if (partner_of_[i] == first_ || partner_of_[i] == second_) {
        exact_[i] = false;
      }
    }
    for (std::uint32_t i = next_[first_]; i < second_ && i < end(); i = next_[i])
      if (partner_of_[i] == second_) exact_[i] = false;
    compute_least(first_);
  }

  Groups groups() const {
    Groups result;
    for (std::uint32_t i = 0; i < end(); i = next_[i]) result.push_back(groups_[i]);
    return result;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  std::uint32_t end() const { return static_cast<std::uint32_t>(weights_.size()); }
  double rise_of(std::uint32_t i, std::uint32_t j) const {
    return impurity_.rise(weights_[i], weights_[j], of_[i] + of_[j]);
  }
  void compute_least(std::uint32_t i) {
    least_[i] = infinite;
    exact_[i] = true;
    for (std::uint32_t j = next_[i]; j < end(); j = next_[j])
      if (const double rise = rise_of(i, j); rise < least_[i]) {
        least_[i] = rise;
        partner_of_[i] = j;
      }
  }

  const WeightedImpurity<C>& impurity_;
  std::vector<ClassWeights> weights_;  // per group, at the index of its first member
  Groups groups_;
  std::vector<double> of_;             // the weighted impurity of each group
  std::vector<std::uint32_t> next_;    // the next group
  std::vector<double> least_;          // a lower bound of the rise of merging it with a later group
  std::vector<std::uint32_t> partner_of_;
  std::vector<bool> exact_;            // whether the bound is the rise of merging it with its partner
  std::size_t n_groups_ = 0;
  std::uint32_t first_ = 0;            // the next pair
  std::uint32_t second_ = 0;
};

}  // namespace weaklearn::program
