// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What kernels print, read from the process's standard output.
#include "each_item.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <unistd.h>

using namespace lanecl::test;

namespace {

// Sends standard output to a file while `action` runs. Returns what was written.
template <class F> std::string captured(F &&action) {
  std::fflush(stdout);
  std::FILE *file = std::tmpfile();
  const int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  action();
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += char(c);
  std::fclose(file);
  return text;
}

std::string printed(const std::string &source, size_t width, size_t global, size_t local) {
  const Session cl;
  const Kernel kernel = cl.kernel(buildForWidth(cl, source, width), "k");
  Memory in = cl.buffer(mixedInput(global));
  return captured([&] {
    cl.run(kernel, {global}, {local}, in);
    check(clFinish(cl.queue), "clFinish");
  });
}

std::vector<std::string> sortedLines(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

} // namespace

TEST_CASE("printf with every kind of conversion", "[printf]") {
  const std::string text = printed(R"(
KERNEL void k(global const int *in) {
  if (get_global_id(0) != 5) return;
  printf("%d %u %x %c %s %%\n", -7, 8u, 255, 'z', "text");
  printf("%.2f %e %5d|%-5d|%05d\n", 1.5f, 1024.0f, 42, 42, 42);
  printf("%ld %v4d %v2hlf\n", 1L << 40, (int4)(1, -2, 3, 4), (float2)(0.5f, 2.0f));
  printf("no arguments\n");
})",
                                   16, 20, 20);
  CHECK(text == "-7 8 ff z text %\n1.50 1.024000e+03    42|42   |00042\n1099511627776 1,-2,3,4 0.500000,2.000000\n"
                "no arguments\n");
}

TEST_CASE("printf of sizes and differences", "[printf]") {
  const std::string source = R"(
kernel void k(global const int *in) {
  size_t most = ~(size_t)0;
  ptrdiff_t distance = in - (in + 5);
  printf("%zu %zx %zd %td %5td|%-6zu|\n", most, most, (ptrdiff_t)-1, distance, distance, sizeof(float4));
})";
  const Session cl;
  const Kernel kernel = cl.kernel(cl.build(source, "-cl-std=CL3.1 -Werror"), "k");
  Memory in = cl.buffer(std::vector<int>(8));
  const std::string text = captured([&] {
    cl.run(kernel, {1}, {1}, in);
    check(clFinish(cl.queue), "clFinish");
  });
  CHECK(text == "18446744073709551615 ffffffffffffffff -1 -5    -5|16    |\n");
}

TEST_CASE("printf of half", "[printf]") {
  const std::string source = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
KERNEL void k(global const int *in) {
  half4 v = (half4)(1.5h, -2.25h, 0.0h, 65504.0h);
  printf("%v4hf %.1f %v2hg %a\n", v, 3.5h, v.xy, v.x);
})";
  CHECK(printed(source, 8, 1, 1) == "1.500000,-2.250000,0.000000,65504.000000 3.5 1.5,-2.25 0x1.8p+0\n");
}

TEST_CASE("printf in the lanes of a branch", "[printf]") {
  for (const size_t width : widthsInTurn()) {
    const std::string text = printed(R"(
KERNEL void k(global const int *in) {
  int i = get_global_id(0);
  for (int n = 0; n < in[i] % 3; ++n)
    if (in[i] & 1) printf("%d: %d %d\n", i, n, in[i]);
})",
                                     width, 60, 20);
    const std::vector<int> input = mixedInput(60);
    std::string want;
    for (int i = 0; i < 60; ++i)
      for (int n = 0; n < input[i] % 3 && (input[i] & 1); ++n)
        want += std::to_string(i) + ": " + std::to_string(n) + " " + std::to_string(input[i]) + "\n";
    CHECK(sortedLines(text) == sortedLines(want));
  }
}
