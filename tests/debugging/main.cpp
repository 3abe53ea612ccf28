// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program that the tests debug: `program FILE.cl KERNEL OPTIONS` runs the kernel and checks its result.
#include "support/session.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace lanecl::test;

namespace {

constexpr size_t kItems = 256, kGroup = 64;
constexpr float kFactor = 2.0f;

float expected(const std::string &kernel, size_t i) {
  const size_t from = kernel == "reverse_group" ? i / kGroup * kGroup + kGroup - 1 - i % kGroup : i;
  return float(from) * kFactor + 1.0f;
}

bool runKernel(const std::string &text, const std::string &name, const std::string &options) {
  Session cl;
  Program program = cl.build(text, options);
  std::vector<float> values(kItems);
  for (size_t i = 0; i < kItems; ++i)
    values[i] = float(i);
  Memory data = cl.buffer(values);
  cl.run(cl.kernel(program, name), {kItems}, {kGroup}, data, kFactor);
  const std::vector<float> results = cl.read<float>(data);
  for (size_t i = 0; i < kItems; ++i)
    if (results[i] != expected(name, i))
      return false;
  return true;
}

} // namespace

int main(int count, char **arguments) {
  if (count != 4)
    return 2;
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    if (!runKernel(text, arguments[2], arguments[3]))
      return 1;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 2;
  }
  std::puts("every result is right");
  return 0;
}
