// The rows of a node while a tree grows: which they are, what they weigh, and, per column of many
// values, the same rows by ascending value. A node owns a range; dividing a node divides the range in
// place, so that all nodes of a tree live in one store. Only where values are unknown, and a row goes
// down several branches at once, does a branch get a store of its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace weaklearn::data {

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

// Value and class travel with the row: looked up, each would be a cache miss.
struct Entry {
  float value;        // rounded, where the column is not of single precision
  std::uint32_t tag;  // row and class in one number
};

// How row and class share 32 bits: the row takes as many as the dataset needs, the class the rest.
class Tagging {
 public:
  Tagging() = default;
  explicit Tagging(const Dataset& dataset)
      : row_bits_(static_cast<std::uint32_t>(std::bit_width(std::max(dataset.n_rows, 2U) - 1))),
        fits_(row_bits_ < 32 && std::uint64_t{dataset.n_classes} <= std::uint64_t{1} << (32 - row_bits_)) {}

  bool fits() const { return fits_; }
  std::uint32_t row_bits() const { return row_bits_; }
  std::uint32_t tag(std::uint32_t row, std::int32_t class_number) const {
    return static_cast<std::uint32_t>(class_number) << row_bits_ | row;
  }
  std::uint32_t row(std::uint32_t tag) const { return tag & ((1U << row_bits_) - 1); }
  std::uint32_t class_of(std::uint32_t tag) const { return tag >> row_bits_; }

 private:
  std::uint32_t row_bits_ = 1;
  bool fits_ = false;
};

struct Store {
  std::vector<std::uint32_t> rows;
  std::vector<std::vector<Entry>> lists;  // one per listed column: known values, ascending, then rows
};

// A node's part of a store.
struct Part {
  std::shared_ptr<Store> store;
  Range rows;
  std::vector<Range> lists;

  std::span<std::uint32_t> row_span() const {
    return {store->rows.data() + rows.begin, rows.size()};
  }
  std::span<Entry> list_span(std::size_t list) const {
    return {store->lists[list].data() + lists[list].begin, lists[list].size()};
  }
};

// The whole training set: the rows present, and the lists of `columns` filtered to them.
Part whole_part(const Dataset& dataset, std::span<const std::uint32_t> columns,
                const std::vector<std::uint32_t>& present, parallel::Pool& pool);

// Stable division of a range into buckets by `bucket_of(element)`; tells where each bucket begins, and the
// end. What is in buckets from `n_wanted` on is lost. `scratch` must hold as many elements as the range. Where looking
// up a bucket waits for memory, `bucket_of.prefetch(element)` is told in time.
template <class Element, class BucketOf>
void divide(std::span<Element> range, std::uint32_t n_buckets, std::uint32_t n_wanted, BucketOf&& bucket_of,
            Element* scratch, std::vector<std::uint32_t>& starts) {
  starts.assign(n_buckets + 1, 0);
  if (n_buckets == 2) {  // the common case, without a counting pass and without a branch
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < range.size(); ++i) {
      if constexpr (requires { bucket_of.prefetch(range[i]); })
        if (i + looked_ahead < range.size()) bucket_of.prefetch(range[i + looked_ahead]);
      const Element element = range[i];
      const bool second = bucket_of(element) != 0;
      range[left] = element;
      scratch[right] = element;
      left += !second;
      right += second;
    }
    if (n_wanted == 2) std::copy(scratch, scratch + right, range.begin() + static_cast<std::ptrdiff_t>(left));
    starts[1] = static_cast<std::uint32_t>(left);
    starts[2] = static_cast<std::uint32_t>(left + right);
    return;
  }
  for (const Element& element : range) ++starts[bucket_of(element) + 1];
  for (std::uint32_t b = 0; b < n_buckets; ++b) starts[b + 1] += starts[b];
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Element& element : range) scratch[next[bucket_of(element)]++] = element;
  std::copy(scratch, scratch + range.size(), range.begin());
}

// A store of its own for one branch: its own rows together with those whose value is unknown.
Part joined(const Dataset& dataset, std::span<const std::uint32_t> columns, const Part& own, const Part& unknown);

// The same part of the dataset `from` in a store of its own, for the dataset `to` that holds its rows, which ascend.
Part renumbered(const Part& part, const Dataset& from, const Dataset& to);

}  // namespace weaklearn::data
