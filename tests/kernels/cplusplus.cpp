// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C++ for OpenCL, in both versions: the parts of C++ that kernels use, in lanes.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

void checkInBothVersions(const std::string &source, const std::function<int(const Item &)> &expected) {
  for (const char *standard : {"CLC++", "CLC++2021"}) {
    INFO(standard);
    checkEachItem(source, expected, {{64}, {37}, {5}}, standard);
  }
}

} // namespace

TEST_CASE("templates, classes and operators", "[cplusplus]") {
  checkInBothVersions(R"(
template <typename T> struct Pair {
  T a, b;
  Pair(T a, T b) : a(a), b(b) {}
  Pair operator+(const Pair &other) const { return Pair(a + other.a, b + other.b); }
  T product() const { return a * b; }
};
template <int N, typename T> T power(T x) {
  if constexpr (N == 0)
    return 1;
  else
    return x * power<N - 1>(x);
}
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  Pair<int> sum = Pair<int>(in[i], 2) + Pair<int>(1, in[i] % 5);
  out[i] = in[i] % 3 ? sum.product() : power<3>(in[i]);
})",
                      [](const Item &item) {
                        const int x = item.x();
                        return x % 3 ? (x + 1) * (2 + x % 5) : x * x * x;
                      });
}

TEST_CASE("references and overloads by address space", "[cplusplus]") {
  checkInBothVersions(R"(
int kind(global int &) { return 1; }
int kind(local int &) { return 2; }
int kind(private int &) { return 3; }
void add(int &target, int x) { target += x; }
KERNEL void k(global int *in, global int *out) {
  local int l[64];
  size_t i = get_global_id(0), n = get_local_id(0);
  int p = in[i];
  l[n] = 100;
  add(l[n], p);
  if (p % 2)
    add(p, 1000);
  global int &g = out[i];
  g = kind(g) + 10 * kind(l[n]) + 100 * kind(p);
  g += l[n] + p;
})",
                      [](const Item &item) {
                        const int x = item.x();
                        return 321 + 100 + x + x + (x % 2 ? 1000 : 0);
                      });
}

TEST_CASE("constructors and destructors of private objects, in divergent flow", "[cplusplus]") {
  checkInBothVersions(R"(
struct Guard {
  int &counter, step;
  Guard(int &counter, int step) : counter(counter), step(step) { counter += step; }
  ~Guard() { counter = counter * 2 + step; }
};
int early(int x, int &counter) {
  Guard outer(counter, 1);
  for (int i = 0; i < x % 4; ++i) {
    Guard inner(counter, i);
    if (x % 7 == i)
      return i;
  }
  return 9;
}
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int counter = in[i];
  int result = early(in[i], counter);
  out[i] = counter * 10 + result;
})",
                      [](const Item &item) {
                        const int x = item.x();
                        int counter = x + 1, result = 9;
                        for (int i = 0; i < x % 4; ++i) {
                          counter = (counter + i) * 2 + i;
                          if (x % 7 == i) {
                            result = i;
                            break;
                          }
                        }
                        return (counter * 2 + 1) * 10 + result;
                      });
}

TEST_CASE("lambdas and sub-group functions", "[cplusplus]") {
  checkInBothVersions(R"(
template <typename F> int twice(int x, F f) { return f(f(x)); }
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  const int x = in[i];
  const auto largest = [](int v) { return sub_group_reduce_max(v); };
  const auto add = [=](int v) { return v + x; };
  out[i] = twice(1, add) + largest(x);
})",
                      [](const Item &item) {
                        int largest = 0;
                        for (size_t l = 0; l < item.subGroupSize(); ++l)
                          largest = std::max(largest, item.lane(l));
                        return 1 + 2 * item.x() + largest;
                      });
}

TEST_CASE("the device names the version that -cl-std=CLC++ means", "[cplusplus]") {
  const Session cl;
  cl_version version = 0;
  check(clGetDeviceInfo(cl.device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof version, &version, nullptr),
        "clGetDeviceInfo");
  Memory out = cl.bytes(8);
  cl.run(cl.kernel(cl.build("kernel void k(global int *out) {\n"
                            "  out[0] = __OPENCL_CPP_VERSION__;\n"
                            "#ifdef cl_ext_cxx_for_opencl\n"
                            "#error a language is no extension\n"
                            "#endif\n"
                            "  out[1] = __CL_CPP_VERSION_1_0__;\n"
                            "}",
                            "-cl-std=CLC++"),
                   "k"),
         {1}, {}, out);
  CHECK(cl.read<int>(out)[0] == int(CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10));
  CHECK(cl.read<int>(out)[1] == 100);
}

TEST_CASE("recursion that ends because its arguments are constants", "[cplusplus]") {
  checkInBothVersions(R"(
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr int power(int x, int n) {
  if (n == 0)
    return 1;
  const int root = power(x, n / 2);
  return root * root * (n % 2 ? x : 1);
}
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr bool isOdd(int n);
constexpr bool isEven(int n) { return n == 0 || isOdd(n - 1); }
constexpr bool isOdd(int n) { return n != 0 && isEven(n - 1); }
constexpr int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
void addFrom(int *target, int n, int step) {
  if (n <= 0)
    return;
  *target += n;
  if (*target % 2)
    addFrom(target, n - step, step);
  else
    addFrom(target, n - step - 1, step);
}
int helper(int x, int n) { return power(x, n) + 1; }
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int sum = in[i];
  addFrom(&sum, 9, 2);
  out[i] = factorial(5) + helper(in[i], 3) + fibonacci(25) + isEven(7) * 1000 + ackermann(2, 3) + sum;
})",
                      [](const Item &item) {
                        const int x = item.x();
                        int sum = x;
                        for (int n = 9; n > 0; n -= sum % 2 ? 2 : 3)
                          sum += n;
                        return 120 + x * x * x + 1 + 75025 + 0 + 9 + sum;
                      });
}
