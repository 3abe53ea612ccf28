// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mathematical functions in the lanes of both instruction sets, at every width, in complete and incomplete sub-groups,
// under a mask and of uniform arguments.
#include "functions.h"

#include "support/selection.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

using namespace lanecl::test;

namespace {

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr const char *name = "float";
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr const char *name = "double";
};

// The distance of `got` from the exact `want` in units of the last place of the number nearest to it. A zero must have
// the right sign where it is exact.
template <class T> double ulpError(T got, Real want) {
  using Limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(want);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : HUGE_VAL;
  if (want == 0 && got == 0)
    return std::signbit(got) == std::signbit(want) ? 0 : HUGE_VAL;
  const Real overflow = std::ldexp(1.0L, Limits::max_exponent), got_exact = got;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got)
      return 0;
    // One step across the border of overflow is an error of that size, no more.
    const Real from = std::isinf(want) ? std::copysign(overflow, want) : want;
    const Real to = std::isinf(got) ? std::copysign(overflow, got_exact) : got_exact;
    return double(std::fabs(to - from) / std::ldexp(1.0L, Limits::max_exponent - Limits::digits));
  }
  const int exponent = std::max(rounded == 0 ? Limits::min_exponent : std::ilogb(rounded) + 1, Limits::min_exponent);
  return double(std::fabs(got_exact - want) / std::ldexp(1.0L, exponent - Limits::digits));
}

// The special values, all bit patterns, and numbers that are neither large nor small.
template <class T> std::vector<T> samples(size_t count, unsigned seed) {
  std::vector<T> values = specialValues<T>();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<T> near(-2, 2), moderate(-40, 40);
  while (values.size() < count) {
    values.push_back(std::bit_cast<T>(static_cast<typename Format<T>::Bits>(random())));
    values.push_back(near(random));
    values.push_back(moderate(random));
  }
  values.resize(count);
  return values;
}

// The last sub-group of each work-group is incomplete.
constexpr size_t kLocal = 100, kItems = 60 * kLocal;

// The kernels of a function: of all work-items, of some under a mask, and, if wanted, of an argument that a work-group
// shares.
std::string kernels(const std::string &type, const std::string &name, const std::string &call, size_t width,
                    bool want_shared) {
  std::string source;
  const auto add = [&](const std::string &prefix, const std::string &body) {
    source += "__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + "))) kernel void " + prefix + name +
              "(global const " + type + " *x, global const " + type + " *y, global " + type +
              " *out) {\n  size_t i = get_global_id(0), g = get_group_id(0);\n  " + body + "\n}\n";
  };
  add("all_", "out[i] = " + name + "(" + call + ");");
  add("some_", "if (i % 3 != 1) out[i] = " + name + "(" + call + "); else out[i] = 7;");
  if (!want_shared)
    return source;
  std::string shared = call;
  std::replace(shared.begin(), shared.end(), 'i', 'g');
  add("shared_", "out[i] = " + name + "(" + shared + ");");
  return source;
}

// Both functions of one angle are computed together.
std::string sineAndCosine(const std::string &type) {
  return type + " sin_beside_cos(" + type + " x) { " + type + " c = cos(x); return sin(x); }\n" + //
         type + " cos_beside_sin(" + type + " x) { " + type + " s = sin(x); return cos(x); }\n";
}

template <class T> class Lanes {
public:
  template <class Functions> Lanes(const Functions &functions, const std::string &call, size_t width) {
    std::string source = sineAndCosine(Format<T>::name);
    size_t turn = width / 8;
    for (const auto &function : functions) {
      const bool want_shared = isInTurn(turn++, 3);
      source += kernels(Format<T>::name, function.name, call, width, want_shared);
      if (want_shared)
        shared.insert(function.name);
    }
    program = cl.build(source, "-cl-std=CL3.0");
  }

  // check(i, result) for each result of the i-th arguments.
  template <class Check>
  void run(const std::string &name, const std::vector<T> &x, const std::vector<T> &y, const Check &check) const {
    const auto results = [&](const std::string &kernel, size_t items) {
      Memory out = cl.bytes(items * sizeof(T));
      cl.run(cl.kernel(program, kernel + name), {items}, {kLocal}, cl.buffer(x), cl.buffer(y), out);
      return cl.template read<T>(out);
    };
    const std::vector<T> all = results("all_", kItems), some = results("some_", kItems);
    for (size_t i = 0; i < kItems; ++i) {
      check(i, all[i]);
      if (i % 3 != 1)
        check(i, some[i]);
    }
    if (!shared.contains(name))
      return;
    const size_t groups = 200;
    const std::vector<T> same = results("shared_", groups * kLocal);
    for (size_t i = 0; i < groups * kLocal; i += kLocal / 4)
      check(i / kLocal, same[i]);
  }

private:
  Session cl;
  Program program;
  // The functions that get a shared argument. It is computed once for a sub-group, whatever its size, so the widths
  // take turns: 8 / 8, 16 / 8 and 32 / 8 have three remainders.
  std::set<std::string> shared;
};

