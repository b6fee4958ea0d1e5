// Runs a fuzz target without libFuzzer: PROGRAM FOLDER [MUTATIONS] runs every file of a corpus, and so many mutations
// of them, which are the same in every run.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes mutated(Bytes bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (std::size_t n = 1 + below(3); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 2:
        for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = 0xFF;
        break;
      case 3:
        bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      default:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(below(4)));
        break;
    }
  }
  return bytes;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> inputs;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    LLVMFuzzerTestOneInput(inputs.back().data(), inputs.back().size());
  }
  std::mt19937_64 random(1);
  const int n_mutations = n_arguments > 2 ? std::atoi(arguments[2]) : 0;
  for (int i = 0; i < n_mutations && !inputs.empty(); ++i) {
    const Bytes bytes = mutated(inputs[static_cast<std::size_t>(i) % inputs.size()], random);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::cout << inputs.size() << " inputs and " << n_mutations << " mutations" << std::endl;
  return inputs.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
