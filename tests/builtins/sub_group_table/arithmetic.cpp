// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions, scans and clustered reductions of every type.
//
// Integers are folded lane after lane, as any order gives the same. Floating point follows the order that
// docs/sub-groups.md promises, so the results must agree bit by bit.
#include "table.hpp"

#include <limits>
#include <type_traits>

namespace lanecl::test::table {
namespace {

template <class T> inline constexpr bool kFloating = !std::is_integral_v<T>;

template <class T> struct Operation {
  const char *name;
  T identity; // what a lane that does not call contributes
  T start;    // of an exclusive scan
  T (*combine)(T, T);
};

template <class T> std::vector<Operation<T>> orderOperations() {
  T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  if constexpr (kFloating<T>)
    high = T(__builtin_inf()), low = -high;
  return {{"min", high, high, [](T x, T y) { return y < x ? y : x; }},
          {"max", low, low, [](T x, T y) { return x < y ? y : x; }}};
}

// Integers wrap around: unsigned ones of 64 bits, as the product of two ushorts overflows an int.
template <class T> using Wrapping = std::conditional_t<kFloating<T>, T, uint64_t>;

template <class T> Operation<T> addOperation() {
  return {"add", kFloating<T> ? T(-0.0f) : T(0), T(0), [](T x, T y) { return T(Wrapping<T>(x) + Wrapping<T>(y)); }};
}

template <class T> Operation<T> mulOperation() {
  return {"mul", T(1), T(1), [](T x, T y) { return T(Wrapping<T>(x) * Wrapping<T>(y)); }};
}

template <class T> std::vector<Operation<T>> bitOperations() {
  return {{"and", T(-1), T(-1), [](T x, T y) { return T(x & y); }},
          {"or", T(0), T(0), [](T x, T y) { return T(x | y); }},
          {"xor", T(0), T(0), [](T x, T y) { return T(x ^ y); }}};
}

// One value for each lane of the full width.
template <class T> using Lanes = std::vector<T>;
template <class T> Lanes<T> lanesOf(const SubGroup &s, T identity, const std::function<T(size_t lane)> &value) {
  Lanes<T> lanes(s.width, identity);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    if (s.calls(lane))
      lanes[lane] = value(lane);
  return lanes;
}

template <class T> T fold(const Operation<T> &op, const Lanes<T> &v, size_t begin, size_t end, T result) {
  for (size_t lane = begin; lane < end; ++lane)
    result = op.combine(result, v[lane]);
  return result;
}

template <class T> T reduce(const Operation<T> &op, Lanes<T> v) {
  if constexpr (!kFloating<T>)
    return fold(op, v, 0, v.size(), op.identity);
  for (size_t half = v.size() / 2; half >= 1; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      v[lane] = op.combine(v[lane], v[lane + half]);
  return v[0];
}

template <class T> T reduceCluster(const Operation<T> &op, Lanes<T> v, size_t lane, size_t size) {
  const size_t first = lane / size * size;
  if constexpr (!kFloating<T>)
    return fold(op, v, first, first + size, op.identity);
  for (size_t distance = 1; distance < size; distance *= 2) {
    const Lanes<T> before = v;
    for (size_t i = 0; i < v.size(); ++i)
      v[i] = op.combine(before[i], before[i ^ distance]);
  }
  return v[lane];
}

template <class T> T scan(const Operation<T> &op, Lanes<T> v, size_t lane, bool exclusive) {
  if (exclusive) {
    v.insert(v.begin(), op.start);
    v.pop_back();
  }
  if constexpr (!kFloating<T>)
    return fold(op, v, 0, lane + 1, op.identity);
  for (size_t distance = 1; distance < v.size(); distance *= 2) {
    const Lanes<T> before = v;
    for (size_t i = distance; i < v.size(); ++i)
      if (distance < 4 && i % 4 >= distance)
        v[i] = op.combine(before[i - distance], before[i]);
      else if (distance >= 4 && (i & distance) != 0)
        v[i] = op.combine(before[i - i % distance - 1], before[i]);
  }
  return v[lane];
}

// A family of calls on one argument, `argument` in the kernel and `value` on the host.
template <class T> struct Adder {
  Type type;
  std::vector<Call> &calls;
  std::string argument = "a";
  std::function<T(const SubGroup &, size_t lane)> value = [](const SubGroup &s, size_t lane) { return s.a<T>(lane); };
  // Logical operations return some number that is not zero.
  std::string result = "";

  void add(const std::string &function, const std::string &more, bool divergent,
           std::function<T(const SubGroup &, const Lanes<T> &, size_t lane)> expected, T identity) {
    calls.push_back({function + "(" + type.name() + ")", function + "(" + argument + more + ")" + result, divergent,
                     giving([value = value, expected, identity](const SubGroup &s, unsigned lane) {
                       const auto of = [&](size_t l) { return value(s, l); };
                       return expected(s, lanesOf<T>(s, identity, of), lane);
                     })});
  }

  void reductionAndScans(const std::string &prefix, const Operation<T> &op, const std::string &name, bool divergent) {
    using V = const Lanes<T> &;
    add(prefix + "reduce_" + name, "", divergent, [op](auto &, V v, size_t) { return reduce(op, v); }, op.identity);
    add(
        prefix + "scan_inclusive_" + name, "", divergent,
        [op](auto &, V v, size_t lane) { return scan(op, v, lane, false); }, op.identity);
    add(
        prefix + "scan_exclusive_" + name, "", divergent,
        [op](auto &, V v, size_t lane) { return scan(op, v, lane, true); }, op.identity);
  }

  void clustered(const Operation<T> &op, const std::string &name, unsigned width) {
    for (unsigned size : {1u, 2u, width / 2, width})
      add(
          "sub_group_clustered_reduce_" + name, ", " + std::to_string(size), true,
          [op, size](auto &, const Lanes<T> &v, size_t lane) { return reduceCluster(op, v, lane, size); }, op.identity);
  }
};

template <class T> std::vector<Operation<T>> operationsOf() {
  std::vector<Operation<T>> operations = orderOperations<T>();
  operations.push_back(addOperation<T>());
  return operations;
}

template <class T> void addUniform(Type type, std::vector<Family> &families) {
  Family family{"uniform_" + type.name(), type, type, {}};
  for (const Operation<T> &op : operationsOf<T>()) {
    Adder<T>{type, family.calls}.reductionAndScans("sub_group_", op, op.name, false);
    if (!kFloating<T> && sizeof(T) < 4)
      Adder<T>{type, family.calls}.reductionAndScans("intel_sub_group_", op, op.name, false);
  }
  families.push_back(std::move(family));
}

template <class T> void addNonUniform(Type type, unsigned width, std::vector<Family> &families) {
  Family family{"non_uniform_" + type.name(), type, type, {}}, clusters{"clustered_" + type.name(), type, type, {}};
  std::vector<Operation<T>> operations = operationsOf<T>();
  operations.push_back(mulOperation<T>());
  if constexpr (!kFloating<T>)
    for (const Operation<T> &op : bitOperations<T>())
      operations.push_back(op);
  for (const Operation<T> &op : operations) {
    Adder<T>{type, family.calls}.reductionAndScans("sub_group_non_uniform_", op, op.name, true);
    Adder<T>{type, clusters.calls}.clustered(op, op.name, width);
  }
  families.push_back(std::move(family));
  families.push_back(std::move(clusters));
}

// Predicates other than 0 and 1 are true as well.
void addLogical(unsigned width, std::vector<Family> &families) {
  Family family{"logical", kInt, kInt, {}};
  Adder<int32_t> add{kInt, family.calls, "a & 6",
                     [](const SubGroup &s, size_t lane) { return int32_t((s.a<int32_t>(lane) & 6) != 0); }, " != 0"};
  const Operation<int32_t> operations[] = {{"logical_and", 1, 1, [](int32_t x, int32_t y) { return x & y; }},
                                           {"logical_or", 0, 0, [](int32_t x, int32_t y) { return x | y; }},
                                           {"logical_xor", 0, 0, [](int32_t x, int32_t y) { return x ^ y; }}};
  for (const Operation<int32_t> &op : operations) {
    add.reductionAndScans("sub_group_non_uniform_", op, op.name, true);
    add.clustered(op, op.name, width);
  }
  families.push_back(std::move(family));
}

template <class T> void addAllEqual(Type type, std::vector<Family> &families) {
  using V = const Lanes<T> &;
  Family family{"all_equal_" + type.name(), type, type, {}};
  const auto all_equal = [](const SubGroup &s, V v, size_t lane) {
    for (size_t other = 0; other < v.size(); ++other)
      if (s.calls(other) && v[other] != v[lane])
        return T(0);
    return T(1);
  };
  const std::string name = "sub_group_non_uniform_all_equal";
  Adder<T>{type, family.calls, "a", [](auto &s, size_t lane) { return s.template a<T>(lane); }, " != 0"}.add(
      name, "", true, all_equal, T(0));
  // Equal where the varying numbers happen to be, and everywhere, which the compiler does not know.
  for (unsigned divisor : {8, 64})
    Adder<T>{type, family.calls, "(" + type.name() + ")(j / " + std::to_string(divisor) + ")",
             [divisor](auto &s, size_t lane) { return T(s.j(lane) / divisor); }, " != 0"}
        .add(name, "", true, all_equal, T(0));
  families.push_back(std::move(family));
}

} // namespace

std::vector<Family> arithmetic(unsigned width) {
  std::vector<Family> families;
  forEachScalar([&](Type type, auto zero) {
    using T = decltype(zero);
    addUniform<T>(type, families);
    addNonUniform<T>(type, width, families);
    addAllEqual<T>(type, families);
  });
  addLogical(width, families);
  return families;
}

} // namespace lanecl::test::table
