// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A switch with hundreds of cases whose values are far apart. A kernel with so many branches is made once, for
// incomplete sub-groups, and full ones run the same code. The results are added to the -12345 that checkEachItem puts
// there, so that a work-item that runs twice is noticed.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

constexpr uint32_t kCases = 620, kValues = 700;

// Spreads the numbers of the cases over all values; different numbers have different values.
uint32_t valueOf(uint32_t number) {
  return number * 2654435761u;
}

uint32_t factorOf(uint32_t number) {
  return number * 7919 % 1000 * 2 + 1;
}

std::string textOfKernel() {
  std::string text = "KERNEL void k(global const int *in, global int *out) {\n"
                     "  uint i = get_global_linear_id(), x = (uint)in[i] % " +
                     std::to_string(kValues) + "u * 2654435761u, y = i;\n  switch (x) {\n";
  for (uint32_t number = 0; number < kCases; ++number)
    text += "  case " + std::to_string(valueOf(number)) + "u: y = x * " + std::to_string(factorOf(number)) + "u + " +
            std::to_string(number) + (number % 5 == 4 ? "u;\n" : "u; break;\n"); // some fall through
  return text + "  default: y ^= 12345u;\n  }\n  atomic_add(out + i, (int)y + 12345);\n}";
}

int evaluate(const Item &item) {
  const uint32_t number = static_cast<uint32_t>(item.x()) % kValues, x = valueOf(number);
  if (number >= kCases)
    return static_cast<int>(item.global ^ 12345u);
  const bool falls = number % 5 == 4;
  if (falls && number + 1 == kCases)
    return static_cast<int>((x * factorOf(number) + number) ^ 12345u);
  const uint32_t last = falls ? number + 1 : number;
  return static_cast<int>(x * factorOf(last) + last);
}

TEST_CASE("a switch with hundreds of cases", "[many_cases]") {
  checkEachItem(textOfKernel(), evaluate);
}

} // namespace
