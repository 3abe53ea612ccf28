// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-group functions on the way out of a loop. Lanes that leave the loop in different iterations do not meet there,
// and all of them meet after the loop.
#include "each_item.hpp"

#include <optional>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes{{37}, {12, 3}, {5, 3, 2}};

// The way by which a work-item leaves a loop; nothing if it reaches the loop's end.
using Way = std::function<std::optional<int>(int)>;

// Returns the sum over the lanes that leave together, plus 10000 times the number of lanes that meet after the loop.
int sumAndCount(const Item &item, const Way &way) {
  int sum = 0;
  for (size_t lane = 0; way(item.x()) && lane < item.subGroupSize(); ++lane)
    if (way(item.lane(lane)) == way(item.x()))
      sum += item.lane(lane);
  return sum + 10000 * int(item.subGroupSize());
}

// Returns the shape of this turn. What a loop is compiled to does not depend on the shape, and a kernel for each
// combination would make thousands.
std::vector<std::vector<size_t>> nextShapes() {
  static size_t turn = 0;
  if (runsEverything())
    return kShapes;
  return {kShapes[turn++ % kShapes.size()]};
}

// Returns where the sum is kept in this turn. With debugging, it is in memory anyway, or kept there for the debugger.
std::vector<const char *> nextSums() {
  static const char *const in_register = "private int sum";
  static const char *const in_memory = "global int *const sums = out + id;\n#define sum (*sums)\nsum";
  static size_t turn = 0;
  if (runsEverything() || !isDebugged())
    return {in_register, in_memory};
  return {turn++ % 2 == 0 ? in_register : in_memory};
}

// `loop` sets `sum` with SUM(x) where work-items leave. Work-items with the same `way` leave together. If the variable
// is in memory, LLVM can do less with the values that come out of the loop, and more with its control flow.
void checkWays(const std::string &loop, const std::string &helpers, const std::string &leaving, const Way &way) {
  INFO(loop);
  for (const char *sum : nextSums())
    checkEachItem(
        "#define LEAVING(x) " + leaving + R"(
#define SUM(x) sub_group_non_uniform_reduce_add(x)
)" + helpers +
            R"(
KERNEL void k(global const int *in, global int *out) {
  const size_t id = get_global_linear_id();
  const int x = in[id];
)" + sum + " = 0;\n" +
            loop + R"(
  out[id] = sum + 10000 * SUM(1);
})",
        [&](const Item &item) { return sumAndCount(item, way); }, nextShapes());
}

// Each work-item leaves in iteration LEAVING(x), which is counted from 0 and below 5.
void checkLoop(const std::string &loop, const std::string &helpers = "") {
  checkWays(loop, helpers, "((x) % 5)", [](int x) { return x % 5; });
}

// Checks the loop also as one of 5 iterations that some work-items leave in none of them.
void checkCountedLoop(const std::string &loop, const std::string &helpers = "") {
  checkLoop(loop, helpers);
  const auto early = [](int x) { return x % 8 < 5 ? std::optional(x % 8) : std::nullopt; };
  checkWays(loop, helpers, "((x) & 7)", early);
}

} // namespace

TEST_CASE("a sub-group call before break", "[loop_exits]") {
  checkCountedLoop("for (int i = 0; i < 5; ++i) if (LEAVING(x) == i) { sum = SUM(x); break; }");
  checkLoop("for (int i = 0; i < x + 9; ++i) if (LEAVING(x) == i) { sum = SUM(x); break; }");
  checkCountedLoop("for (int i = 0; i < 5; ++i) if (LEAVING(x) <= i) { int got = SUM(x); if (got) sum = got; break; }");
  checkCountedLoop("int i = 0; do { if (LEAVING(x) == i) { sum = SUM(x); break; } } while (++i < 5);");
  checkCountedLoop("#pragma unroll\nfor (int i = 4; i >= 0; --i) if (4 - LEAVING(x) == i) { sum = SUM(x); break; }");
}

