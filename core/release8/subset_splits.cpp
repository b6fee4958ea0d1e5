// Subset splits (option -s): the values of a nominal column are merged, pair by pair, into branches.
#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "release8/evaluate_splits.hpp"

namespace weaklearn::release8 {
namespace {

struct Score {
  float gain = unusable;
  float split_info = 0.0F;
  float value = 0.0F;
};

struct Pair {
  std::size_t into = 0;
  std::size_t from = 0;  // 0: no pair; blocks count from 1, as the outcomes of a table do
};

// Blocks of values are the outcomes 1 .. n_blocks_ of the table. During the search, two branches of weight 1 are
// enough; the true minimum only guides the merging.
class SubsetSearch {
 public:
  SubsetSearch(OutcomeTable& table, const GainBase& base, const Information& information,
               const SplitEvaluator& evaluator, bool use_gain_ratio, float true_min_objects)
      : table_(table),
        base_(base),
        information_(information),
        evaluator_(evaluator),
        use_gain_ratio_(use_gain_ratio),
        true_min_objects_(true_min_objects) {}

  SplitCandidate run() {
    score_ = score_of(table_.n_outcomes() - 1);  // of the multiway split
    form_blocks();
    if (merge_pure_blocks()) score_ = score_of(n_blocks_);
    least_gain_ = score_.gain / 2.0F;
    while (n_blocks_ > 2 && merge_best_pair()) {
    }
    return candidate();
  }

 private:
  std::span<const float> totals(std::size_t n_blocks) const { return std::span(table_.totals).subspan(1, n_blocks); }
  float gain(std::size_t n_blocks, float min_objects) const {
    return gain_of(base_, totals(n_blocks), std::span(table_.infos).subspan(1, n_blocks), min_objects);
  }
  Score score_of(std::size_t n_blocks) const {
    Score score;
    score.gain = gain(n_blocks, 1.0F);
    score.split_info = split_info_of(base_, std::span(table_.totals).first(n_blocks + 1), information_);
    score.value = evaluator_.score(score.gain, score.split_info, rounded(epsilon));
    return score;
  }

  void form_blocks();
  void copy_block(std::size_t from, std::size_t to);
  void merge(Pair pair);
  bool is_pure(std::size_t block, std::size_t class_index) const;
  bool merge_pure_blocks();
  Score score_merged(Pair pair);
  bool merge_best_pair();
  SplitCandidate candidate() const;

  OutcomeTable& table_;
  const GainBase& base_;
  const Information& information_;
  const SplitEvaluator& evaluator_;
  bool use_gain_ratio_;
  float true_min_objects_;

