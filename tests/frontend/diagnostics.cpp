// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The build log: its errors and warnings, and the options that choose them.
#include "support.hpp"

#include <algorithm>

using namespace test;

TEST_CASE("A syntax error reads as Clang prints it", "[diagnostics]") {
  const CompileOutput output = device().build("kernel void k(global int *p) {\n  *p = 1 +;\n}\n", "");
  CHECK(output.status == Status::Failure);
  CHECK_FALSE(output.module);
  CHECK(output.log == "program.cl:2:11: error: expected expression\n"
                      "    2 |   *p = 1 +;\n"
                      "      |           ^\n"
                      "1 error generated.\n");
}

// The function max has more than a hundred overloads.
TEST_CASE("Where no overload of a built-in function fits a few are listed", "[diagnostics]") {
  const char *source = "kernel void k(global float *p) {\n  p[0] = max(p[1], p[2], p[3]);\n  p[1] = min(p[1]);\n}";
  const auto lines = [](const std::string &text) { return std::ranges::count(text, '\n'); };
  const std::string few = device().build(source, "").log;
  CHECK(contains(few, "program.cl:2:10: error: no matching function for call to 'max'"));
  CHECK(contains(few, "program.cl:3:10: error: no matching function for call to 'min'"));
  CHECK(lines(few) <= 40);
  CHECK(contains(few, "candidates omitted; pass -fshow-overloads=all to show them"));
  const std::string all = device().build(source, "-fshow-overloads=all").log;
  CHECK(lines(all) > 400);
  CHECK_FALSE(contains(all, "candidates omitted"));
}

TEST_CASE("A good program leaves an empty log", "[diagnostics]") {
  CHECK(device().build("kernel void k(global int *p) { *p = 1; }", "").log == "");
}

TEST_CASE("Warnings are kept, silenced by -w, errors by -Werror", "[diagnostics]") {
  const CompileOutput plain = device().build("int f(void) { }\nkernel void k(global int *p) { *p = f(); }", "");
  CHECK(plain.status == Status::Success);
  CHECK(contains(plain.log, "program.cl:1:15: warning: non-void function does not return a value"));
  CHECK(contains(plain.log, "1 warning generated."));
  const std::string warned = "int f(void) { }\nkernel void k(global int *p) { *p = f(); }";
  CHECK(device().build(warned, "-w").log == "");
  const CompileOutput strict = device().build(warned, "-Werror");
  CHECK(strict.status == Status::Failure);
  CHECK(contains(strict.log, "error: non-void function does not return a value"));
}

TEST_CASE("A const pointer given to a block write is a warning", "[diagnostics]") {
  const CompileOutput output =
      device().build("kernel void k(const __global ushort *p) { intel_sub_group_block_write_us(p, (ushort)1); }", "");
  CHECK(output.status == Status::Success);
  CHECK(contains(output.log, "warning: passing 'const __global ushort *"));
}

TEST_CASE("What newer versions of Clang take for errors stays a warning", "[diagnostics]") {
  const std::string pointers = "kernel void k(global uchar *p, global float4 *q) {\n"
                               "  const global uchar4 *a = p; global float *b = q;\n  *b = (*a).x;\n}\n";
  const CompileOutput output = device().build(pointers, "");
  CHECK(output.status == Status::Success);
  CHECK(contains(output.log, "program.cl:2:24: warning: incompatible pointer types"));
  CHECK(contains(output.log, "2 warnings generated."));
  CHECK(device().build("kernel void k(global int *p) { int x = p; *p = x; }", "").status == Status::Success);
  CHECK(device().build(pointers, "-Werror").status == Status::Failure);
  // Pointers to different address spaces are an error and not a warning.
  CHECK(device().build("kernel void k(global int *p) { local int *q = p; *q = 1; }", "").status == Status::Failure);
}

TEST_CASE("Warnings are chosen by name", "[diagnostics]") {
  const std::string source = "kernel void k(global int *p) { int unused; int *q = (float *)0; *p = q == 0; }";
  CHECK_FALSE(contains(device().build(source, "").log, "unused variable"));
  CHECK(contains(device().build(source, "-Wunused-variable").log, "warning: unused variable 'unused'"));
  CHECK(contains(device().build(source, "-Wall").log, "warning: unused variable 'unused'"));
  CHECK(device().build(source, "-Wno-incompatible-pointer-types").log == "");
  CHECK(device().build(source, "-Wall -Wextra -Wno-everything").log == "");
  CHECK(device().build(source, "-Werror=incompatible-pointer-types").status == Status::Failure);
  CHECK(device().build(source, "-Werror -Wno-error=incompatible-pointer-types").status == Status::Success);
  // Warnings that only other compilers know, and options that the command `clang` would pass on to other programs, are
  // ignored.
  for (const char *other : {"-Wno-cuda-compat", "-Wno-such-thing-at-all", "-Wl,-z,now", "-Wa,-x", "-W"}) {
    INFO(other);
    CHECK(device().build("kernel void k(global int *p) { *p = 1; }", other).log == "");
  }
}

