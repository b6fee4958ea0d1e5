// The description of a node and of a term, which C++, NumPy, model files and tests share. To add a field, add it to
// the struct and to the list below it: the checks at the end of this file fail to compile until both agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace weaklearn::graph {

// What a node does with a row.
enum class SplitKind : std::uint32_t {
  leaf = 0,       // predicts
  threshold = 1,  // two branches: value <= threshold, value > threshold
  multiway = 2,   // one branch per declared value
  subset = 3,     // one branch per set of values
  oblique = 4,    // two branches: the sum of its terms <= threshold, > threshold; no column of its own
};
constexpr const char* split_kind_names[] = {"leaf", "threshold", "multiway", "subset", "oblique"};

// The threshold of a split between all known values and the missing ones: no value is above it.
constexpr double no_value_above = std::numeric_limits<double>::max();

// What the value of a column adds to the sum of an oblique split.
enum class TermForm : std::uint32_t {
  linear = 0,  // one number: the coefficient of the value
  steps = 1,   // ascending cuts, then the score up to the first cut, between each and the next, and above the last
  values = 2,  // the score of each declared value
};
constexpr const char* term_form_names[] = {"linear", "steps", "values"};

// The arrays that the ranges refer to are members of Graph.
struct Node {
  SplitKind split = SplitKind::leaf;
  std::int32_t column = -1;        // of the split; -1 at a leaf or an oblique split
  double threshold = 0.0;
  double weight = 0.0;             // n: weight of the training rows
  double errors = 0.0;             // e: training errors, or their pessimistic estimate once pruned
  std::int32_t label = 0;          // class index of the majority
  std::uint32_t first_value = 0;   // subset: value_branch[first_value + code] is the branch of a value
  std::uint32_t first_branch = 0;  // children / branch_weights[first_branch .. first_branch + n_branches)
  std::uint32_t n_branches = 0;
  std::uint32_t first_class = 0;   // class_index / class_weight[first_class .. first_class + n_classes)
  std::uint32_t n_classes = 0;     // classes with weight at this node; the other classes have none
  std::uint32_t first_term = 0;    // oblique: terms[first_term .. first_term + n_terms), added up in this order
  std::uint32_t n_terms = 0;
};

// A term of an oblique split.
struct Term {
  std::int32_t column = -1;
  TermForm form = TermForm::linear;
  double missing = 0.0;            // the score where the value is missing
  double influence = 0.0;          // standard deviation of the score among the training rows
  std::uint32_t first_number = 0;  // term_numbers[first_number .. first_number + n_numbers)
  std::uint32_t n_numbers = 0;
};

// A field of a record: `type` is 'i' for signed and 'u' for unsigned integers, 'f' for floating point.
struct Field {
  const char* name;
  char type;
  std::size_t size;
  std::size_t offset;
};

template <class T>
constexpr char field_type() {
  if constexpr (std::is_enum_v<T>) return field_type<std::underlying_type_t<T>>();
  if constexpr (std::is_floating_point_v<T>) return 'f';
  return std::is_signed_v<T> ? 'i' : 'u';
}

#define WEAKLEARN_FIELD(Record, name) \
  Field { #name, field_type<decltype(Record::name)>(), sizeof(Record::name), offsetof(Record, name) }

constexpr Field node_fields[] = {
    WEAKLEARN_FIELD(Node, split),       WEAKLEARN_FIELD(Node, column),       WEAKLEARN_FIELD(Node, threshold),
    WEAKLEARN_FIELD(Node, weight),      WEAKLEARN_FIELD(Node, errors),       WEAKLEARN_FIELD(Node, label),
    WEAKLEARN_FIELD(Node, first_value), WEAKLEARN_FIELD(Node, first_branch), WEAKLEARN_FIELD(Node, n_branches),
    WEAKLEARN_FIELD(Node, first_class), WEAKLEARN_FIELD(Node, n_classes),    WEAKLEARN_FIELD(Node, first_term),
    WEAKLEARN_FIELD(Node, n_terms),
};
constexpr Field term_fields[] = {
    WEAKLEARN_FIELD(Term, column),    WEAKLEARN_FIELD(Term, form),         WEAKLEARN_FIELD(Term, missing),
    WEAKLEARN_FIELD(Term, influence), WEAKLEARN_FIELD(Term, first_number), WEAKLEARN_FIELD(Term, n_numbers),
};
#undef WEAKLEARN_FIELD

template <class Record>
constexpr std::span<const Field> fields_of() {
  if constexpr (std::is_same_v<Record, Node>)
    return node_fields;
  else
    return term_fields;
}

// Whether the fields of a record follow each other without a gap from its first byte to its last.
template <class Record>
constexpr bool is_fully_described() {
  std::size_t end = 0;
  for (const Field& field : fields_of<Record>()) {
    if (field.offset != end) return false;
    end += field.size;
  }
  return end == sizeof(Record) && std::is_standard_layout_v<Record> && std::is_trivially_copyable_v<Record>;
}
static_assert(is_fully_described<Node>() && sizeof(Node) == 64);
static_assert(is_fully_described<Term>() && sizeof(Term) == 32);

}  // namespace weaklearn::graph
