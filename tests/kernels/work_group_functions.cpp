// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-group collective functions: every type, in one to three dimensions, in whole and in smaller work-groups.
#include "each_item.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <climits>
#include <limits>
#include <numeric>

using namespace lanecl::test;

namespace {

// Returns small integers, so that sums of floating-point numbers are exact in every order.
template <class T> std::vector<T> inputOf(size_t items) {
  std::vector<T> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = T(int(i * 37 % 23) - (std::numeric_limits<T>::is_signed ? 11 : 0));
  return values;
}

const char *const kCollect = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
KERNEL void k(global const T *in, global T *out) {
  size_t n = get_global_size(0) * get_global_size(1) * get_global_size(2), i = get_global_linear_id();
  T x = in[i];
  out[0 * n + i] = work_group_reduce_add(x);
  out[1 * n + i] = work_group_reduce_min(x);
  out[2 * n + i] = work_group_reduce_max(x);
  out[3 * n + i] = work_group_scan_inclusive_add(x);
  out[4 * n + i] = work_group_scan_inclusive_min(x);
  out[5 * n + i] = work_group_scan_inclusive_max(x);
  out[6 * n + i] = work_group_scan_exclusive_add(x);
  out[7 * n + i] = work_group_scan_exclusive_min(x);
  out[8 * n + i] = work_group_scan_exclusive_max(x);
})";

template <class T> T identity(size_t function) {
  using Limits = std::numeric_limits<T>;
  if (function == 0)
    return T(0);
  if (Limits::has_infinity)
    return function == 1 ? Limits::infinity() : T(-Limits::infinity());
  return function == 1 ? Limits::max() : Limits::lowest();
}

template <class T> T combine(size_t function, T a, T b) {
  return function == 0 ? T(a + b) : function == 1 ? std::min(a, b) : std::max(a, b);
}

template <class T> std::vector<T> expected(const Shape &shape, const std::vector<T> &input) {
  const size_t n = input.size();
  std::vector<T> want(9 * n);
  for (const std::vector<size_t> &group : groupsOf(shape))
    for (size_t function = 0; function < 3; ++function) {
      T total = identity<T>(function);
      for (size_t i : group) {
        want[(6 + function) * n + i] = total;
        total = combine(function, total, input[i]);
        want[(3 + function) * n + i] = total;
      }
      for (size_t i : group)
        want[function * n + i] = total;
    }
  return want;
}

template <class T> void checkType(const char *type, size_t first) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, "#define T " + std::string(type) + "\n" + kCollect, width);
    for (const Shape &shape : shapesFrom(first, width)) {
      const std::vector<T> input = inputOf<T>(itemsOf(shape));
      Memory in = cl.buffer(input), out = cl.bytes(9 * input.size() * sizeof(T));
      cl.run(cl.kernel(program, "k"), shape.global, shape.local, in, out);
      INFO(type << ", sub-groups of " << width << ", local size "
                << Catch::StringMaker<std::vector<size_t>>::convert(shape.local));
      CHECK(cl.read<T>(out) == expected(shape, input));
    }
  }
}

} // namespace

TEST_CASE("reductions and scans of integers", "[work_group_functions]") {
  checkType<int32_t>("int", 0);
  checkType<uint32_t>("uint", 1);
  checkType<int64_t>("long", 2);
  checkType<uint64_t>("ulong", 0);
}

TEST_CASE("reductions and scans of floating-point numbers", "[work_group_functions]") {
  checkType<float>("float", 1);
  checkType<double>("double", 2);
}

TEST_CASE("reductions and scans of halves", "[work_group_functions]") {
  const Session cl;
  const Shape shape{{100}, {37}};
  const std::vector<float> exact = inputOf<float>(100);
  const std::vector<_Float16> input(exact.begin(), exact.end());
  const std::vector<float> want = expected(shape, exact);
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, std::string("#define T half\n") + kCollect, width);
    Memory in = cl.buffer(input), out = cl.bytes(9 * input.size() * sizeof(_Float16));
    cl.run(cl.kernel(program, "k"), shape.global, shape.local, in, out);
    const std::vector<_Float16> got = cl.read<_Float16>(out);
    CHECK(std::vector<float>(got.begin(), got.end()) == want);
  }
}

