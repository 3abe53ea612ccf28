// Sub-group functions end to end, at every width and with partial sub-groups. Values are small integers, so that sums
// of floats are exact in any order.
#include "sub_group_cases.hpp"

#include <algorithm>
#include <numeric>

using namespace lanecl::test;

namespace {

template <class T> using Values = std::vector<T>;

template <class T> T reduce(const Values<T> &values, size_t count, T start, const std::function<T(T, T)> &combine) {
  return std::accumulate(values.begin(), values.begin() + count, start, combine);
}

template <class T> LaneCase<T> reduction(const std::string &call, T start, std::function<T(T, T)> combine) {
  return {call, [=](const Values<T> &v, size_t, size_t) { return reduce<T>(v, v.size(), start, combine); }};
}
template <class T> LaneCase<T> inclusive(const std::string &call, T start, std::function<T(T, T)> combine) {
  return {call, [=](const Values<T> &v, size_t lane, size_t) { return reduce<T>(v, lane + 1, start, combine); }};
}
template <class T> LaneCase<T> exclusive(const std::string &call, T start, std::function<T(T, T)> combine) {
  return {call, [=](const Values<T> &v, size_t lane, size_t) { return reduce<T>(v, lane, start, combine); }};
}

template <class T> std::vector<LaneCase<T>> arithmetic(const std::string &prefix) {
  const auto add = [](T a, T b) { return T(a + b); };
  const auto smaller = [](T a, T b) { return std::min(a, b); };
  const auto larger = [](T a, T b) { return std::max(a, b); };
  const bool real = std::numeric_limits<T>::has_infinity;
  const T lowest = real ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  const T highest = real ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  return {reduction<T>(prefix + "sub_group_reduce_add(x)", 0, add),
          reduction<T>(prefix + "sub_group_reduce_min(x)", highest, smaller),
          reduction<T>(prefix + "sub_group_reduce_max(x)", lowest, larger),
          inclusive<T>(prefix + "sub_group_scan_inclusive_add(x)", 0, add),
          exclusive<T>(prefix + "sub_group_scan_exclusive_add(x)", 0, add),
          exclusive<T>(prefix + "sub_group_scan_exclusive_min(x)", highest, smaller),
          inclusive<T>(prefix + "sub_group_scan_inclusive_max(x)", lowest, larger)};
}

// Lanes that do not exist are nobody's business: the cases keep to those that do.
// Values of lanes that do not exist are undefined: the cases keep to those that do.
template <class T> std::vector<LaneCase<T>> exchanges(const std::string &type) {
  const std::string five = "(" + type + ")5";
  return {
      {"sub_group_broadcast(x, 2)", [](const Values<T> &v, size_t, size_t) { return v[2]; }},
      {"intel_sub_group_shuffle(x, get_sub_group_size() - 1 - lane)",
       [](const Values<T> &v, size_t lane, size_t) { return v[v.size() - 1 - lane]; }},
      {"intel_sub_group_shuffle(x, lane / 2)", [](const Values<T> &v, size_t lane, size_t) { return v[lane / 2]; }},
      {"(lane ^ 1) < get_sub_group_size() ? intel_sub_group_shuffle_xor(x, 1) : x",
       [](const Values<T> &v, size_t lane, size_t) { return (lane ^ 1) < v.size() ? v[lane ^ 1] : v[lane]; }},
      {"intel_sub_group_shuffle_up(" + five + ", x, 1u)",
       [](const Values<T> &v, size_t lane, size_t) { return lane > 0 ? v[lane - 1] : T(5); }},
      {"lane + 3 < get_sub_group_size() || lane + 3 >= get_max_sub_group_size() ? intel_sub_group_shuffle_down(x, " +
           five + ", 3u) : x",
       [](const Values<T> &v, size_t lane, size_t width) {
         return lane + 3 >= width ? T(5) : lane + 3 < v.size() ? v[lane + 3] : v[lane];
       }}};
}

// Only the functions with the prefix take small integers in cl_intel_subgroups_short.
template <class T> void checkType(const std::string &type, const std::string &prefix = "") {
  const std::vector<T> pattern{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 0, 11};
  for (size_t width : {8, 16, 32}) {
    checkLanes<T>(type, arithmetic<T>(prefix), pattern, width);
    checkLanes<T>(type, exchanges<T>(type), pattern, width);
  }
}

const std::vector<int> kPattern{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 0, 11};

// The library has these functions whether the device offers their extensions or not.
const std::string kKhronosDeclarations = R"(
#define DECLARE(T, name, ...) T __attribute__((overloadable, convergent)) name(__VA_ARGS__);
DECLARE(int, sub_group_elect, void)
DECLARE(uint4, sub_group_ballot, int)
DECLARE(int, sub_group_inverse_ballot, uint4)
DECLARE(uint, sub_group_ballot_bit_count, uint4)
DECLARE(uint, sub_group_ballot_exclusive_scan, uint4)
DECLARE(uint, sub_group_ballot_inclusive_scan, uint4)
DECLARE(uint4, get_sub_group_lt_mask, void)
DECLARE(uint4, get_sub_group_ge_mask, void)
DECLARE(int, sub_group_broadcast_first, int)
DECLARE(int, sub_group_clustered_reduce_add, int, uint)
DECLARE(int, sub_group_rotate, int, int)
DECLARE(int, sub_group_clustered_rotate, int, int, uint)
DECLARE(int, sub_group_non_uniform_reduce_add, int)
DECLARE(int, sub_group_non_uniform_reduce_logical_xor, int)
DECLARE(int, sub_group_non_uniform_scan_exclusive_logical_and, int)
)";

