// Several numbers at a time, and the compiler extensions that this needs.
//
// GCC and Clang have vector types, prefetching and functions compiled for more than one processor. This header is the
// only place that uses them. Other compilers, and builds with WEAKLEARN_PORTABLE, get plain loops with the same
// results.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__GNUC__) && !defined(WEAKLEARN_PORTABLE)
#define WEAKLEARN_HAS_VECTORS 1
#else
#define WEAKLEARN_HAS_VECTORS 0
#endif

// A loop marked with WEAKLEARN_WIDE is compiled twice, and the machine takes the wider version. Neither uses fused
// operations, so both give the same bits. Clang is left out: version 14 gives such a function a symbol that callers in
// other files do not find. The sanitizers do not support it either.
#if WEAKLEARN_HAS_VECTORS && defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WEAKLEARN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WEAKLEARN_WIDE
#endif

// A function that is called in loops marked with WEAKLEARN_WIDE. Inlined, it is compiled for both processors as well.
#ifdef __GNUC__
#define WEAKLEARN_INLINE [[gnu::always_inline]] inline
#else
#define WEAKLEARN_INLINE inline
#endif

namespace weaklearn::parallel {

#if WEAKLEARN_HAS_VECTORS

using FourDoubles = double __attribute__((vector_size(32)));
using FourCounts = std::int64_t __attribute__((vector_size(32)));
using FourWords = std::uint64_t __attribute__((vector_size(32)));
using EightFloats = float __attribute__((vector_size(32)));

// The functions below take references: a vector passed by value has another calling convention without AVX.

// Replaces each number by the one of `x` where that is lower. NaN is not lower.
template <class Vector>
WEAKLEARN_INLINE void keep_lowest(Vector& lowest, const Vector& x) {
  lowest = x < lowest ? x : lowest;
}

template <class Vector>
WEAKLEARN_INLINE void keep_highest(Vector& highest, const Vector& x) {
  highest = x > highest ? x : highest;
}

// Adds the numbers of `x` whose mask has all bits set, and zero where it has none.
WEAKLEARN_INLINE void add_masked(FourDoubles& sums, const FourDoubles& x, const FourWords& mask) {
  sums += reinterpret_cast<FourDoubles>(reinterpret_cast<FourWords>(x) & mask);
}

// Reads and writes four words at an address that is a multiple of 32.
using FourWordsInMemory = FourWords __attribute__((may_alias));
WEAKLEARN_INLINE void read(const std::uint64_t* words, FourWords& four) {
  four = *reinterpret_cast<const FourWordsInMemory*>(words);
}
WEAKLEARN_INLINE void write(const FourWords& four, std::uint64_t* words) {
  *reinterpret_cast<FourWordsInMemory*>(words) = four;
}

inline void prefetch(const void* place) { __builtin_prefetch(place); }

#else

// As many numbers as the vector types of GCC hold, with the operators of those types that the core uses.
template <class T, std::size_t n>
struct Lanes {
  T lane[n];

  T& operator[](std::size_t i) { return lane[i]; }
  const T& operator[](std::size_t i) const { return lane[i]; }

  Lanes& operator-=(const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) lane[i] -= other[i];
    return *this;
  }
  Lanes& operator>>=(T n_bits) {
    for (std::size_t i = 0; i < n; ++i) lane[i] >>= n_bits;
    return *this;
  }
  friend Lanes operator+(Lanes x, T number) {
    for (std::size_t i = 0; i < n; ++i) x[i] += number;
    return x;
  }
  friend Lanes operator-(Lanes x, T number) {
    for (std::size_t i = 0; i < n; ++i) x[i] -= number;
    return x;
  }
  friend Lanes operator&(Lanes x, const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) x[i] &= other[i];
    return x;
  }
  friend Lanes operator|(Lanes x, const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) x[i] |= other[i];
    return x;
  }
  friend Lanes operator~(Lanes x) {
    for (std::size_t i = 0; i < n; ++i) x[i] = ~x[i];
    return x;
  }
  // A lane is -1 where the comparison holds, as in the vector types.
  friend Lanes<std::int64_t, n> operator!=(const Lanes& a, const Lanes& b) {
    Lanes<std::int64_t, n> unequal = {};
    for (std::size_t i = 0; i < n; ++i) unequal[i] = a[i] != b[i] ? -1 : 0;
    return unequal;
  }
};

using FourDoubles = Lanes<double, 4>;
using FourCounts = Lanes<std::int64_t, 4>;
using FourWords = Lanes<std::uint64_t, 4>;
using EightFloats = Lanes<float, 8>;

template <class T, std::size_t n>
void keep_lowest(Lanes<T, n>& lowest, const Lanes<T, n>& x) {
  for (std::size_t i = 0; i < n; ++i) lowest[i] = x[i] < lowest[i] ? x[i] : lowest[i];
}

template <class T, std::size_t n>
void keep_highest(Lanes<T, n>& highest, const Lanes<T, n>& x) {
  for (std::size_t i = 0; i < n; ++i) highest[i] = x[i] > highest[i] ? x[i] : highest[i];
}

inline void add_masked(FourDoubles& sums, const FourDoubles& x, const FourWords& mask) {
  for (std::size_t i = 0; i < 4; ++i) sums[i] += mask[i] != 0 ? x[i] : 0.0;
}

inline void read(const std::uint64_t* words, FourWords& four) {
  for (std::size_t i = 0; i < 4; ++i) four[i] = words[i];
}

inline void write(const FourWords& four, std::uint64_t* words) {
  for (std::size_t i = 0; i < 4; ++i) words[i] = four[i];
}

inline void prefetch(const void*) {}

#endif

}  // namespace weaklearn::parallel
