// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that OpenCL C leaves open. A kernel that computes one, but does not depend on which value it is, stores what
// it would store with any value.
#include "support/selection.hpp"
#include "support/session.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

using namespace lanecl::test;

namespace {

// An integer type, and a computation of the open value `v`. `size` is the local size.
struct Form {
  const char *type, *value;
};

struct Subject {
  const char *name;
  std::vector<Form> forms;
};

const Subject kSubjects[] = {
    {"conversions of constants",
     {{"int", "(int)NAN"},
      {"int", "(int)1e30f"},
      {"int", "(int)-INFINITY"},
      {"uint", "(uint)-5.0f"},
      {"uint", "(uint)5e9f"},
      {"char", "(char)1000.0f"},
      {"uchar", "(uchar)-1.0f"},
      {"short", "(short)1e6f"},
      {"long", "(long)1e30f"},
      {"ulong", "(ulong)NAN"},
      {"int", "(int)(half)65504.0f * 0 + (short)(half)65504.0f"},
      {"int", "convert_int(NAN)"},
      {"uint", "convert_uint_rte(-7.5f)"},
      {"int", "convert_int4((float4)(1.0f, NAN, 1e20f, 2.0f)).y"},
      {"int", "__builtin_convertvector((float4)(1.0f, NAN, 1e20f, 2.0f), int4).z"}}},
    {"conversions of what the local size makes constant",
     {{"int", "(int)(1e30f * (float)size)"},
      {"uint", "(uint)(-2.0f * (float)size)"},
      {"uchar", "(uchar)(1000.0f * (float)size)"},
      {"char", "(char)(-1000.0f * (float)size)"},
      {"ushort", "(ushort)(1e6f * (float)size)"},
      {"ulong", "(ulong)(1e30f * (float)size)"},
      {"long", "(long)(1e30 * (double)size)"},
      {"int", "(int)(1e30 * (double)size)"},
      {"int", "(int)((float)size / 0.0f)"},
      {"int", "(int)(((float)size - (float)size) / 0.0f)"},
      {"int", "convert_int2((float2)(size) * (float2)(1.0f, 1e20f)).y"}}},
    {"divisions by zeros in the source",
     {{"int", "7 / 0"},
      {"int", "7 % 0"},
      {"int", "id / 0"},
      {"uint", "(uint)id / 0u"},
      {"int", "id % 0"},
      {"ulong", "(ulong)id / 0"},
      {"long", "(long)id % 0"},
      {"int", "((int4)(8) / (int4)(2, 0, 2, 2)).y"},
      {"int", "((int4)(id) % (int4)(2, 0, 2, 2)).y"},
      {"uchar", "((uchar4)(id) / (uchar4)(2, 2, 0, 2)).z"}}},
    {"divisions by zeros that the local size makes",
     {{"uint", "(uint)id / (8 % (uint)size)"},
      {"uint", "(uint)id % (8 % (uint)size)"},
      {"int", "id / (int)(size - size)"},
      {"int", "id % (8 % (int)size)"},
      {"int", "7 / ((int)size - 1)"},
      {"long", "(long)id / ((long)size - 1)"},
      {"ulong", "(ulong)id % (size - 1)"},
      {"int", "((int4)(id) / (int4)(1, 2, 8 % (int)size, 3)).z"},
      {"uint", "id ? (uint)id / (8 % (uint)size) : 3"}}},
    {"overflows of divisions",
     {{"int", "INT_MIN / -1"},
      {"int", "INT_MIN % -1"},
      {"long", "LONG_MIN / -1"},
      {"long", "LONG_MIN % -1"},
      {"int", "INT_MIN / (int)(size - size - 1)"},
      {"int", "(int)(0x80000000u * (uint)(size / size)) / -1"},
      {"long", "LONG_MIN / ((long)(size - size) - 1)"},
      {"long", "LONG_MIN % ((long)(size - size) - 1)"},
      {"int", "((int2)(INT_MIN, id) / (int2)((int)(size - size) - 1, 1)).x"}}},
    {"components and variables that nothing wrote",
     {{"uchar", "as_uchar4((uchar3)(id, 2, 3)).w"},
      {"uint", "as_uint4((uint3)(id, 2, 3)).w"},
      {"float", "((float4)((float3)(1.0f), 2.0f) + as_float4((float3)(2.0f))).w"},
      {"int", "unwritten()"},
      {"int", "partlyWritten(id).y"},
      {"int", "ofArray(id)"},
      {"int", "noResult(id)"},
      {"int", "ofStructure(id)"},
      {"int", "sometimes(id)"},
      {"int", "((int4)(1, 2, 3, 4))[id + 4]"},
      {"int", "((int4)(1, 2, 3, 4))[size + 100]"},
      {"int", "1 << (size + 31)"},
      {"int", "(int)(0x80000000u >> (uint)(size + 31))"}}},
};

struct Use {
  const char *name, *text;
};

const Use kUses[] = {
    {"a branch", "if (v > 3) *o = 7; *o = 42;"},
    {"a loop's limit", "for (int n = 0; n < 2 && n < v; ++n) *o = 7; *o = 42;"},
    {"a switch", "switch ((int)v) { case 0: *o = 5; break; case 7: *o = 6; break; default: *o = 7; } *o = 42;"},
    {"compared with itself", "*o = v == v ? 42 : 7;"},
    {"masked off", "*o = (int)((int)v & 0) | 42;"},
    {"stored and tested", "volatile int w = (int)v; *o = (w > 3) == ((int)v > 3) ? 42 : 7;"},
};

const char *const kHelpers = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
int unwritten() { int x; return x; }
int4 partlyWritten(int x) { int4 v; v.x = x; v.z = 1; return v; }
int ofArray(int i) { int a[4]; a[i & 1] = 1; return a[2 + (i & 1)]; }
int noResult(int i) { if (i == 1000) return 3; }
typedef struct { int a, b; } pair;
int ofStructure(int i) { pair p, q; p.a = i; q = p; return q.b; }
int sometimes(int i) { int x; if (i == 2) x = 5; return x; }
)";