int clusterSum(const Values<int> &v, size_t lane, size_t size) {
  const size_t first = lane / size * size, last = std::min(first + size, v.size());
  return std::accumulate(v.begin() + first, v.begin() + last, 0);
}

} // namespace

TEST_CASE("sub-group arithmetic and exchange of int", "[sub_group]") {
  checkType<int>("int");
}
TEST_CASE("sub-group arithmetic and exchange of uint", "[sub_group]") {
  checkType<uint32_t>("uint");
}
TEST_CASE("sub-group arithmetic and exchange of long", "[sub_group]") {
  checkType<int64_t>("long");
}
TEST_CASE("sub-group arithmetic and exchange of float", "[sub_group]") {
  checkType<float>("float");
}
TEST_CASE("sub-group arithmetic and exchange of double", "[sub_group]") {
  checkType<double>("double");
}
TEST_CASE("sub-group arithmetic and exchange of short", "[sub_group]") {
  if (offers({"cl_intel_subgroups_short"}))
    checkType<int16_t>("short", "intel_");
}

TEST_CASE("sub-group ids and votes", "[sub_group]") {
  const auto size = [](const Values<int> &v) { return int(v.size()); };
  const std::vector<LaneCase<int>> cases{
      {"(int)lane", [](auto &, size_t lane, size_t) { return int(lane); }},
      {"(int)get_sub_group_size()", [=](auto &v, size_t, size_t) { return size(v); }},
      {"(int)get_max_sub_group_size()", [](auto &, size_t, size_t width) { return int(width); }},
      {"(int)get_num_sub_groups()", [](auto &, size_t, size_t) { return 2; }},
      {"sub_group_any(x > 8)", [](auto &v, size_t, size_t) { return int(*std::max_element(v.begin(), v.end()) > 8); }},
      {"sub_group_all(x < 9)", [](auto &v, size_t, size_t) { return int(*std::max_element(v.begin(), v.end()) < 9); }}};
  for (size_t width : {8, 16, 32})
    checkLanes<int>("int", cases, kPattern, width);
}

