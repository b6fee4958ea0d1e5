#include "graph/forest_bitwise.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

namespace weaklearn::graph {

std::size_t Forest::Bitwise::nbytes() const {
  return thresholds_.size() * 8 + unions_.size() * sizeof(Union) + parts_.size() * 4 +
         members_.size() * sizeof(Member) + steps_.size() * (sizeof(SetStep) + 4) + ends_.size() * 4 +
         groups_.size() * sizeof(LabelledSets) + shares_of_end_.size() * 4 + shares_.size() * sizeof(Shares) +
         more_shares_.size() * sizeof(ClassShare);
}

// Does the same for a column of a dataset, whose values ascend with their codes.
bool Forest::Bitwise::find_codes_of_encoded(const UsedColumn& used, const data::Column& column, const Block& block,
                                            std::uint32_t* codes) const {
  bool all_known = true;
  const std::span thresholds(thresholds_.data() + used.first_threshold, used.n_thresholds);
  std::visit(
      [&](const auto& of_rows) {
        for (std::uint32_t i = 0; i < block.n_rows; ++i) {
          const std::uint32_t code = of_rows[block.first_row + i];
          const bool known = code < column.n_codes;
          all_known = all_known && known;
          codes[i] = !known ? used.n_codes
                     : column.nominal
                         ? code
                         : static_cast<std::uint32_t>(std::ranges::lower_bound(thresholds, column.values[code]) -
                                                      thresholds.begin());
        }
      },
      column.codes);
  return all_known;
}

// Writes the ranks or nominal codes of a block; n_codes where the value is missing. Returns whether all are known.
bool Forest::Bitwise::find_codes(const UsedColumn& used, const InputColumn& column, const Block& block,
                                 std::uint32_t* codes) const {
  bool all_known = true;
  if (column.encoded != nullptr) return find_codes_of_encoded(used, *column.encoded, block, codes);
  if (used.n_thresholds == 0) {
    for (std::uint32_t i = 0; i < block.n_rows; ++i) {
      codes[i] = std::min(static_cast<std::uint32_t>(column.codes[block.first_row + i]), used.n_codes);
      all_known = all_known && codes[i] < used.n_codes;
    }
    return all_known;
  }
  const double* const first = thresholds_.data() + used.first_threshold;
  for (std::uint32_t i = 0; i < block.n_rows; ++i) {
    const double value = column.numbers[block.first_row + i];
    const double* from = first;
    for (std::uint32_t n = used.n_thresholds; n > 1;) {
      const std::uint32_t half = n / 2;
      from += half * static_cast<std::uint32_t>(value > from[half - 1]);
      n -= half;
    }
    const auto rank = static_cast<std::uint32_t>(from - first) + static_cast<std::uint32_t>(value > *from);
    const bool known = !std::isnan(value);
    codes[i] = known ? rank : used.n_codes;
    all_known = all_known && known;
  }
  return all_known;
}

void Forest::Bitwise::load(std::span<const InputColumn> columns, Block& block) const {
  block.all_known = true;
  block.leaf_of.resize(block.n_rows);
  block.conditions.assign(n_conditions_ + unions_.size(), RowSet());
  std::uint32_t codes[rows_per_set];
  for (const UsedColumn& used : columns_) {
    if (!find_codes(used, columns[used.column], block, codes)) block.all_known = false;
    RowSet* const conditions = block.conditions.data() + used.first_condition;
    insert_rows(codes, block.n_rows, conditions);
    // A row whose rank is r has a value above the first r thresholds.
    if (used.n_thresholds > 0) add_following(conditions + 1, used.n_thresholds);
  }
  for (std::size_t u = 0; u < unions_.size(); ++u)
    unite(block.conditions.data(), {parts_.data() + unions_[u].first_part, unions_[u].n_parts},
          block.conditions[n_conditions_ + u]);
}

// Takes the rows of a block to the ends of a member. Returns the sets of rows at the ends.
RowSet* Forest::Bitwise::find_ends(const Member& member, Block& block) const {
  const std::size_t n_sets = std::size_t{member.n_waiting} + member.n_ends;
  block.sets.resize(std::max(block.sets.size(), n_sets + 3));  // write_indices() needs three more
  RowSet* const sets = block.sets.data();
  RowSet& stopped = sets[n_sets - 1];
  stopped = RowSet();
  for (std::uint32_t w = 0; w < words_per_set; ++w) {
    const std::uint32_t n = std::clamp(block.n_rows, w * rows_per_word, (w + 1) * rows_per_word) - w * rows_per_word;
    sets[0].words[w] = n == rows_per_word ? ~Word{0} : (Word{1} << n) - 1;
  }
  const std::span steps(steps_.data() + member.first_step, member.n_steps);
  if (block.all_known)
    take_steps(steps, member.n_waiting - 1, block.conditions.data(), sets);
  else
    take_steps_or_stop(steps, {missing_.data() + member.first_step, member.n_steps}, member.n_waiting - 1,
                       block.conditions.data(), sets, stopped);
  return sets + member.n_waiting;
}

void Forest::Bitwise::find_leaves(std::uint32_t m, Block& block) const {
  const Member& member = members_[m];
  std::uint16_t indices[rows_per_set];
  write_indices(find_ends(member, block), member.n_ends, indices);
  const std::uint32_t* const ends = ends_.data() + member.first_end;
  for (std::uint32_t i = 0; i < block.n_rows; ++i) block.leaf_of[i] = ends[indices[i]];
}

void Forest::Bitwise::add_shares(std::uint32_t m, double vote, Block& block, double* scores) const {
  const Member& member = members_[m];
  std::uint16_t indices[rows_per_set];
  write_indices(find_ends(member, block), member.n_ends, indices);
  const std::uint32_t* const shares_of_end = shares_of_end_.data() + member.first_end;
  for (std::uint32_t i = 0; i < block.n_rows; ++i, scores += forest_.n_classes_) {
    const Shares& shares = shares_[shares_of_end[indices[i]]];
    // Adding a share of 0 changes nothing, and is faster than finding out that there is no second share.
    scores[shares.first[0].label] += vote * shares.first[0].share;
    scores[shares.first[1].label] += vote * shares.first[1].share;
    for (std::uint32_t k = 0; k < shares.n_more; ++k) {
      const ClassShare& more = more_shares_[shares.first_more + k];
      scores[more.label] += vote * more.share;
    }
  }
  if (!may_stop(block)) return;
  const std::uint32_t* const ends = ends_.data() + member.first_end;
  for (std::uint32_t i = 0; i < block.n_rows; ++i) block.leaf_of[i] = ends[indices[i]];
}

void Forest::Bitwise::find_labels(std::uint32_t m, Block& block, std::uint8_t* labels) const {
  const Member& member = members_[m];
  write_labels(find_ends(member, block), {groups_.data() + member.first_group, member.n_groups}, labels);
}

}  // namespace weaklearn::graph