  std::size_t n_blocks_ = 0;
  std::vector<std::vector<std::uint32_t>> members_{{}};  // values of each block, from 1
  bool has_rare_values_ = false;                         // whether some values hardly occur at this node
  std::vector<float> merged_classes_;
  Score score_;
  float least_gain_ = 0.0F;
};

void SubsetSearch::copy_block(std::size_t from, std::size_t to) {
  std::ranges::copy(std::as_const(table_).classes(from), table_.classes(to).begin());
  table_.totals[to] = table_.totals[from];
  table_.infos[to] = table_.infos[from];
}

// Values of weight <= 0.5 are removed from the table, although base and known weight still contain them.
void SubsetSearch::form_blocks() {
  for (std::uint32_t value = 0; value + 1 < table_.n_outcomes(); ++value) {
    if (table_.totals[value + 1] > 0.5) {
      copy_block(value + 1, ++n_blocks_);
      members_.push_back({value});
    } else {
      has_rare_values_ = true;
    }
  }
}

// Merges two blocks. The last block takes the free place, which determines the order of the branches.
void SubsetSearch::merge(Pair pair) {
  const std::span<float> into = table_.classes(pair.into);
  const std::span<const float> from = table_.classes(pair.from);
  for (std::size_t c = 0; c < into.size(); ++c) into[c] += from[c];
  table_.totals[pair.into] += table_.totals[pair.from];
  table_.infos[pair.into] = information_.total(into);
  members_[pair.into].insert(members_[pair.into].end(), members_[pair.from].begin(), members_[pair.from].end());
  if (pair.from != n_blocks_) {
    copy_block(n_blocks_, pair.from);
    members_[pair.from] = std::move(members_[n_blocks_]);
  }
  members_.pop_back();
  --n_blocks_;
}

bool SubsetSearch::is_pure(std::size_t block, std::size_t class_index) const {
  const float count = std::as_const(table_).classes(block)[class_index];
  return !(count < table_.totals[block] - 0.1);
}

bool SubsetSearch::merge_pure_blocks() {
  const std::size_t before = n_blocks_;
  for (std::size_t x = 1; x < n_blocks_; ++x) {
    const std::span<const float> classes = table_.classes(x);
    const auto first = std::ranges::find_if(classes, [](float count) { return count >= 0.1; });
    // If no class of a block above 0.5 has this weight, the original reads past its table, and its result is undefined.
    // Here such a block counts as not pure.
    if (first == classes.end()) continue;
    const auto class_index = static_cast<std::size_t>(first - classes.begin());
    if (!is_pure(x, class_index)) continue;
    for (std::size_t y = x + 1; y <= n_blocks_;)
      if (is_pure(y, class_index))
        merge({x, y});  // y is another block now
      else
        ++y;
  }
  return n_blocks_ < before;
}

// Returns the score after a merge of the pair. The merge is undone again.
Score SubsetSearch::score_merged(Pair pair) {
  const auto [x, y] = pair;
  std::vector<float>& total = table_.totals;
  std::vector<float>& info = table_.infos;
  const float total_x = total[x], total_y = total[y], info_x = info[x], info_y = info[y];

  const std::span<const float> classes_x = table_.classes(x), classes_y = table_.classes(y);
  merged_classes_.resize(classes_x.size());
  std::ranges::transform(classes_x, classes_y, merged_classes_.begin(), std::plus<float>());
  total[x] += total[y];
  info[x] = information_.total(merged_classes_);
  total[y] = total[n_blocks_];
  info[y] = info[n_blocks_];
  const Score score = score_of(n_blocks_ - 1);

  total[x] = total_x;
  total[y] = total_y;
  info[x] = info_x;
  info[y] = info_y;
  return score;
}

// Returns false if no merge is an improvement.
bool SubsetSearch::merge_best_pair() {
  const std::span<const float> weights = totals(n_blocks_);
  const auto n_large = std::ranges::count_if(weights, [this](float total) { return total >= true_min_objects_; });
  const bool forced = !use_gain_ratio_ || n_large < 2;
  // If there are few large blocks, the largest one must not be merged. Blocks count from 1.
  const std::size_t excluded =
      n_large < 3 ? static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin()) + 1 : 0;

  Score best;
  Pair pair;
  for (std::size_t x = 1; x < n_blocks_; ++x) {
    for (std::size_t y = x + 1; y <= n_blocks_; ++y) {
      if (x == excluded || y == excluded) continue;
      const Score trial = score_merged({x, y});
      if ((trial.gain >= least_gain_ && best.gain < least_gain_) ||
          trial.value >= best.value ||  // ties go to the last pair
          (pair.from == 0 && forced)) {
        best = trial;
        pair = {x, y};
      }
    }
  }
  if (!forced && (pair.from == 0 || best.value < score_.value + 1e-5)) return false;
  merge(pair);
  score_ = best;
  return true;
}

SplitCandidate SubsetSearch::candidate() const {
  SplitCandidate result;
  if (score_.value <= 0.0F) return result;
  result.kind = graph::SplitKind::subset;
  result.gain = gain(n_blocks_, true_min_objects_);
  // If nothing was merged, this is still the split information of the multiway split, including small values.
  result.split_info = score_.split_info;
  result.value_branch.assign(table_.n_outcomes() - 1, static_cast<std::int32_t>(n_blocks_));
  for (std::size_t block = 1; block <= n_blocks_; ++block)
    for (const std::uint32_t value : members_[block]) result.value_branch[value] = static_cast<std::int32_t>(block - 1);
  // Values that do not occur share one more branch.
  result.n_branches = static_cast<std::uint32_t>(n_blocks_ + (has_rare_values_ ? 1 : 0));
  return result;
}

}  // namespace

SplitCandidate SplitEvaluator::subset(const Column& column, Range range, float weight) {
  tabulate(column, range);
  if (weight - table_.totals[0] < epsilon) {
    // A defect of the original: it replaces the minimum by 1 for this evaluation and does not restore it here. The
    // minimum stays 1 for the rest of the run. Reference trees depend on it.
    min_objects_ = 1.0F;
    return {};
  }
  const GainBase base = discrete_base(table_, weight, rows_.weight(range), information_);
  return SubsetSearch(table_, base, information_, *this, options_.use_gain_ratio, min_objects_).run();
}

}  // namespace weaklearn::release8