namespace {

// cl_khr_work_group_uniform_arithmetic: the reduction, the inclusive scan and the exclusive scan, one after the other.
template <class T> struct Operation {
  const char *name;
  T identity;
  T (*combine)(T a, T b);
};

template <class T>
std::vector<T> expected(const Shape &shape, const std::vector<T> &input, const Operation<T> &operation) {
  const size_t n = input.size();
  std::vector<T> want(3 * n);
  for (const std::vector<size_t> &group : groupsOf(shape)) {
    T total = operation.identity;
    for (size_t i : group) {
      want[2 * n + i] = total;
      want[n + i] = total = operation.combine(total, input[i]);
    }
    for (size_t i : group)
      want[i] = total;
  }
  return want;
}

// RESULT(x) is what is written of a result.
const char *const kOperation = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CALL_(function, op, x) work_group_##function##_##op(x)
#define CALL(function, op, x) CALL_(function, op, x)
KERNEL void k(global const T *in, global T *out) {
  size_t n = get_global_size(0) * get_global_size(1) * get_global_size(2), i = get_global_linear_id();
  out[i] = RESULT(CALL(reduce, OP, in[i]));
  out[n + i] = RESULT(CALL(scan_inclusive, OP, in[i]));
  out[2 * n + i] = RESULT(CALL(scan_exclusive, OP, in[i]));
})";

template <class T> using Input = std::vector<T> (*)(size_t items);

// `truth` maps what a kernel reads to what the operation takes, which is also what the kernel writes.
template <class T>
void checkOperation(const char *type, const Operation<T> &operation, const std::vector<Input<T>> &inputs, size_t first,
                    T (*truth)(T) = nullptr) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const std::string definitions = "#define T " + std::string(type) + "\n#define OP " + operation.name +
                                    "\n#define RESULT(x) " + (truth ? "(x) != 0" : "x") + "\n";
    const Program program = buildForWidth(cl, definitions + kOperation, width);
    for (const Shape &shape : shapesFrom(first, width))
      for (const Input<T> input : inputs) {
        std::vector<T> values = input(itemsOf(shape));
        Memory in = cl.buffer(values), out = cl.bytes(3 * values.size() * sizeof(T));
        cl.run(cl.kernel(program, "k"), shape.global, shape.local, in, out);
        if (truth)
          std::transform(values.begin(), values.end(), values.begin(), truth);
        INFO(operation.name << " of " << type << ", sub-groups of " << width << ", local size "
                            << Catch::StringMaker<std::vector<size_t>>::convert(shape.local));
        CHECK((cl.read<T>(out) == expected(shape, values, operation)));
      }
  }
}

// Returns odd numbers that use all bits, so that products stay different.
template <class T> std::vector<T> oddNumbers(size_t items) {
  std::vector<T> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = T((i + 1) * 0x9E3779B97F4A7C15u >> 17 | 1);
  return values;
}

// Returns numbers in which one bit is zero.
template <class T> std::vector<T> nearlyAllBits(size_t items) {
  std::vector<T> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = T(~(uint64_t(1) << i * 5 % (8 * sizeof(T))));
  return values;
}

// Returns numbers whose products are exact in every order.
template <class T> std::vector<T> powersOfTwo(size_t items) {
  std::vector<T> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = T(i % 7 == 3 ? -2.0f : i % 7 == 5 ? 0.5f : i % 11 == 4 ? -1.0f : 1.0f);
  return values;
}

template <class T> void checkIntegers(const char *type, size_t first) {
  checkOperation<T>(type, {"mul", 1, [](T a, T b) { return T(uint64_t(a) * uint64_t(b)); }}, {oddNumbers<T>},
                    first % 3);
  checkOperation<T>(type, {"and", T(-1), [](T a, T b) { return T(a & b); }}, {nearlyAllBits<T>}, (first + 1) % 3);
  checkOperation<T>(type, {"or", 0, [](T a, T b) { return T(a | b); }}, {oddNumbers<T>}, (first + 2) % 3);
  checkOperation<T>(type, {"xor", 0, [](T a, T b) { return T(a ^ b); }}, {oddNumbers<T>}, first % 3);
}

template <class T> void checkProducts(const char *type, size_t first) {
  checkOperation<T>(type, {"mul", T(1), [](T a, T b) { return T(a * b); }}, {powersOfTwo<T>}, first);
}

