// The rows of a node while a tree grows: a list of rows and, for each column with many values, the same rows by
// ascending value. A node owns a range of a shared store. Splitting a node partitions its range in place, so all nodes
// of a tree use one store. A branch gets its own store only if values are missing and a row goes down several branches.
//
//     store:   [ row row row row row row row row row row ]
//     parent:  [------------------------------------------]
//     after:   [----- first child ----][-- second child --]      (order of rows within a child is kept)
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "parallel/prefetch.hpp"

namespace weaklearn::parallel {
class ThreadPool;
}

namespace weaklearn::data {

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

// An element of a sorted list. It holds value, row and class together: looking them up would be a cache miss each.
struct Entry {
  float value;  // rounded if the column is not in single precision
  std::uint32_t tag;  // row and class, packed
};

// Packs row and class into 32 bits. The row takes as many bits as the dataset needs, the class the remaining bits.
class Tagging {
 public:
  Tagging() = default;
  explicit Tagging(const Dataset& dataset)
      : row_bits_(static_cast<std::uint32_t>(std::bit_width(std::max(dataset.n_rows, 2U) - 1))),
        fits_(row_bits_ < 32 && std::uint64_t{dataset.n_classes} <= std::uint64_t{1} << (32 - row_bits_)) {}

  bool fits() const { return fits_; }
  std::uint32_t row_bits() const { return row_bits_; }
  std::uint32_t tag(std::uint32_t row, std::int32_t class_index) const {
    return static_cast<std::uint32_t>(class_index) << row_bits_ | row;
  }
  std::uint32_t row(std::uint32_t tag) const { return tag & ((1U << row_bits_) - 1); }
  std::uint32_t class_of(std::uint32_t tag) const { return tag >> row_bits_; }

 private:
  std::uint32_t row_bits_ = 1;
  bool fits_ = false;
};

struct RowStore {
  std::vector<std::uint32_t> rows;
  std::vector<std::vector<Entry>> lists;  // one per listed column: rows with a known value, by value, then by row
};

// The ranges of a store that belong to a node.
struct NodeRows {
  std::shared_ptr<RowStore> store;
  Range rows;
  std::vector<Range> lists;

  std::span<std::uint32_t> row_span() const { return {store->rows.data() + rows.begin, rows.size()}; }
  std::span<Entry> list_span(std::size_t list) const {
    return {store->lists[list].data() + lists[list].begin, lists[list].size()};
  }
};

// Returns the root's rows: the rows that are present, and the lists of `columns` restricted to them.
NodeRows root_rows(const Dataset& dataset, std::span<const std::uint32_t> columns, std::vector<std::uint32_t> present,
                   parallel::ThreadPool& pool);

// Memory that is written before it is read. It is not filled, because memory that is never written takes no space.
template <class Element>
class ScratchMemory {
 public:
  // Returns memory for n elements. What was written before is lost.
  Element* of_size(std::size_t n) {
    if (n > size_) {
      size_ = 0;
      memory_.reset();  // before more is taken
      memory_ = std::make_unique_for_overwrite<Element[]>(n);
      size_ = n;
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<Element[]> memory_;
  std::size_t size_ = 0;
};

// Partitions a range stably into buckets by `bucket_of(element)`. Writes the beginning of each bucket, and the end, to
// `starts`. Elements of the buckets from `n_wanted` on are lost. `scratch` must hold as many elements as the range. If
// `bucket_of.prefetch(element)` exists, it is called some steps before the bucket of that element is needed.
template <class Element, class BucketOf>
void partition(std::span<Element> range, std::uint32_t n_buckets, std::uint32_t n_wanted, BucketOf&& bucket_of,
               Element* scratch, std::vector<std::uint32_t>& starts) {
  starts.assign(n_buckets + 1, 0);
  if (n_buckets == 2) {  // the common case needs no counting pass and no conditional jump
    std::size_t n_first = 0;
    std::size_t n_second = 0;
    for (std::size_t i = 0; i < range.size(); ++i) {
      if constexpr (requires { bucket_of.prefetch(range[i]); })
        if (i + parallel::prefetch_distance < range.size()) bucket_of.prefetch(range[i + parallel::prefetch_distance]);
      const Element element = range[i];
      const bool second = bucket_of(element) != 0;
      range[n_first] = element;
      scratch[n_second] = element;
      n_first += !second;
      n_second += second;
    }
    if (n_wanted == 2) std::copy(scratch, scratch + n_second, range.begin() + static_cast<std::ptrdiff_t>(n_first));
    starts[1] = static_cast<std::uint32_t>(n_first);
    starts[2] = static_cast<std::uint32_t>(n_first + n_second);
    return;
  }
  for (const Element& element : range) ++starts[bucket_of(element) + 1];
  for (std::uint32_t b = 0; b < n_buckets; ++b) starts[b + 1] += starts[b];
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Element& element : range) scratch[next[bucket_of(element)]++] = element;
  std::copy(scratch, scratch + range.size(), range.begin());
}

// Merges the rows of a branch with the rows whose value is missing, in a new store.
NodeRows merge_missing_rows(const Dataset& dataset, std::span<const std::uint32_t> columns, const NodeRows& own,
                            const NodeRows& missing);

// Copies the rows of a node of the dataset `from` to a new store for the dataset `to`, which holds just these rows in
// ascending order.
NodeRows renumber_rows(const NodeRows& node_rows, const Dataset& from, const Dataset& to);

}  // namespace weaklearn::data