TEST_CASE("#line and -s name the source", "[diagnostics]") {
  CHECK(contains(device().build("#line 7 \"mine.cl\"\nkernel void k() { x; }", "").log, "mine.cl:7:19: error:"));
  CHECK(contains(device().build("kernel void k() { x; }", "-s dir/named.cl").log, "dir/named.cl:1:19: error:"));
}

TEST_CASE("A sub-group size that the device lacks names those it has", "[diagnostics]") {
  const CompileOutput output =
      device().build("__attribute__((intel_reqd_sub_group_size(7)))\nkernel void odd(global int *p) { *p = 1; }", "");
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "program.cl:1:16: error: kernel 'odd' requires a sub-group size of 7, which the device "
                             "does not support; supported sizes are 8, 16 and 32\n"));
  for (const char *size : {"8", "16", "32"})
    CHECK(builds("__attribute__((intel_reqd_sub_group_size(" + std::string(size) + "))) kernel void k() {}"));
  for (const char *size : {"1", "4", "12", "64", "0", "-8"})
    CHECK_FALSE(builds("__attribute__((intel_reqd_sub_group_size(" + std::string(size) + "))) kernel void k() {}"));
}

TEST_CASE("Recursion and function pointers are refused", "[diagnostics]") {
  const CompileOutput direct = device().build(
      "int fact(int n) {\n  return n < 2 ? 1 : n * fact(n - 1);\n}\nkernel void k(global int *p) { *p = fact(*p); }",
      "");
  CHECK(direct.status == Status::Failure);
  CHECK(contains(direct.log, "program.cl:1: error: recursion is not supported in OpenCL C, unless it ends by constant "
                             "arguments: 'fact' calls itself"));
  const CompileOutput indirect = device().build("int b(int); int a(int n) { return n ? b(n - 1) : 0; }\n"
                                                "int b(int n) { return n ? a(n - 1) : 1; }\n"
                                                "kernel void k(global int *p) { *p = a(*p); }",
                                                "");
  CHECK(indirect.status == Status::Failure);
  CHECK(contains(indirect.log, "through '"));
  const CompileOutput pointer =
      device().build("int f(int x) { return x; } kernel void k(global int *p) { int (*g)(int) = f; *p = g(1); }", "");
  CHECK(pointer.status == Status::Failure);
  CHECK(contains(pointer.log, "pointers to functions are not allowed"));
}

TEST_CASE("Recursion is refused where constant arguments do not end it", "[diagnostics]") {
  const auto isRefused = [](const std::string &functions, const std::string &call) {
    const std::string source = functions + " kernel void k(global int *p) { p[0] = " + call + "; }";
    const CompileOutput output = device().build(source, "-cl-std=CLC++2021");
    return output.status == Status::Failure && contains(output.log, "recursion is not supported");
  };
  const std::string factorial = "constexpr int f(int n) { return n < 2 ? 1 : n * f(n - 1); }";
  CHECK_FALSE(isRefused(factorial, "f(5)"));
  CHECK(isRefused(factorial, "f(5) + f(p[1])"));
  CHECK(isRefused(factorial + " int g(int n) { return f(n); }", "g(p[1])"));
  CHECK_FALSE(isRefused(factorial + " int g(int n) { return f(n); }", "g(5)"));
  // the function calls itself with the same argument
  CHECK(isRefused("int f(int n) { return n ? f(n) : 0; }", "f(1)"));
  // each call makes another one, without end
  CHECK(isRefused("int f(int n) { return n ? f(n + 1) : 0; }", "f(1)"));
  // the depth depends on an unknown value
  CHECK(isRefused("int f(int n, int x) { return x ? f(n - 1, x) : 0; }", "f(5, p[1])"));
  CHECK(isRefused("int f(int n) { return n ? f(n - 1) : 0; }", "f(5 + p[1] * 0)"));
  CHECK_FALSE(isRefused("int f(int n, int x) { return n ? f(n - 1, x) + x : 0; }", "f(5, p[1])"));
}

TEST_CASE("A kernel may call another kernel", "[diagnostics]") {
  CHECK(builds("kernel void a(global int *p) { *p = 1; } kernel void b(global int *p) { a(p); }"));
}

TEST_CASE("Odd texts are programs or errors, never more", "[diagnostics]") {
  CHECK(builds(""));
  CHECK(builds("// only a comment, no line end"));
  CHECK_FALSE(builds(std::string("kernel void k() { \0 @ }", 23)));
  CHECK_FALSE(builds(std::string(100000, '(')));
  CHECK_FALSE(builds("#include \"program.cl\"\n#error end"));
  CHECK(contains(device().build("#include \"program.cl\"\n#error end", "").log, "too many errors"));
  CHECK_FALSE(builds("\xff\xfe\x00\x01 garbage"));
  std::string sum = "kernel void k(global int *p) { *p = p[0]";
  for (int i = 0; i < 2000; ++i)
    sum += "+p[1]";
  CHECK(builds(sum + "; }"));
}