std::string source(const Subject &subject) {
  std::string text = kHelpers;
  for (size_t use = 0; use < std::size(kUses); ++use) {
    text += "kernel void use" + std::to_string(use) +
            "(global int *out) {\n  int id = get_local_id(0); size_t size = get_local_size(0);\n";
    for (size_t form = 0; form < subject.forms.size(); ++form)
      text += "  { global int *o = out + " + std::to_string(form) +
              " * get_global_size(0) + get_global_id(0); *o = 1; " + subject.forms[form].type +
              " v = " + subject.forms[form].value + "; " + kUses[use].text + " }\n";
    text += "}\n";
  }
  return text;
}

void checkSubject(const Subject &subject, const std::string &options) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const std::string attribute =
        "#define kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + "))) kernel\n";
    const Program program = cl.build(attribute + source(subject), options + " -cl-std=CL3.0 -w");
    for (size_t use = 0; use < std::size(kUses); ++use)
      for (const size_t local : {1, 2, 4, 8, 40}) {
        const size_t items = 2 * local;
        Memory out = cl.buffer(std::vector<int>(items * subject.forms.size(), 0));
        cl.run(cl.kernel(program, "use" + std::to_string(use)), {items}, {local}, out);
        const std::vector<int> stored = cl.read<int>(out);
        for (size_t form = 0; form < subject.forms.size(); ++form) {
          INFO(subject.forms[form].value << ", " << kUses[use].name << ", local size " << local << ", sub-groups of "
                                         << width << ", " << options);
          const auto begin = stored.begin() + ptrdiff_t(form * items);
          CHECK(std::vector<int>(begin, begin + ptrdiff_t(items)) == std::vector<int>(items, 42));
        }
      }
  }
}

template <class T> T quotient(T x, T y) {
  if (y == 0)
    return T(~T(0));
  if (std::is_signed_v<T> && y == T(-1))
    return T(0 - std::make_unsigned_t<T>(x));
  return T(x / y);
}

template <class T> T remainder(T x, T y) {
  return y == 0 ? x : std::is_signed_v<T> && y == T(-1) ? T(0) : T(x % y);
}