// The largest error of a function and where it is.
template <class T> struct Worst {
  double error = 0;
  T x = 0, y = 0, got = 0;
  void add(double new_error, T new_x, T new_y, T new_got) {
    if (new_error > error)
      *this = {new_error, new_x, new_y, new_got};
  }
  void check(const std::string &name, double limit) const {
    INFO(Format<T>::name << ' ' << name << '(' << x << ", " << y << ") gave " << got);
    CHECK(error <= limit);
  }
};

template <class T>
void checkUnary(size_t width, const std::vector<UnaryFunction> &functions,
                const std::vector<std::vector<T>> &arguments) {
  const Lanes<T> lanes(functions, "x[i]", width);
  for (const UnaryFunction &f : functions) {
    Worst<T> worst;
    for (const std::vector<T> &x : arguments)
      lanes.run(f.name, x, x, [&](size_t i, T got) { worst.add(ulpError(got, f.reference(x[i])), x[i], 0, got); });
    worst.check(f.name, sizeof(T) == sizeof(float) ? f.float_limit : f.double_limit);
  }
}

// Where functions of double change from one entry of a table to the next: 16ths of mantissas, odd multiples of
// log(2)/32 and of 13/64, and the numbers beside them.
std::vector<double> bordersOfTables() {
  std::vector<double> values;
  std::mt19937 random(10);
  while (values.size() < kItems) {
    const int n = int(random() % 32) - 16;
    double border = std::ldexp(1.0 + (n + 16) / 32.0, int(random() % 5 == 0 ? random() % 2040 : random() % 8) - 1020);
    if (random() % 2)
      border = std::ldexp(border, 1018);
    if (random() % 3 == 0)
      border = (2 * n + 1) * (random() % 2 ? 13.0 / 64 : std::log(2.0) / 32 * (1 << random() % 8));
    const double away = random() % 2 ? HUGE_VAL : -HUGE_VAL;
    values.insert(values.end(), {border, std::nextafter(border, away), std::nextafter(border, -away), -border});
  }
  values.resize(kItems);
  return values;
}

// All pairs of special values, pairs of others, and such whose power has any exponent.
template <class T> void checkBinary(size_t width) {
  const Lanes<T> lanes(binaryFunctions(), "x[i], y[i]", width);
  std::vector<T> x = samples<T>(kItems, 2), y = samples<T>(kItems, 3);
  const std::vector<T> special = specialValues<T>();
  for (size_t i = 0; i < special.size() * special.size(); ++i) {
    x[i] = special[i / special.size()];
    y[i] = special[i % special.size()];
  }
  std::mt19937 random(9);
  std::uniform_real_distribution<T> base(T(0.4), T(2.5)),
      exponent(std::numeric_limits<T>::min_exponent * T(1.2), std::numeric_limits<T>::max_exponent * T(1.1));
  for (size_t i = kItems / 2; i < kItems; i += 2) {
    x[i] = base(random);
    y[i] = exponent(random) / std::log2(x[i]);
  }
  for (const BinaryFunction &f : binaryFunctions()) {
    Worst<T> worst;
    lanes.run(f.name, x, y,
              [&](size_t i, T got) { worst.add(ulpError(got, f.reference(x[i], y[i])), x[i], y[i], got); });
    worst.check(f.name, f.limit);
  }
}

// With T in the source and the width.
template <class T> Program buildFor(const Session &cl, const std::string &source, size_t width) {
  return cl.build("__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + ")))\n" + source,
                  std::string("-cl-std=CL3.0 -DT=") + Format<T>::name);
}

// The exponents of rootn, pown and ldexp: those of short cuts, and their neighbors.
constexpr int kExponents[] = {0,  1,  -1,  2,   -2,   3,    -3,    7,       8,         -8,         9,
                              -9, 16, -17, 127, -149, 1023, -1074, 1000001, -20000000, 2147483647, -2147483647};