TEST_CASE("a loop that handles one value of the lanes at a time", "[loop_exits]") {
  const std::string first = "sub_group_broadcast_first(LEAVING(x)) ";
  checkLoop("while (true) if (" + first + "== LEAVING(x)) { sum = SUM(x); break; }");
  checkLoop("for (;;) { if (" + first + "!= LEAVING(x)) continue; sum = SUM(x); break; }");
  checkLoop("for (;;) {\n if (" + first + "!= LEAVING(x))\n continue;\n sum = SUM(x);\n break;\n }");
  checkLoop("do { if (" + first + "== LEAVING(x)) { sum = SUM(x); break; } } while (true);");
  checkLoop("again: if (" + first +
            "!= LEAVING(x)) goto again; else sum = SUM(x) - SUM(x);\n"
            "for (;;) { if (" +
            first + "== LEAVING(x)) { sum += SUM(x); goto done; } } done:;");
}

// Clang ends the lifetimes of a scope's variables in one block that all ways out of the scope share.
TEST_CASE("a call before break where variables go out of scope", "[loop_exits]") {
  checkCountedLoop(
      "for (int i = 0; i < 5; ++i) { int own = LEAVING(x); if (own == i) { int got = SUM(x); sum = got; break; } }");
  checkCountedLoop(
      "for (int i = 0; i < 5; ++i) { int own = LEAVING(x); if (own != i) continue; int got = SUM(x); sum = got; "
      "break; }");
  checkCountedLoop("for (int i = 0; i < 5; ++i) { int own = LEAVING(x); { int two = 2 * own; switch (two - 2 * i) {"
                   " case 0: { int got = SUM(x); sum = got; goto done; } default: continue; } } }\n done:;");
}

// What looks like another iteration is a way out as soon as LLVM sees through it.
TEST_CASE("a call before leaving the loop by a flag", "[loop_exits]") {
  checkCountedLoop("for (int i = 0; i < 5; ++i) { bool found = false;"
                   " if (LEAVING(x) == i) { sum = SUM(x); found = true; } if (found) break; }");
  checkCountedLoop(
      "const int once = 1; for (int i = 0; i < 5; ++i) { if (LEAVING(x) == i) { sum = SUM(x); if (once) break; } }");
  checkCountedLoop("int way[5]; for (int j = 0; j < 5; ++j) way[j] = j + 1;"
                   " for (int i = 0; i < 5; ++i) if (LEAVING(x) == i) { sum = SUM(x); if (way[i] == i + 1) break; }");
  checkLoop("bool more = true; for (int i = 0; more; ++i) { if (LEAVING(x) == i) { sum = SUM(x); more = false; } }");
  const std::string is_next = "sub_group_broadcast_first(LEAVING(x)) == LEAVING(x)";
  checkLoop("bool done = false; while (!done) { if (" + is_next + ") { sum = SUM(x); done = true; } }");
  checkLoop("int done = 0; do { if (" + is_next + ") { sum = SUM(x); done = 1; } } while (done == 0);");
  checkLoop("for (int left = 1; left > 0;) if (" + is_next + ") { sum = SUM(x); --left; }");
  checkLoop("sum = serve(x);", "int serve(int x) { bool done = false; int sum = 0; while (!done) { if (" + is_next +
                                   ") { sum = SUM(x); done = true; } } return sum; }");
}

TEST_CASE("loops within a loop that is unrolled", "[loop_exits]") {
  checkCountedLoop("int way[3] = {1, 1, 1}; for (int j = 0; j < 3; ++j) for (int i = 0; i < 5 + (x >> 20); ++i)"
                   " if (LEAVING(x) == i) { sum = SUM(x); if (way[j]) break; }");
  checkLoop("int got = 0; for (int j = 3; j > 0; --j) { got = 0;"
            " for (int i = 0; i < j + 4; ++i) if (LEAVING(x) == i) { got = SUM(x); break; } }"
            " sum = got;");
  checkLoop("bool done = false; for (int j = 1; j <= 5; ++j) for (int i = j - 1; i < j; ++i)"
            " if (!done && LEAVING(x) == i) { sum = SUM(x); done = true; break; }");
  checkLoop("for (int j = 0; j < 2; ++j) sum = leave(x, 5 + j * in[0]);", R"(
int leave(int x, int n) {
  for (int i = 0; i < n; ++i)
    if (LEAVING(x) == i) return SUM(x);
  return 0;
})");
}

