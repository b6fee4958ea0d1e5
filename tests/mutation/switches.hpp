// Switches between a program and its mutants, all of which are compiled at once: WEAKLEARN_MUTANT chooses one.
//
// core_files.py writes `a < mutation::Less<7>{} < b` for `a < b`. This has the precedence and the associativity of the
// operator, and compares with <= if mutant 7 is chosen. Nothing is altered in constant expressions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace mutation {

inline bool reached[MUTATION_COUNT];

// At the end of a program, the numbers of the mutants that it reached are appended to a file.
inline void write_reached() {
  std::FILE* const file = std::fopen(std::getenv("WEAKLEARN_REACHED"), "a");
  for (int id = 0; id < MUTATION_COUNT; ++id)
    if (reached[id]) std::fprintf(file, "%d\n", id);
  std::fclose(file);
}

inline const int chosen = [] {
  if (std::getenv("WEAKLEARN_REACHED") != nullptr) std::atexit(write_reached);
  const char* const text = std::getenv("WEAKLEARN_MUTANT");
  return text == nullptr ? -1 : std::atoi(text);
}();

template <int id>
constexpr bool on() {
  if (std::is_constant_evaluated()) return false;
  reached[id] = true;
  return chosen == id;
}

#define MUTATION_BINARY(Name, op, other)                                 \
  template <int id>                                                      \
  struct Name {};                                                        \
  template <int id, class L>                                             \
  struct Name##Left {                                                    \
    L left;                                                              \
  };                                                                     \
  template <int id, class L>                                             \
  constexpr Name##Left<id, L&&> operator op(L && left, Name<id>) {       \
    return {std::forward<L>(left)};                                      \
  }                                                                      \
  template <int id, class L, class R>                                    \
  constexpr auto operator op(Name##Left<id, L> l, R&& right) {           \
    using Result = std::decay_t<decltype(l.left op right)>;              \
    if constexpr (requires { static_cast<Result>(l.left other right); }) \
      if (on<id>()) return static_cast<Result>(l.left other right);      \
    return static_cast<Result>(l.left op right);                         \
  }

MUTATION_BINARY(Less, <, <=)
MUTATION_BINARY(AtMost, <=, <)
MUTATION_BINARY(Greater, >, >=)
MUTATION_BINARY(AtLeast, >=, >)
MUTATION_BINARY(Equal, ==, !=)
MUTATION_BINARY(Unequal, !=, ==)
MUTATION_BINARY(Plus, +, -)
MUTATION_BINARY(Minus, -, +)
MUTATION_BINARY(Times, *, /)
MUTATION_BINARY(Over, /, *)
#undef MUTATION_BINARY

// `a += mutation::Add<7>{} += b`: assignments associate to the right.
#define MUTATION_ASSIGNMENT(Name, op, other)                         \
  template <int id>                                                  \
  struct Name {};                                                    \
  template <int id, class R>                                         \
  struct Name##Right {                                               \
    R right;                                                         \
  };                                                                 \
  template <int id, class R>                                         \
  constexpr Name##Right<id, R&&> operator op(Name<id>, R && right) { \
    return {std::forward<R>(right)};                                 \
  }                                                                  \
  template <int id, class L, class R>                                \
  constexpr L& operator op(L & left, Name##Right<id, R> r) {         \
    if constexpr (requires { left other r.right; })                  \
      if (on<id>()) return static_cast<L&>(left other r.right);      \
    return static_cast<L&>(left op r.right);                         \
  }

MUTATION_ASSIGNMENT(Add, +=, -=)
MUTATION_ASSIGNMENT(Subtract, -=, +=)
MUTATION_ASSIGNMENT(Multiply, *=, /=)
#undef MUTATION_ASSIGNMENT

// `a | mutation::True<7>{} && mutation::True<8>{} | b` drops one of the conditions, `a & mutation::False<7>{} || ...`
// as well. The other condition still decides whether b is evaluated.
template <int id>
struct True {};
template <int id>
struct False {};
template <int id, class L>
constexpr bool operator|(L&& left, True<id>) {
  return on<id>() || static_cast<bool>(left);
}
template <int id, class R>
constexpr bool operator|(True<id>, R&& right) {
  return on<id>() || static_cast<bool>(right);
}
template <int id, class L>
constexpr bool operator&(L&& left, False<id>) {
  return !on<id>() && static_cast<bool>(left);
}
template <int id, class R>
constexpr bool operator&(False<id>, R&& right) {
  return !on<id>() && static_cast<bool>(right);
}

// `mutation::Not<7>{}->*a` for `!a`.
template <int id>
struct Not {};
template <int id, class R>
constexpr bool operator->*(Not<id>, R&& right) {
  return on<id>() == static_cast<bool>(right);
}

template <int id>
constexpr bool flip(bool value) {
  return on<id>() != value;
}

template <int id, class T>
constexpr T number(T value) {
  if (!on<id>()) return value;
  return value == 0 ? T{1} : T{2} * value;
}

}  // namespace mutation