// Any number other than zero is true. Few are false, few are true, or both are frequent.
std::vector<int> mostlyTrue(size_t items) {
  std::vector<int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = i % 29 == 17 ? 0 : int(i % 2) * -6 + 4;
  return values;
}
std::vector<int> mostlyFalse(size_t items) {
  std::vector<int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = i % 23 == 11 ? 1 << 20 : 0;
  return values;
}
std::vector<int> mixedTruth(size_t items) {
  std::vector<int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = i * 7 % 5 > 2 ? INT_MIN : 0;
  return values;
}

} // namespace

TEST_CASE("products and bitwise operations of integers in work-groups", "[work_group_functions]") {
  checkIntegers<int32_t>("int", 0);
  checkIntegers<uint32_t>("uint", 1);
  checkIntegers<int64_t>("long", 2);
  checkIntegers<uint64_t>("ulong", 0);
}

TEST_CASE("products of floating-point numbers in work-groups", "[work_group_functions]") {
  checkProducts<float>("float", 0);
  checkProducts<double>("double", 1);
  checkProducts<_Float16>("half", 2);
}

TEST_CASE("logical operations in work-groups", "[work_group_functions]") {
  const Operation<int> operations[] = {{"logical_and", 1, [](int a, int b) { return a & b; }},
                                       {"logical_or", 0, [](int a, int b) { return a | b; }},
                                       {"logical_xor", 0, [](int a, int b) { return a ^ b; }}};
  size_t first = 0;
  for (const Operation<int> &operation : operations)
    checkOperation<int>("int", operation, {mostlyTrue, mostlyFalse, mixedTruth}, first++,
                        [](int x) { return int(x != 0); });
}

TEST_CASE("votes of a work-group", "[work_group_functions]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int n = 0; n < 6; ++n) // predicates are any number but zero
    sum = sum * 4 + (work_group_all(in[i] << 8 < n * 5120) != 0) * 2 + (work_group_any((in[i] == n * 19) << 20) != 0);
  out[i] = sum;
})",
                [](const Item &item) {
                  const auto begin = item.in.begin() + item.group * item.local_size, end = begin + item.local_size;
                  int sum = 0;
                  for (int n = 0; n < 6; ++n)
                    sum = sum * 4 + std::all_of(begin, end, [&](int x) { return x < n * 20; }) * 2 +
                          std::any_of(begin, end, [&](int x) { return x == n * 19; });
                  return sum;
                });
}

TEST_CASE("broadcasts from one work-item of a work-group", "[work_group_functions]") {
  const Session cl;
  const char *const source = R"(
KERNEL void one(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  out[i] = work_group_broadcast(in[i], get_group_id(0) % get_local_size(0));
}
KERNEL void two(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  double sum = 0;
  for (size_t y = 0; y < get_local_size(1); ++y)
    sum += work_group_broadcast((double)in[i], get_local_size(0) - 1, y);
  out[i] = sum;
}
KERNEL void three(global const int *in, global int *out) {
  size_t i = get_global_linear_id();
  out[i] = work_group_broadcast((float)in[i], (size_t)0, get_local_size(1) - 1, get_local_size(2) / 2) +
           work_group_broadcast((ulong)in[i], get_local_size(0) - 1, (size_t)0, (size_t)0) * 100;
})";
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, source, width);
    for (const Shape &shape : kShapes) {
      const size_t dimensions = shape.global.size(), gx = shape.global[0];
      const std::vector<int> input = mixedInput(itemsOf(shape));
      std::vector<int> want(input.size());
      size_t number = 0;
      for (const std::vector<size_t> &group : groupsOf(shape)) {
        // The size of the work-group, from the position of its last work-item.
        const size_t first = group.front(), last = group.back(), plane = gx * (dimensions > 1 ? shape.global[1] : 1);
        const size_t x = last % gx - first % gx + 1, y = last % plane / gx - first % plane / gx + 1,
                     z = last / plane - first / plane + 1;
        const auto at = [&](size_t ix, size_t iy, size_t iz) { return input[first + (iz * plane) + iy * gx + ix]; };
        int value = 0;
        if (dimensions == 1)
          value = at(number % x, 0, 0);
        for (size_t row = 0; dimensions == 2 && row < y; ++row)
          value += at(x - 1, row, 0);
        if (dimensions == 3)
          value = at(0, y - 1, z / 2) + at(x - 1, 0, 0) * 100;
        for (size_t i : group)
          want[i] = value;
        ++number;
      }
      Memory in = cl.buffer(input), out = cl.bytes(input.size() * sizeof(int));
      static const char *const kNames[] = {"one", "two", "three"};
      cl.run(cl.kernel(program, kNames[dimensions - 1]), shape.global, shape.local, in, out);
      INFO("sub-groups of " << width << ", local size "
                            << Catch::StringMaker<std::vector<size_t>>::convert(shape.local));
      CHECK(cl.read<int>(out) == want);
    }
  }
}