TEST_CASE("a call before break from a loop in a loop", "[loop_exits]") {
  checkCountedLoop(
      "for (int j = 0; j < 2; ++j) for (int i = 0; i < 5; ++i) if (LEAVING(x) == i) { sum = SUM(x); break; }");
  checkCountedLoop("for (int j = 0; j < in[0] + 1; ++j) for (int i = 0; i < 5; ++i) {"
                   " int own = LEAVING(x); if (own == i) { int got = SUM(x); sum = got; break; } }");
}

TEST_CASE("calls on two ways out of a loop", "[loop_exits]") {
  checkWays(R"(
  for (int i = 0; i < 5; ++i) {
    if (LEAVING(x) != i) continue;
    if (x & 1) { sum = SUM(x); break; }
    if (x & 2) { if (x) sum = SUM(x); break; }
    sum = SUM(x);
    break;
  })",
            "", "((x) % 5)", [](int x) { return x % 5 * 4 + (x & 1 ? 1 : x & 2); });
}

TEST_CASE("a call before return from a function", "[loop_exits]") {
  checkCountedLoop("sum = leave(x);", R"(
int leave(int x) {
  for (int i = 0; i < 5; ++i)
    if (LEAVING(x) == i) return SUM(x);
  return 0;
})");
  checkCountedLoop("sum = leave(x);", R"(
int add(int x) { return SUM(x); }
int leave(int x) {
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      if (LEAVING(x) == j) { int sum = add(x); return sum; }
  return 0;
})");
}

TEST_CASE("a call before break in a function that a loop calls on its way out", "[loop_exits]") {
  checkLoop("for (int i = 0; i < 5; ++i) if (LEAVING(x) == i) { sum = inner(x); break; }", R"(
int inner(int x) {
  int sum = 0;
  while (true)
    if (sub_group_broadcast_first(x & 3) == (x & 3)) { sum = SUM(x); break; }
  return sum - SUM(sum) + SUM(SUM(0) + x) + SUM(sum) - sum;
})");
}

TEST_CASE("a call before leaving two loops", "[loop_exits]") {
  checkLoop("for (int i = 0; i < 3; ++i) for (int j = 0; j < 2; ++j)\n"
            " if (LEAVING(x) == 2 * i + j) { sum = SUM(x); goto done; }\n done:;");
  checkLoop("for (int i = 0; i < 3; ++i) { bool done = false; for (int j = 0; j < 2; ++j)\n"
            " if (LEAVING(x) == 2 * i + j) { done = true; sum = SUM(x); break; }\n if (done) break; }");
}

TEST_CASE("a call before break in a switch in a loop", "[loop_exits]") {
  checkCountedLoop(R"(
  for (int i = 0; i < 5; ++i) {
    switch (LEAVING(x) - i) {
    case 0: sum = SUM(x); goto done;
    case 1: continue;
    default: break;
    }
  }
  done:;)");
}

// The whole expansion of a macro has one source location.
TEST_CASE("a loop that a macro expands to", "[loop_exits]") {
  checkLoop("EACH_VALUE(LEAVING(x), sum = SUM(x))", R"(
#define EACH_VALUE(value, statement) \
  for (;;) { if (sub_group_broadcast_first(value) == (value)) { statement; break; } }
)");
  checkLoop("FIND_AND_SUM(x, sum)", R"(
#define FIND_AND_SUM(x, sum) { int i = 0; for (; i < 5; ++i) if (LEAVING(x) == i) break; \
  for (int at = 0; at < 5; ++at) { const int part = SUM(i == at ? x : 0); if (i == at) sum = part; } }
)");
}

TEST_CASE("a loop whose lines have other numbers", "[loop_exits]") {
  checkCountedLoop("for (int i = 0; i < 5; ++i) {\n#line 1\n if (LEAVING(x) == i) { sum = SUM(x);\n break; } }");
}