// Among the divisors are zeros, and divisors with which the quotient overflows. Divisions in other work-items and in
// other components must not be affected. There is one divisor for each work-item, one for all, and vectors.
template <class T> void checkDivisions(const std::string &type) {
  const Session cl;
  // U is wide enough for its products and sums to wrap around instead of overflowing as promoted ints would.
  const std::string modular = sizeof(T) == 8 ? "ulong" : "uint";
  const std::string text = "typedef " + type + " T; typedef " + type + "4 T4; typedef " + modular + " U;" + R"(
KERNEL void k(global const T *x, global const T *y, global T *out, T d) {
  size_t i = get_global_id(0), n = get_global_size(0);
  T4 q = (T4)(x[i]) / (T4)(y[i], d, 3, y[(i + 1) % n]), r = (T4)(x[i]) % (T4)(y[i], d, 3, y[(i + 1) % n]);
  out[i] = x[i] / y[i];
  out[n + i] = x[i] % y[i];
  out[2 * n + i] = x[i] / d;
  out[3 * n + i] = x[i] % d;
  out[4 * n + i] = (T)((U)(x[i] / y[i]) * (U)y[i] + (U)(x[i] % y[i]));
  out[5 * n + i] = (T)((U)x[i] - (U)(x[i] / d) * (U)d);
  out[6 * n + i] = x[0] / d;
  vstore4(q, i, out + 8 * n);
  vstore4(r, i, out + 12 * n);
})";
  const size_t n = 74;
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  const T edges[] = {T(0), T(-1), T(1), least, most, T(7), T(-3)};
  std::vector<T> x(n), y(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = edges[i % 7];
    y[i] = edges[i / 7 % 7];
  }
  for (const size_t width : widthsInTurn()) {
    const Program program = cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(" +
                                         std::to_string(width) + "))) kernel\n" + text,
                                     "-cl-std=CL3.0");
    for (const T d : edges) {
      std::vector<T> want(16 * n, T(9));
      for (size_t i = 0; i < n; ++i) {
        const T divisors[] = {y[i], d, T(3), y[(i + 1) % n]};
        want[i] = quotient(x[i], y[i]);
        want[n + i] = remainder(x[i], y[i]);
        want[2 * n + i] = quotient(x[i], d);
        want[3 * n + i] = remainder(x[i], d);
        want[4 * n + i] = x[i];
        want[5 * n + i] = remainder(x[i], d);
        want[6 * n + i] = quotient(x[0], d);
        for (size_t c = 0; c < 4; ++c) {
          want[8 * n + 4 * i + c] = quotient(x[i], divisors[c]);
          want[12 * n + 4 * i + c] = remainder(x[i], divisors[c]);
        }
      }
      Memory dividends = cl.buffer(x), divisors = cl.buffer(y), out = cl.buffer(std::vector<T>(16 * n, T(9)));
      cl.run(cl.kernel(program, "k"), {n}, {37}, dividends, divisors, out, d);
      const std::vector<T> stored = cl.read<T>(out);
      for (size_t row = 0; row < 16; ++row) {
        INFO(type << ", divisor " << int64_t(d) << ", row " << row << ", sub-groups of " << width);
        const auto of = [&](const std::vector<T> &values) { // as numbers, which Catch2 prints
          return std::vector<int64_t>(values.begin() + ptrdiff_t(row * n), values.begin() + ptrdiff_t((row + 1) * n));
        };
        CHECK(of(stored) == of(want));
      }
    }
  }
}

