#include "program/merge_rows.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace weaklearn::program {
namespace {

using data::Entry;
using tree::DeferredNode;
using tree::OpenNode;

struct MergedRow {
  std::uint32_t row;
  double weight;
};

// Merges consecutive ascending runs, from `first` on, into one. `ends` has the end of each run.
template <class Element, class Before>
void merge_runs(std::vector<Element>& all, std::size_t first, std::vector<std::size_t> ends, const Before& before) {
  const auto at = [&](std::size_t position) { return all.begin() + static_cast<std::ptrdiff_t>(position); };
  while (ends.size() > 1) {
    std::vector<std::size_t> longer;
    std::size_t begin = first;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::size_t end = i + 1 < ends.size() ? ends[i + 1] : ends[i];
      std::inplace_merge(at(begin), at(ends[i]), at(end), before);
      longer.push_back(end);
      begin = end;
    }
    ends = std::move(longer);
  }
}

// Returns the rows of all children of a group, ascending, each of them once.
std::vector<MergedRow> rows_of(const std::vector<DeferredNode>& children, const std::vector<std::uint32_t>& group) {
  std::vector<MergedRow> merged;
  std::vector<std::size_t> ends;
  for (const std::uint32_t c : group) {
    const auto rows = children[c].open.node_rows.row_span();
    const std::vector<double>& weights = children[c].weights;
    for (std::size_t i = 0; i < rows.size(); ++i) merged.push_back({rows[i], weights.empty() ? 1.0 : weights[i]});
    ends.push_back(merged.size());
  }
  merge_runs(merged, 0, std::move(ends), [](const MergedRow& a, const MergedRow& b) { return a.row < b.row; });
  std::size_t n = 0;
  for (const MergedRow& row : merged) {
    if (n > 0 && merged[n - 1].row == row.row)
      merged[n - 1].weight += row.weight;
    else
      merged[n++] = row;
  }
  merged.resize(n);
  return merged;
}

void append_list(std::vector<Entry>& all, const std::vector<DeferredNode>& children,
                 const std::vector<std::uint32_t>& group, std::size_t list, const data::Column& column,
                 data::Tagging tagging) {
  const std::size_t first = all.size();
  std::vector<std::size_t> ends;
  for (const std::uint32_t c : group) {
    const auto entries = children[c].open.node_rows.list_span(list);
    all.insert(all.end(), entries.begin(), entries.end());
    ends.push_back(all.size());
  }
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.value != b.value) return a.value < b.value;
    const std::uint32_t row_a = tagging.row(a.tag);
    const std::uint32_t row_b = tagging.row(b.tag);
    if (!column.single_precision) {  // different values may be equal after rounding, but their codes differ
      const std::uint32_t code_a = code_of(column, row_a);
      const std::uint32_t code_b = code_of(column, row_b);
      if (code_a != code_b) return code_a < code_b;
    }
    return row_a < row_b;
  };
  merge_runs(all, first, std::move(ends), before);
  const auto last = std::unique(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                [&](const Entry& a, const Entry& b) { return a.tag == b.tag; });
  all.erase(last, all.end());
}

}  // namespace

std::vector<DeferredNode> merge_rows(const std::vector<DeferredNode>& children, const Groups& groups,
                                     const data::Dataset& dataset, bool unit, std::span<const std::uint32_t> columns,
                                     parallel::ThreadPool& pool) {
  const auto store = std::make_shared<data::RowStore>();
  store->lists.resize(columns.size());
  std::vector<DeferredNode> nodes;
  for (const std::vector<std::uint32_t>& group : groups) {
    const std::vector<MergedRow> rows = rows_of(children, group);
    OpenNode node = children[group.front()].open;
    node.node_rows.store = store;
    node.node_rows.rows.begin = static_cast<std::uint32_t>(store->rows.size());
    // Weights are kept even if all of them have become 1 again: those of the worker may be different by now. And such a
    // node does not count rows again, because its class weights are sums of shares, which are not exact.
    const bool weighted = std::ranges::any_of(group, [&](std::uint32_t c) { return !children[c].weights.empty(); });
    node.unit = unit && !weighted;
    std::vector<double> weights;
    for (const MergedRow& row : rows) {
      store->rows.push_back(row.row);
      if (weighted) weights.push_back(row.weight);
    }
    node.node_rows.rows.end = static_cast<std::uint32_t>(store->rows.size());
    nodes.emplace_back(std::move(node), std::move(weights));
  }
  const data::Tagging tagging(dataset);
  pool.for_each(static_cast<std::uint32_t>(columns.size()), [&](std::uint32_t l, std::uint32_t) {
    std::vector<Entry>& all = store->lists[l];
    for (std::size_t g = 0; g < groups.size(); ++g) {
      data::Range& range = nodes[g].open.node_rows.lists[l];
      range.begin = static_cast<std::uint32_t>(all.size());
      append_list(all, children, groups[g], l, dataset.columns[columns[l]], tagging);
      range.end = static_cast<std::uint32_t>(all.size());
    }
  });
  return nodes;
}

}  // namespace weaklearn::program
