// Inputs of the fuzz targets: numbers and lists of numbers, one after the other, as raw bytes.
//
// A list starts with its length in two bytes. Reading beyond the end gives zeros and shorter lists, so that every input
// is valid. make_seeds.cpp writes with BytesOut what the targets read with BytesIn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace weaklearn::fuzz {

class BytesIn {
 public:
  BytesIn(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  template <class T>
  T number() {
    T value{};
    const std::size_t n_bytes = std::min(sizeof(T), rest_.size());
    if (n_bytes > 0) std::memcpy(&value, rest_.data(), n_bytes);
    rest_ = rest_.subspan(n_bytes);
    return value;
  }
  std::uint32_t below(std::uint32_t bound) { return number<std::uint16_t>() % bound; }
  bool flag() { return number<std::uint8_t>() % 2 == 1; }

  template <class T>
  void list(std::vector<T>& values) {
    const std::size_t length = number<std::uint16_t>();
    values.resize(std::min(length, rest_.size() / sizeof(T)));
    if (!values.empty()) std::memcpy(values.data(), rest_.data(), values.size() * sizeof(T));
    rest_ = rest_.subspan(values.size() * sizeof(T));
  }

 private:
  std::span<const std::uint8_t> rest_;
};

class BytesOut {
 public:
  template <class T>
  void number(T value) {
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
  }
  template <class T>
  void list(const std::vector<T>& values) {
    number(static_cast<std::uint16_t>(values.size()));
    for (const T& value : values) number(value);
  }

  std::vector<std::uint8_t> bytes;
};

}  // namespace weaklearn::fuzz