// Divisors that the program itself keeps from being zero, with the code that safe divisions consist of.
template <class T> void checkOwnReplacements(const std::string &type) {
  using U = std::make_unsigned_t<T>;
  const Session cl;
  const std::string unsigned_type = std::is_signed_v<T> ? "u" + type : type;
  const std::string text = "typedef " + type + " T; typedef " + unsigned_type + " U;" + R"(
KERNEL void k(global const T *x, global const T *y, global T *out, T d) {
  size_t i = get_global_id(0), n = get_global_size(0);
  T least = (T)max((U)y[i], (U)1), replaced = (U)(y[i] + 1) < 2 ? (T)1 : y[i];
  T all = (T)max((U)d, (U)1);
  out[i] = x[i] / least;
  out[n + i] = x[i] % least;
  out[2 * n + i] = x[i] / replaced;
  out[3 * n + i] = x[i] % replaced;
  out[4 * n + i] = x[i] / all;
  out[5 * n + i] = y[i] == 0 ? (T)5 : (T)(x[i] / least);
  out[6 * n + i] = (T)((U)(y[i] == 0 ? (T)-1 : y[i] == (T)-1 ? (T)42 : (T)(x[i] / replaced)) * (U)y[i]);
})";
  const size_t n = 74, rows = 7;
  const T edges[] = {T(0), T(-1), T(1), T(2), std::numeric_limits<T>::max(), T(7), T(-3)};
  std::vector<T> x(n), y(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = T(edges[i % 7] + (i % 2));
    y[i] = edges[i / 7 % 7];
  }
  const auto least = [](T v) { return v == 0 ? T(1) : v; };
  for (const size_t width : {8, 16, 32}) {
    const Program program = cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(" +
                                         std::to_string(width) + "))) kernel\n" + text,
                                     "-cl-std=CL3.0");
    for (const T d : {T(0), T(1), T(7)}) {
      std::vector<T> want(rows * n);
      for (size_t i = 0; i < n; ++i) {
        const T replaced = U(y[i] + 1) < 2 ? T(1) : y[i];
        want[i] = quotient(x[i], least(y[i]));
        want[n + i] = remainder(x[i], least(y[i]));
        want[2 * n + i] = quotient(x[i], replaced);
        want[3 * n + i] = remainder(x[i], replaced);
        want[4 * n + i] = quotient(x[i], least(d));
        want[5 * n + i] = y[i] == 0 ? T(5) : quotient(x[i], y[i]);
        want[6 * n + i] = T(U(y[i] == 0 ? T(-1) : y[i] == T(-1) ? T(42) : T(x[i] / replaced)) * U(y[i]));
      }
      Memory dividends = cl.buffer(x), divisors = cl.buffer(y), out = cl.buffer(std::vector<T>(rows * n, T(9)));
      cl.run(cl.kernel(program, "k"), {n}, {37}, dividends, divisors, out, d);
      const std::vector<T> stored = cl.read<T>(out);
      for (size_t row = 0; row < rows; ++row) {
        INFO(type << ", divisor " << int64_t(d) << ", row " << row << ", sub-groups of " << width);
        CHECK(std::equal(want.begin() + ptrdiff_t(row * n), want.begin() + ptrdiff_t((row + 1) * n),
                         stored.begin() + ptrdiff_t(row * n)));
      }
    }
  }
}

} // namespace

TEST_CASE("what does not depend on an open value is stored", "[undefined_values]") {
  for (const Subject &subject : kSubjects)
    for (const char *options : {"", "-cl-opt-disable"})
      checkSubject(subject, options);
}

TEST_CASE("divisions by zero and overflowing divisions do not affect the others", "[undefined_values]") {
  checkDivisions<int8_t>("char");
  checkDivisions<uint8_t>("uchar");
  checkDivisions<int16_t>("short");
  checkDivisions<uint16_t>("ushort");
  checkDivisions<int32_t>("int");
  checkDivisions<uint32_t>("uint");
  checkDivisions<int64_t>("long");
  checkDivisions<uint64_t>("ulong");
}

TEST_CASE("programs themselves keep divisors from being zero", "[undefined_values]") {
  checkOwnReplacements<int8_t>("char");
  checkOwnReplacements<uint8_t>("uchar");
  checkOwnReplacements<int16_t>("short");
  checkOwnReplacements<uint16_t>("ushort");
  checkOwnReplacements<int32_t>("int");
  checkOwnReplacements<uint32_t>("uint");
  checkOwnReplacements<int64_t>("long");
  checkOwnReplacements<uint64_t>("ulong");
}

// The compiler must not conclude from a division by d that d is not zero.
TEST_CASE("a divisor is tested after it divides", "[undefined_values]") {
  const Session cl;
  const Program program = cl.build(R"(kernel void tested(global uint *out, uint d, int e) {
  uint id = get_global_id(0), q = (1000 + id) / d;
  int r = (int)id % e;
  out[id] = (d == 0 ? 42 : q) + (e == 0 ? 1 : r);
})");
  Memory out = cl.buffer(std::vector<uint32_t>(20, 0));
  cl.run(cl.kernel(program, "tested"), {20}, {5}, out, 0u, 0);
  CHECK(cl.read<uint32_t>(out) == std::vector<uint32_t>(20, 43));
  std::vector<uint32_t> want;
  for (uint32_t id = 0; id < 20; ++id)
    want.push_back((1000 + id) / 7 + id % 3);
  cl.run(cl.kernel(program, "tested"), {20}, {5}, out, 7u, 3);
  CHECK(cl.read<uint32_t>(out) == want);
}