template <class T> void checkWithInteger(size_t width) {
  const Session cl;
  const Program program = buildFor<T>(cl,
                                      "kernel void k(global const T *x, global const int *n, global T *power,\n"
                                      "              global T *root, global T *scaled) {\n"
                                      "  size_t i = get_global_id(0);\n"
                                      "  power[i] = pown(x[i], n[i]);\n"
                                      "  root[i] = rootn(x[i], n[i]);\n"
                                      "  scaled[i] = ldexp(x[i], n[i]);\n"
                                      "}\n",
                                      width);
  const std::vector<T> x = samples<T>(kItems, 4);
  std::vector<int> n(kItems);
  for (size_t i = 0; i < kItems; ++i)
    n[i] = kExponents[i * 7 / 5 % std::size(kExponents)];
  Memory power = cl.bytes(kItems * sizeof(T)), root = cl.bytes(kItems * sizeof(T)),
         scaled = cl.bytes(kItems * sizeof(T));
  cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, cl.buffer(x), cl.buffer(n), power, root, scaled);
  const std::vector<T> powers = cl.read<T>(power), roots = cl.read<T>(root), products = cl.read<T>(scaled);
  Worst<T> worst_power, worst_root, worst_product;
  for (size_t i = 0; i < kItems; ++i) {
    const Real magnitude = std::pow(std::fabs(Real(x[i])), 1 / Real(n[i]));
    const bool defined = n[i] != 0 && !(x[i] < 0 && n[i] % 2 == 0);
    const Real want = !defined ? Real(NAN) : n[i] % 2 != 0 ? std::copysign(magnitude, Real(x[i])) : magnitude;
    worst_power.add(ulpError(powers[i], std::pow(Real(x[i]), Real(n[i]))), x[i], T(n[i]), powers[i]);
    worst_root.add(ulpError(roots[i], want), x[i], T(n[i]), roots[i]);
    worst_product.add(ulpError(products[i], Real(std::ldexp(x[i], n[i]))), x[i], T(n[i]), products[i]);
  }
  worst_power.check("pown", 16);
  worst_root.check("rootn", 16);
  worst_product.check("ldexp", 0);
}