TEST_CASE("sub-group ballots, clusters and rotations", "[sub_group]") {
  const auto count = [](const Values<int> &v, size_t n) {
    return int(std::count_if(v.begin(), v.begin() + n, [](int x) { return x > 3; }));
  };
  const std::vector<LaneCase<int>> cases{
      {"sub_group_broadcast_first(x)", [](auto &v, size_t, size_t) { return v[0]; }},
      {"sub_group_elect()", [](auto &, size_t lane, size_t) { return int(lane == 0); }},
      {"(int)sub_group_ballot_bit_count(sub_group_ballot(x > 3))",
       [=](auto &v, size_t, size_t) { return count(v, v.size()); }},
      {"(int)sub_group_ballot_exclusive_scan(sub_group_ballot(x > 3))",
       [=](auto &v, size_t lane, size_t) { return count(v, lane); }},
      {"(int)sub_group_ballot_inclusive_scan(sub_group_ballot(x > 3))",
       [=](auto &v, size_t lane, size_t) { return count(v, lane + 1); }},
      {"sub_group_inverse_ballot(sub_group_ballot(x > 3))",
       [](auto &v, size_t lane, size_t) { return int(v[lane] > 3); }},
      {"(int)get_sub_group_lt_mask().x", [](auto &, size_t lane, size_t) { return int((1ull << lane) - 1); }},
      {"(int)get_sub_group_ge_mask().x",
       [](auto &v, size_t lane, size_t) { return int((1ull << v.size()) - (1ull << lane)); }},
      {"sub_group_clustered_reduce_add(x, 4)", [](auto &v, size_t lane, size_t) { return clusterSum(v, lane, 4); }},
      {"sub_group_clustered_reduce_add(x, 8)", [](auto &v, size_t lane, size_t) { return clusterSum(v, lane, 8); }},
      {"get_sub_group_size() == get_max_sub_group_size() ? sub_group_rotate(x, 3) : x",
       [](auto &v, size_t lane, size_t width) { return v.size() == width ? v[(lane + 3) % width] : v[lane]; }},
      {"(lane | 3) < get_sub_group_size() ? sub_group_clustered_rotate(x, 1, 4) : x",
       [](auto &v, size_t lane, size_t) {
         return (lane | 3) < v.size() ? v[(lane & ~3u) | ((lane + 1) & 3)] : v[lane];
       }},
      {"sub_group_non_uniform_reduce_logical_xor(x > 3)",
       [=](auto &v, size_t, size_t) { return count(v, v.size()) % 2; }},
      {"sub_group_non_uniform_scan_exclusive_logical_and(x > 3)",
       [=](auto &v, size_t lane, size_t) { return int(count(v, lane) == int(lane)); }}};
  for (size_t width : {8, 16, 32})
    checkLanes<int>("int", cases, kPattern, width, kKhronosDeclarations);
}

TEST_CASE("reductions in a divergent branch take its lanes only", "[sub_group]") {
  const std::vector<LaneCase<int>> cases{
      {"0; if (x > 3) out[i] = sub_group_non_uniform_reduce_add(x); else out[i] = sub_group_clustered_reduce_add(x, 8)",
       [](auto &v, size_t lane, size_t) {
         int sum = 0;
         for (size_t i = 0; i < v.size(); ++i)
           sum += (v[i] > 3) == (v[lane] > 3) && (v[lane] > 3 || i / 8 == lane / 8) ? v[i] : 0;
         return sum;
       }}};
  for (size_t width : {8, 16, 32})
    checkLanes<int>("int", cases, kPattern, width, kKhronosDeclarations);
}

TEST_CASE("block reads and writes", "[sub_group]") {
  Session cl;
  for (size_t width : {8, 16, 32}) {
    const std::string attribute = "__attribute__((intel_reqd_sub_group_size(" + std::to_string(width) + "))) ";
    Program program =
        cl.build(attribute + "kernel void copy(global const uint *in, global uint *out) {\n"
                             "  size_t first = get_sub_group_id() * get_max_sub_group_size() * 4;\n"
                             "  uint4 four = intel_sub_group_block_read4(in + first);\n"
                             "  intel_sub_group_block_write4(out + first, four * 2 + (uint4)(0, 1, 2, 3));\n"
                             "}\n");
    std::vector<uint32_t> input(8 * width);
    std::iota(input.begin(), input.end(), 100000u);
    Memory in = cl.buffer(input), out = cl.buffer(input);
    cl.run(cl.kernel(program, "copy"), {2 * width}, {2 * width}, in, out);
    std::vector<uint32_t> want(input);
    for (size_t i = 0; i < want.size(); ++i)
      want[i] = want[i] * 2 + uint32_t(i / width % 4);
    INFO("width " << width);
    CHECK(cl.read<uint32_t>(out) == want);
  }
}

TEST_CASE("block reads and writes of ushort", "[sub_group]") {
  Session cl;
  Program program =
      cl.build("ushort2 __attribute__((overloadable)) intel_sub_group_block_read_us2(global const ushort *);\n"
               "void __attribute__((overloadable)) intel_sub_group_block_write_us2(global ushort *, ushort2);\n"
               "__attribute__((intel_reqd_sub_group_size(16))) kernel void copy(\n"
               "    global const ushort *in, global ushort *out) {\n"
               "  size_t first = get_sub_group_id() * 32;\n"
               "  ushort2 two = intel_sub_group_block_read_us2(in + first);\n"
               "  intel_sub_group_block_write_us2(out + first, two.yx);\n"
               "}\n");
  std::vector<uint16_t> input(64), want(64);
  std::iota(input.begin(), input.end(), uint16_t(1000));
  for (size_t i = 0; i < want.size(); ++i)
    want[i] = input[i ^ 16];
  Memory in = cl.buffer(input), out = cl.buffer(input);
  cl.run(cl.kernel(program, "copy"), {32}, {32}, in, out);
  CHECK(cl.read<uint16_t>(out) == want);
}