// Some programs divide such a 0 by a value that the host program has set to 0, too, and use the quotient as an index.
// Only a zero that the launch makes gives a quotient with all bits set, as at run time.
TEST_CASE("a dividend that is always 0 in the source has a quotient of 0", "[undefined_values]") {
  const Session cl;
  const std::string source = R"(
inline int rowOf(int image, int height, int ratio) { return (image % height) / ratio * 100 + image / ratio; }
inline long half_of(long n, long by) { return n / by; }
kernel void k(global int *out, int height, int ratio) {
  int i = get_global_id(0), image = 0, id = get_local_id(0);
  int4 none = 0;
  out[8 * i] = rowOf(image, height, ratio);
  out[8 * i + 1] = 0 / ratio + 0 % ratio;
  out[8 * i + 2] = half_of(image * i, ratio) + half_of(-5, -1);
  out[8 * i + 3] = (none / (int4)(ratio)).w;
  out[8 * i + 4] = (uint)image / (uint)ratio;
  out[8 * i + 5] = (char)image / (char)ratio;
  out[8 * i + 6] = id / ratio;
  out[8 * i + 7] = half_of(i + 1, ratio);
})";
  const std::vector<int> by_zero{0, 0, 5, 0, 0, 0, -1, -1};
  // A function that stays a function does not know that its dividend is always 0.
  const std::vector<size_t> columns = isSet("LANECL_KEEP_FUNCTIONS", "1") ? std::vector<size_t>{1, 3, 4, 5, 6, 7}
                                                                          : std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7};
  for (const char *options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable", "-cl-std=CL3.0 -g"})
    for (const size_t local : {1, 8}) {
      INFO(options << ", local size " << local);
      const Program program = cl.build(source, options);
      Memory out = cl.buffer(std::vector<int>(8 * 8, 7));
      cl.run(cl.kernel(program, "k"), {8}, {local}, out, 3, 0);
      const std::vector<int> stored = cl.read<int>(out);
      for (size_t i = 0; i < 8; ++i)
        for (const size_t column : columns)
          CHECK(stored[8 * i + column] == by_zero[column]);
      cl.run(cl.kernel(program, "k"), {8}, {local}, out, 3, 2);
      CHECK(cl.read<int>(out)[8 * 7 + 7] == 4);
    }
}

// By the rules of C99, the second write is to other memory than the first one.
TEST_CASE("a buffer is written as float and read as int", "[undefined_values]") {
  const Session cl;
  const Program program = cl.build(R"(kernel void k(global int *out, global float *numbers) {
  size_t i = get_global_id(0);
  out[i] = 5;
  numbers[i] = 1.0f;
  int bits = out[i];
  out[i] = bits == 0x3f800000 ? 42 : bits;
})");
  Memory out = cl.buffer(std::vector<int>(20, 0));
  cl.run(cl.kernel(program, "k"), {20}, {5}, out, out);
  CHECK(cl.read<int>(out) == std::vector<int>(20, 42));
}

// C++ for OpenCL: the compiler concludes nothing from a loop without effect, or from a function that returns no value.
TEST_CASE("C++ for OpenCL has no undefined loops and results", "[undefined_values]") {
  const Session cl;
  const Program program = cl.build(R"(int noResult(int x) { if (x == 1000) return 3; }
kernel void k(global int *out) {
  int i = get_global_id(0);
  out[i] = 7;
  int v = noResult(i);
  bool b;
  out[i] = (v & 0) | (b ? 42 : 42);
})",
                                   "-cl-std=CLC++2021 -w");
  Memory out = cl.buffer(std::vector<int>(20, 0));
  cl.run(cl.kernel(program, "k"), {20}, {5}, out);
  CHECK(cl.read<int>(out) == std::vector<int>(20, 42));
}