// The remainder is exact; of the quotient, the sign and at least three bits.
template <class T> void checkQuotients(size_t width) {
  const Session cl;
  const Program program = buildFor<T>(cl,
                                      "kernel void k(global const T *x, global const T *y, global T *rest,\n"
                                      "              global int *quotient) {\n"
                                      "  size_t i = get_global_id(0);\n"
                                      "  int q;\n"
                                      "  rest[i] = remquo(x[i], y[i], &q);\n"
                                      "  quotient[i] = q;\n"
                                      "}\n",
                                      width);
  const std::vector<T> x = samples<T>(kItems, 5);
  std::vector<T> y = samples<T>(kItems, 6);
  std::shuffle(y.begin(), y.end(), std::mt19937(7));
  for (size_t i = 0; i < kItems; i += 4) // exact quotients and those half-way between integers
    y[i] = x[i] / T(1 << i % 12);
  Memory rest = cl.bytes(kItems * sizeof(T)), quotient = cl.bytes(kItems * sizeof(int));
  cl.run(cl.kernel(program, "k"), {kItems}, {kLocal}, cl.buffer(x), cl.buffer(y), rest, quotient);
  const std::vector<T> rests = cl.read<T>(rest);
  const std::vector<int> quotients = cl.read<int>(quotient);
  Worst<T> worst;
  size_t wrong = 0;
  for (size_t i = 0; i < kItems; ++i) {
    int q = 0;
    const T want = std::remquo(x[i], y[i], &q);
    worst.add(ulpError(rests[i], Real(want)), x[i], y[i], rests[i]);
    wrong += !std::isnan(want) && ((quotients[i] ^ q) & 7) != 0 && ((quotients[i] + q) & 7) != 0;
  }
  worst.check("remquo", 0);
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("functions of one argument in lanes", "[unary]") {
  const size_t width = GENERATE(8, 16, 32);
  checkUnary<float>(width, unaryFunctions(), {samples<float>(kItems, 1)});
  checkUnary<float>(width, floatFunctions(), {samples<float>(kItems, 11)});
  checkUnary<double>(width, unaryFunctions(), {samples<double>(kItems, 1), bordersOfTables()});
}

TEST_CASE("functions of two arguments in lanes", "[binary]") {
  const size_t width = GENERATE(8, 16, 32);
  checkBinary<float>(width);
  checkBinary<double>(width);
}

TEST_CASE("functions with an integer in lanes", "[integer]") {
  const size_t width = GENERATE(8, 16, 32);
  checkWithInteger<float>(width);
  checkWithInteger<double>(width);
  checkQuotients<float>(width);
  checkQuotients<double>(width);
}

TEST_CASE("native and half functions in lanes", "[native]") {
  const size_t width = GENERATE(8, 16, 32);
  const Lanes<float> lanes(nativeFunctions(), "x[i]", width);
  for (const NativeFunction &f : nativeFunctions()) {
    std::mt19937 random(8);
    std::uniform_real_distribution<float> bits(std::max(std::log2(std::max(f.low, 1e-38f)), -126.0f),
                                               std::log2(f.high));
    std::uniform_real_distribution<float> linear(f.low, f.high);
    std::vector<float> x(kItems);
    for (float &value : x)
      value = f.low > 0 ? std::exp2(bits(random)) : linear(random);
    Worst<float> worst;
    lanes.run(f.name, x, x, [&](size_t i, float got) {
      const Real want = f.reference(x[i]), error = std::fabs(got - want);
      worst.add(double(f.is_absolute ? error : error / std::fabs(want)), x[i], 0, got);
    });
    worst.check(f.name, f.error);
  }
}

TEST_CASE("native functions of zeros, infinities and NaN", "[native]") {
  const float infinity = HUGE_VALF, nan = std::nanf("");
  const std::vector<std::pair<std::string, std::vector<std::pair<float, float>>>> cases{
      {"native_exp2", {{infinity, infinity}, {-infinity, 0}, {nan, nan}, {0, 1}, {1e30f, infinity}, {-1e30f, 0}}},
      {"native_log2", {{0, -infinity}, {infinity, infinity}, {-1, nan}, {nan, nan}, {1, 0}}},
      {"native_recip", {{0, infinity}, {-0.0f, -infinity}, {infinity, 0}, {-infinity, -0.0f}, {nan, nan}}},
      {"native_rsqrt", {{0, infinity}, {infinity, 0}, {-1, nan}, {nan, nan}}},
      {"native_sqrt", {{0, 0}, {-0.0f, -0.0f}, {infinity, infinity}, {-1, nan}, {nan, nan}}},
      {"half_recip", {{0, infinity}, {-0.0f, -infinity}, {infinity, 0}, {nan, nan}}},
      {"half_rsqrt", {{0, infinity}, {infinity, 0}, {-1, nan}, {nan, nan}}},
      {"half_sqrt", {{0, 0}, {-0.0f, -0.0f}, {infinity, infinity}, {-1, nan}, {nan, nan}}}};
  const Session cl;
  for (const auto &[name, pairs] : cases) {
    const Program program =
        cl.build("kernel void k(global float *x) { size_t i = get_global_id(0); x[i] = " + name + "(x[i]); }");
    std::vector<float> x(16, 1.0f);
    for (size_t i = 0; i < pairs.size(); ++i)
      x[i] = pairs[i].first;
    Memory data = cl.buffer(x);
    cl.run(cl.kernel(program, "k"), {x.size()}, {x.size()}, data);
    const std::vector<float> got = cl.read<float>(data);
    for (size_t i = 0; i < pairs.size(); ++i) {
      INFO(name << '(' << pairs[i].first << ") gave " << got[i]);
      const float want = pairs[i].second;
      CHECK((std::isnan(want) ? std::isnan(got[i]) : got[i] == want && std::signbit(got[i]) == std::signbit(want)));
    }
  }
}

TEST_CASE("results that the specification gives exactly", "[exact]") {
  const Session cl;
  for (const std::string type : {"float", "double"}) {
    const Program program =
        cl.build("typedef " + type +
                     " T;\nkernel void k(global const T *x, global T *out) {\n"
                     "  size_t i = get_global_id(0), n = get_global_size(0);\n"
                     "  out[i] = cos(x[i]); out[n + i] = exp(x[i]); out[2 * n + i] = exp2(x[i]);\n"
                     "  out[3 * n + i] = cospi(x[i]); out[4 * n + i] = cosh(x[i]);\n"
                     "  out[5 * n + i] = pow(x[i] - 4, x[i]); out[6 * n + i] = erfc(x[i]);\n"
                     "  out[7 * n + i] = sinpi(x[i] + (T)0.5); out[8 * n + i] = 1 - log(x[i] + 1);\n"
                     "}\n",
                 "-cl-std=CL3.0");
    const auto check = [&](auto zero) {
      using T = decltype(zero);
      const std::vector<T> x{0, T(-0.0), 0, T(-0.0)};
      Memory out = cl.bytes(9 * x.size() * sizeof(T));
      cl.run(cl.kernel(program, "k"), {x.size()}, {x.size()}, cl.buffer(x), out);
      CHECK(cl.template read<T>(out) == std::vector<T>(9 * x.size(), T(1)));
    };
    type == "float" ? check(0.0f) : check(0.0);
  }
}