TEST_CASE("one work-group function after the other, in uniform flow", "[work_group_functions]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i], sum = 0;
  for (int n = 0; n < 5 && work_group_any(x > n * 30); ++n) {
    if (work_group_reduce_add(x) % 2 == n % 2) sum += work_group_scan_exclusive_add(x + n);
    else sum -= work_group_broadcast(x, (5 * get_local_size(0) - 1 - n) % get_local_size(0));
  }
  out[i] = sum;
})",
                [](const Item &item) {
                  const auto begin = item.in.begin() + item.group * item.local_size, end = begin + item.local_size;
                  int total = 0, sum = 0;
                  for (auto i = begin; i != end; ++i)
                    total += *i;
                  for (int n = 0; n < 5 && std::any_of(begin, end, [&](int x) { return x > n * 30; }); ++n) {
                    int before = 0;
                    for (auto i = begin; i != begin + item.local; ++i)
                      before += *i + n;
                    sum += total % 2 == n % 2
                               ? before
                               : -begin[ptrdiff_t((5 * item.local_size - 1 - size_t(n)) % item.local_size)];
                  }
                  return sum;
                });
}

TEST_CASE("the device reports work-group functions", "[work_group_functions]") {
  cl_bool supported = CL_FALSE;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof supported, &supported,
                        nullptr),
        "clGetDeviceInfo");
  CHECK(supported == CL_TRUE);
}

// A sum of signed numbers does not promise that it fits. What is computed from it must see the number that came out.
TEST_CASE("sums that do not fit wrap around before they are widened", "[work_group_functions]") {
  const char *const source = R"(
KERNEL void k(global const int *in, int uniform, global long *out) {
  size_t n = get_global_size(0), i = get_global_id(0);
  int x = in[i];
  out[0 * n + i] = work_group_reduce_add(x);
  out[1 * n + i] = work_group_scan_inclusive_add(x);
  out[2 * n + i] = work_group_scan_exclusive_add(x);
  out[3 * n + i] = sub_group_reduce_add(x);
  out[4 * n + i] = work_group_reduce_add(uniform);
})";
  const Session cl;
  constexpr size_t kItems = 96, kGroup = 24;
  const int uniform = -1466875658;
  std::vector<int> input(kItems);
  for (size_t i = 0; i < kItems; ++i)
    input[i] = int(uint32_t(i) * 2654435761u);
  for (const size_t width : widthsInTurn()) {
    std::vector<int64_t> want(5 * kItems);
    const auto sum = [&](size_t begin, size_t end) {
      return int64_t(int(std::accumulate(input.begin() + long(begin), input.begin() + long(end), 0u)));
    };
    for (size_t i = 0; i < kItems; ++i) {
      const size_t group = i - i % kGroup, lanes = group + (i - group) / width * width;
      want[0 * kItems + i] = sum(group, group + kGroup);
      want[1 * kItems + i] = sum(group, i + 1);
      want[2 * kItems + i] = sum(group, i);
      want[3 * kItems + i] = sum(lanes, std::min(lanes + width, group + kGroup));
      want[4 * kItems + i] = int(uint32_t(uniform) * uint32_t(kGroup));
    }
    Memory in = cl.buffer(input), out = cl.bytes(want.size() * sizeof(int64_t));
    cl.run(cl.kernel(buildForWidth(cl, source, width), "k"), {kItems}, {kGroup}, in, uniform, out);
    INFO("sub-groups of " << width);
    CHECK(cl.read<int64_t>(out) == want);
  }
}