// Clang evaluates such expressions, as far as it can, while it emits code.
TEST_CASE("expressions of constants do not depend on an open value within them", "[undefined_values]") {
  const std::vector<std::string> expressions = {
      "(7 / 0 & 0) | 42",
      "(7 % 0 * 0) + 42",
      "7 / 0 == 7 / 0 ? 42 : 7",
      "(INT_MIN / -1 & 0) | 42",
      "INT_MIN % -1 * 0 + 42",
      "(int)((7ul / 0 & 0) | 42)",
      "(7 / as_int(0.0f) & 0) | 42",
      "(7 / (1 - 1) & 0) | 42",
      "(((d = 7) / 0) & 0) | 42",
      "((int4)(1, 42, 3, 4) / (int4)(0, 1, 2, 3)).y",
      "((int4)(42) / (int4)(0, 1, 2, 3)).y",
      "((int4)(42) / (int4)(0) & 0).y | 42",
      "(((int4)(7) % (int4)(0) & (int4)(0)) | (int4)(42)).w",
      "((short3)(42, 42, SHRT_MIN) / (short3)(1, 0, -1)).x",
      "(convert_int4((uchar4)(7) / (uchar4)(0)).x & 0) | 42",
      "__builtin_convertvector((float2)(1e30f, 42.0f), int2).y",
      "__builtin_convertvector((float4)(42.0f, NAN, 1e20f, 2.0f), int4).x",
      "__builtin_convertvector((float2)(1e30f), int2).y * 0 + 42",
      "((int)((float4)(1e30f)).x & 0) | 42",
      "((int[2]){7 / 0, 42})[1]",
      "(7 / 0 && false) ? 7 : 42",
      "sizeof(7 / 0) == 4 ? 42 : 7",
      "7 / 0 == -1 && 7u % 0 == 7 ? 42 : 7",
      "INT_MIN / -1 == INT_MIN && INT_MIN % -1 == 0 ? 42 : 7",
      "-84 / -2",
  };
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i)
    text += "  out[" + std::to_string(i) + " * get_global_size(0) + i] = " + expressions[i] + ";\n";
  const Session cl;
  const size_t items = 40;
  for (const char *options : {"-cl-std=CL3.0 -w", "-cl-std=CL3.0 -w -cl-opt-disable", "-cl-std=CL3.0 -w -g"}) {
    const Program program = cl.build(
        "kernel void k(global int *out) {\n  size_t i = get_global_id(0);\n  int d;\n" + text + "}\n", options);
    Memory out = cl.buffer(std::vector<int>(items * expressions.size(), 0));
    cl.run(cl.kernel(program, "k"), {items}, {20}, out);
    const std::vector<int> stored = cl.read<int>(out);
    for (size_t i = 0; i < expressions.size(); ++i) {
      INFO(expressions[i] << ", " << options);
      const auto begin = stored.begin() + ptrdiff_t(i * items);
      CHECK(std::vector<int>(begin, begin + ptrdiff_t(items)) == std::vector<int>(items, 42));
    }
  }
}

// Templates, methods, default arguments and lambdas are emitted later than functions.
TEST_CASE("expressions of constants in C++ for OpenCL", "[undefined_values]") {
  const Session cl;
  const Program program = cl.build(R"(template <int divisor> int ofTemplate() { return (7 / divisor & 0) | 42; }
template <class T> T ofType() { return (T(7) / T(0) & T(0)) | T(42); }
template <class T> struct Holder { T method() const { return (7 / T(0) & 0) | 42; } };
struct Plain { int method() const { return (7 % 0 & 0) | 42; } };
constexpr int oneOf(bool first) { return ((first ? 84 : INT_MIN) / (first ? 2 : -1)); }
constexpr int never(bool zero) { return zero ? (7 / 0 & 0) : 42; }
int given(int x = (7 / 0 & 0) | 42) { return x; }
constant int size = never(false), quotient = 84 / -2;
kernel void k(global int *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  auto lambda = [](int x) { return (7 / 0 & 0) | x; };
  constexpr int known = oneOf(true);
  int array[known];
  array[i % 2] = 42;
  out[i] = ofTemplate<0>();
  out[n + i] = (int)ofType<long>();
  out[2 * n + i] = Holder<int>().method();
  out[3 * n + i] = Plain().method();
  out[4 * n + i] = known;
  out[5 * n + i] = size;
  out[6 * n + i] = given();
  out[7 * n + i] = lambda(42);
  out[8 * n + i] = array[i % 2];
  out[9 * n + i] = (never(i > 1000) & 0) | 42;
  out[10 * n + i] = -quotient;
  out[11 * n + i] = ((int4)(42) / (int4)(0, 1, 2, 3)).y;
})",
                                   "-cl-std=CLC++2021 -w");
  Memory out = cl.buffer(std::vector<int>(12 * 40, 0));
  cl.run(cl.kernel(program, "k"), {40}, {20}, out);
  CHECK(cl.read<int>(out) == std::vector<int>(12 * 40, 42));
}

