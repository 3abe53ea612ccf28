// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Labels with jumps between all of them. They form loops with many entries, which become a loop around a switch.
#include "each_item.hpp"

#include <random>

using namespace lanecl::test;

namespace {

constexpr unsigned kMostSteps = 300;

struct Label {
  unsigned factor, bit, target;
  int store; // element of the private array to store to; none if negative
};

std::vector<Label> randomLabels(unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Label> labels(count);
  for (Label &label : labels)
    label = {static_cast<unsigned>(random() % 1000) * 2 + 1, static_cast<unsigned>(random() % 29),
             static_cast<unsigned>(random() % count), static_cast<int>(random() % 8) - 4};
  return labels;
}

std::string textOf(const std::vector<Label> &labels) {
  std::string text = "KERNEL void k(global const int *in, global int *out) {\n"
                     "  uint i = get_global_linear_id(), x = in[i], y = i & 3, last = 7; uint row[4] = { 0 };\n";
  for (size_t i = 0; i < labels.size(); ++i) {
    const Label &label = labels[i];
    text += "L" + std::to_string(i) + ": x = x * " + std::to_string(label.factor) + "u + y; if (++y > " +
            std::to_string(kMostSteps) + "u) goto end;\n";
    if (label.store >= 0)
      text += "  row[" + std::to_string(label.store) + "] ^= x; last = x;\n";
    text += "  if ((x >> " + std::to_string(label.bit) + ") & 1) goto L" + std::to_string(label.target) + ";\n";
  }
  return text + "end: out[i] = x ^ y ^ row[0] ^ row[1] * 3 ^ row[2] * 5 ^ row[3] * 7 ^ last;\n}";
}

int evaluate(const std::vector<Label> &labels, const Item &item) {
  uint32_t x = static_cast<uint32_t>(item.x()), y = item.global & 3, last = 7, row[4] = {};
  for (size_t i = 0; i < labels.size();) {
    x = x * labels[i].factor + y;
    if (++y > kMostSteps)
      break;
    if (labels[i].store >= 0) {
      row[labels[i].store] ^= x;
      last = x;
    }
    i = (x >> labels[i].bit & 1) != 0 ? labels[i].target : i + 1;
  }
  return static_cast<int>(x ^ y ^ row[0] ^ row[1] * 3 ^ row[2] * 5 ^ row[3] * 7 ^ last);
}

TEST_CASE("jumps between many labels", "[many_gotos]") {
  for (const unsigned count : {6u, 12u, 40u})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const std::vector<Label> labels = randomLabels(count, seed);
      checkEachItem(textOf(labels), [&](const Item &item) { return evaluate(labels, item); });
    }
}

} // namespace
