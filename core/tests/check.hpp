// Checks for tests. A failed check prints its location and both values. A test program calls its tests and returns
// report().
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>

namespace weaklearn::tests {

inline std::uint64_t passed = 0;
inline std::uint64_t failed = 0;

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  out << std::setprecision(17);
  if constexpr (std::is_enum_v<T> || (std::is_integral_v<T> && sizeof(T) == 1))
    out << static_cast<int>(value);
  else if constexpr (requires { out << value; })
    out << value;
  else if constexpr (requires { value.begin(); }) {
    out << "[";
    for (const auto& element : value) out << " " << shown(element);
    out << " ]";
  } else
    out << "(cannot be printed)";
  return out.str();
}

inline void note(bool good, const char* file, int line, const std::string& message) {
  if (good) {
    ++passed;
    return;
  }
  constexpr std::uint64_t most_printed = 20;
  if (++failed <= most_printed) std::cerr << file << ":" << line << ": " << message << std::endl;
}

// Nothing is near NaN. An infinity is near itself.
inline bool near(double a, double b, double tolerance) { return a == b || std::abs(a - b) <= tolerance; }

inline int report(const char* name) {
  std::cout << name << ": " << passed << " checks passed, " << failed << " failed" << std::endl;
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace weaklearn::tests

// Both arguments are evaluated once. The message of a failure is built only if it is needed.
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    const bool good_ = static_cast<bool>(condition);                                                                   \
    ::weaklearn::tests::note(good_, __FILE__, __LINE__, good_ ? std::string() : std::string("not true: " #condition)); \
  } while (false)

#define CHECK_EQUAL(left, right)                                                                            \
  do {                                                                                                      \
    const auto left_ = (left);                                                                              \
    const auto right_ = (right);                                                                            \
    const bool good_ = left_ == right_;                                                                     \
    ::weaklearn::tests::note(good_, __FILE__, __LINE__,                                                     \
                             good_ ? std::string()                                                          \
                                   : #left " is " + ::weaklearn::tests::shown(left_) + ", " #right " is " + \
                                         ::weaklearn::tests::shown(right_));                                \
  } while (false)

#define CHECK_NEAR(left, right, tolerance)                                                                  \
  do {                                                                                                      \
    const double left_ = (left);                                                                            \
    const double right_ = (right);                                                                          \
    const bool good_ = ::weaklearn::tests::near(left_, right_, tolerance);                                  \
    ::weaklearn::tests::note(good_, __FILE__, __LINE__,                                                     \
                             good_ ? std::string()                                                          \
                                   : #left " is " + ::weaklearn::tests::shown(left_) + ", " #right " is " + \
                                         ::weaklearn::tests::shown(right_));                                \
  } while (false)

#define CHECK_THROWS(expression, Exception)                                                       \
  do {                                                                                            \
    bool thrown_ = false;                                                                         \
    try {                                                                                         \
      static_cast<void>(expression);                                                              \
    } catch (const Exception&) {                                                                  \
      thrown_ = true;                                                                             \
    }                                                                                             \
    ::weaklearn::tests::note(thrown_, __FILE__, __LINE__, "no " #Exception " from " #expression); \
  } while (false)