// SPIR-V also leaves open what a shift by the width or more gives, and no Clang has masked the amount.
TEST_CASE("open values of SPIR-V", "[undefined_values]") {
  const std::string before = R"(
               OpEntryPoint Kernel %k "k" %GlobalInvocationId %WorkgroupSize
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uint
      %least = OpConstant %uint 2147483648
      %large = OpConstant %float 1e30
       %ones = OpConstant %uint 4294967295
       %open = OpUndef %uint
    %special = OpSpecConstantOp %uint UDiv %uint_7 %uint_0
%special_shift = OpSpecConstantOp %uint ShiftLeftLogical %uint_7 %uint_40
%special_overflow = OpSpecConstantOp %uint SDiv %least %ones
%special_mask = OpSpecConstantOp %uint BitwiseAnd %special %uint_0
%special_sum = OpSpecConstantOp %uint BitwiseOr %special_mask %uint_42
%special_parts = OpSpecConstantOp %uint SMod %uint_42 %special_mask
     %vector = OpConstantComposite %v4uint %uint_40 %uint_0 %uint_40 %open
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
        %ids = OpLoad %v3ulong %GlobalInvocationId Aligned 32
      %sizes = OpLoad %v3ulong %WorkgroupSize Aligned 32
    %id_long = OpCompositeExtract %ulong %ids 0
         %id = OpUConvert %uint %id_long
  %size_long = OpCompositeExtract %ulong %sizes 0
       %size = OpUConvert %uint %size_long
    %nothing = OpISub %uint %size %size
     %beyond = OpIAdd %uint %size %uint_40
      %below = OpISub %uint %nothing %uint_1
       %less = OpISub %uint %uint_7 %uint_7
%more_than_large = OpFAdd %float %large %large
      %place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %id_long
)";
  const std::string behind = R"(
       %more = OpUGreaterThan %bool %v %uint_3
               OpSelectionMerge %end None
               OpBranchConditional %more %then %end
       %then = OpLabel
               OpStore %place %uint_7 Aligned 4
               OpBranch %end
        %end = OpLabel
     %masked = OpBitwiseAnd %uint %v %uint_0
     %result = OpBitwiseOr %uint %masked %uint_42
               OpStore %place %result Aligned 4
               OpReturn
               OpFunctionEnd
)";
  const Session cl;
  for (const char *value :
       {"OpShiftRightLogical %uint %id %beyond", "OpShiftRightArithmetic %uint %id %beyond",
        "OpSDiv %uint %least %below", "OpUDiv %uint %id %nothing", "OpSMod %uint %id %nothing",
        "OpSRem %uint %id %uint_0", "OpUMod %uint %id %nothing", "OpConvertFToS %uint %large",
        "OpConvertFToU %uint %large", "OpCopyObject %uint %open", "OpCompositeExtract %uint %vector 3",
        "OpVectorExtractDynamic %uint %vector %beyond",
        // of constants only
        "OpUDiv %uint %uint_7 %uint_0", "OpSDiv %uint %uint_7 %uint_0", "OpUMod %uint %uint_7 %uint_0",
        "OpSRem %uint %uint_7 %uint_0", "OpSMod %uint %uint_7 %uint_0", "OpSDiv %uint %least %ones",
        "OpSRem %uint %least %ones", "OpSMod %uint %least %ones", "OpShiftLeftLogical %uint %uint_7 %uint_40",
        "OpShiftRightLogical %uint %uint_7 %uint_40", "OpShiftRightArithmetic %uint %least %uint_40",
        "OpUDiv %uint %uint_7 %less", "OpConvertFToS %uint %more_than_large", "OpIAdd %uint %special %id",
        "OpIAdd %uint %special_shift %id", "OpCopyObject %uint %special", "OpCopyObject %uint %special_overflow"}) {
    const Program program = buildIl(cl, createWithIl(cl, assemble(before + "%v = " + value + behind)));
    Memory out = cl.buffer(std::vector<int>(20, 0));
    cl.run(cl.kernel(program, "k"), {20}, {5}, out);
    INFO(value);
    CHECK(cl.read<int>(out) == std::vector<int>(20, 42));
  }
  for (const char *value : {"OpBitwiseOr %uint %special_mask %uint_42", "OpCopyObject %uint %special_sum",
                            "OpCopyObject %uint %special_parts", "OpISub %uint %uint_42 %special_mask"}) {
    const std::string store = R"(
               OpStore %place %v Aligned 4
               OpReturn
               OpFunctionEnd
)";
    const Program program = buildIl(cl, createWithIl(cl, assemble(before + "%v = " + value + store)));
    Memory out = cl.buffer(std::vector<int>(20, 0));
    cl.run(cl.kernel(program, "k"), {20}, {5}, out);
    INFO(value);
    CHECK(cl.read<int>(out) == std::vector<int>(20, 42));
  }
}
