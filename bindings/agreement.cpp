#include "graph/agreement.hpp"

#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph/powers.hpp"
#include "graph/vote_probabilities.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

nb::ndarray<nb::numpy, double, nb::ndim<1>> count_agreements(const Ints& classes, std::uint32_t n_members,
                                                             const Contiguous& weights, std::uint32_t n_threads) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release release;
    result = graph::count_agreements({classes.data(), classes.shape(0)}, n_members, {weights.data(), weights.shape(0)},
                                     n_threads);
  }
  return to_numpy(std::move(result));
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> powers(const Contiguous& numbers, std::uint32_t whole,
                                                   const SequenceOf<bool>& digits) {
  const std::vector<bool> binary = vector_of(digits);
  std::vector<double> result;
  {
    const nb::gil_scoped_release release;
    result = graph::powers({numbers.data(), numbers.shape(0)}, whole, binary);
  }
  return to_numpy(std::move(result));
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;  // rows and classes
using Row = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// Returns what is computed without the GIL.
template <class Compute>
Row computed(const Compute& compute) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release release;
    result = compute();
  }
  return to_numpy(std::move(result));
}

graph::Calibration calibration_of(std::uint32_t whole, const SequenceOf<bool>& digits, double total,
                                  const Contiguous& base_rates) {
  return {whole, vector_of(digits), total, {base_rates.data(), base_rates.data() + base_rates.shape(0)}};
}

Row vote_shares(const Table& votes) {
  return computed([&] { return graph::vote_shares({votes.data(), votes.size()}, votes.shape(1)); });
}

Row calibrated(const Table& shares, std::uint32_t whole, const SequenceOf<bool>& digits, double total,
               const Contiguous& base_rates) {
  const graph::Calibration calibration = calibration_of(whole, digits, total, base_rates);
  return computed([&] { return graph::calibrated({shares.data(), shares.size()}, calibration); });
}

Row vote_probabilities(const Table& votes, const Ints& winning) {
  return computed([&] {
    return graph::vote_probabilities({votes.data(), votes.size()}, votes.shape(1), {winning.data(), winning.shape(0)},
                                     {});
  });
}

Row calibrated_probabilities(const Table& votes, const Ints& winning, std::uint32_t whole,
                             const SequenceOf<bool>& digits, double total, const Contiguous& base_rates) {
  const graph::Calibration calibration = calibration_of(whole, digits, total, base_rates);
  return computed([&] {
    return graph::vote_probabilities({votes.data(), votes.size()}, votes.shape(1), {winning.data(), winning.shape(0)},
                                     calibration);
  });
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("count_agreements", &count_agreements, "classes"_a, "n_members"_a, "weights"_a, "n_threads"_a = 1,
        "The weight of the rows on which each two members agree; without weights their number.");
  m.def("powers", &powers, "numbers"_a, "whole"_a, "digits"_a,
        "The numbers to the power of an exponent: its whole part, and its binary digits, the last first.");
  m.def("vote_shares", &vote_shares, "votes"_a, "The votes as shares of all votes of the row.");
  m.def("calibrated", &calibrated, "shares"_a, "whole"_a, "digits"_a, "total"_a, "base_rates"_a,
        "Probabilities from shares of votes.");
  m.def("vote_probabilities", &vote_probabilities, "votes"_a, "winning"_a,
        "Probabilities from votes: their shares, with the largest of a row for its predicted class.");
  m.def("calibrated_probabilities", &calibrated_probabilities, "votes"_a, "winning"_a, "whole"_a, "digits"_a, "total"_a,
        "base_rates"_a, "The same with calibrated shares.");
}

}  // namespace weaklearn::bindings
