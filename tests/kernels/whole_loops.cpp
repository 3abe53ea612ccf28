// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that all lanes do together for a while: the numbers are those of all lanes, the limits each lane's own.
#include "each_item.hpp"

#include <algorithm>
#include <functional>

using namespace lanecl::test;

namespace {

constexpr int kMost = 64; // turns of a loop, if its end is out of reach

struct Loop {
  const char *type, *start, *goes_on, *step;
  std::function<int(int limit)> turns; // that a work-item does
};

int below(int start, int step, int limit) {
  int turns = 0;
  for (int i = start; i < limit && turns < kMost; i += step)
    ++turns;
  return turns;
}

std::vector<Loop> loops() {
  return {
      {"uint", "0", "i < limit", "++i", [](int limit) { return below(0, 1, limit); }},
      {"int", "0", "i < limit", "++i", [](int limit) { return below(0, 1, limit); }},
      {"int", "-5", "i < limit", "++i", [](int limit) { return below(-5, 1, limit); }},
      {"int", "-5", "i < limit", "i += 3", [](int limit) { return below(-5, 3, limit); }},
      {"int", "7", "i <= limit", "++i", [](int limit) { return below(7, 1, limit + 1); }},
      {"long", "2", "i < limit", "i += 2", [](int limit) { return below(2, 2, limit); }},
      {"ushort", "1", "i < limit", "++i", [](int limit) { return below(1, 1, limit); }},
      {"char", "0", "i < limit", "++i", [](int limit) { return below(0, 1, limit); }},
      {"uint", "0", "i != limit", "++i", [](int limit) { return std::min(limit, kMost); }},
      {"int", "20", "i != limit", "++i", [](int limit) { return limit < 20 ? kMost : std::min(limit - 20, kMost); }},
      {"int", "50", "i > limit", "--i", [](int limit) { return std::max(50 - limit, 0); }},
  };
}

// Each turn counts in memory, and in a value that the loop carries.
std::string kernelOf(const Loop &loop, const std::string &limit, const std::string &condition) {
  return std::string(R"(
KERNEL void k(global const int *in, global int *out) {
  const int me = get_global_linear_id();
  const )") +
         loop.type + " limit = " + limit + R"(;
  uint turns = 0;
  int sum = 0;
  out[me] = 0;
  if ()" +
         condition + ") {\n    for (" + loop.type + " i = " + loop.start + "; " + loop.goes_on + " && turns < 64; " +
         loop.step +
         R"() {
      sum += in[turns % 5] ^ (int)i;
      out[me] += 1;
      ++turns;
    }
  }
  out[me] = out[me] * 1000 + (sum & 511);
})";
}

int start(const Loop &loop) {
  return std::stoi(loop.start);
}

int stepOf(const Loop &loop) {
  const std::string step = loop.step;
  return step == "++i" ? 1 : step == "--i" ? -1 : step.back() - '0';
}

int resultOf(const Item &item, const Loop &loop, int limit, bool enters) {
  const int turns = enters ? loop.turns(limit) : 0;
  int sum = 0;
  for (int turn = 0; turn < turns; ++turn)
    sum += item.in[size_t(turn % 5)] ^ (start(loop) + turn * stepOf(loop));
  return turns * 1000 + (sum & 511);
}

} // namespace

TEST_CASE("loops up to the number of the work-item", "[whole_loops]") {
  for (const Loop &loop : loops()) {
    INFO(loop.type << " i = " << loop.start << "; " << loop.goes_on << "; " << loop.step);
    checkEachItem(kernelOf(loop, "get_local_linear_id()", "true"),
                  [&](const Item &item) { return resultOf(item, loop, int(item.local), true); },
                  {{64}, {37}, {4, 3, 2}});
    checkEachItem(kernelOf(loop, "get_local_linear_id() * 2 + 9", "me % 3 != 1"),
                  [&](const Item &item) { return resultOf(item, loop, int(item.local) * 2 + 9, item.global % 3 != 1); },
                  {{21}});
  }
}

TEST_CASE("loops up to a limit from memory", "[whole_loops]") {
  for (const Loop &loop : loops()) {
    INFO(loop.type << " i = " << loop.start << "; " << loop.goes_on << "; " << loop.step);
    checkEachItem(kernelOf(loop, "in[me]", "true"),
                  [&](const Item &item) { return resultOf(item, loop, item.x(), true); }, {{37}});
    checkEachItem(kernelOf(loop, "in[me]", "in[me] % 4 != 0"),
                  [&](const Item &item) { return resultOf(item, loop, item.x(), item.x() % 4 != 0); }, {{32}});
  }
}

// Without a second condition LLVM asks whether the number is equal to the limit.
TEST_CASE("loops whose only condition is the work-item's own limit", "[whole_loops]") {
  for (const char *type : {"int", "uint", "long", "ulong", "short"})
    for (const char *limit : {"get_local_linear_id()", "in[me]"}) {
      INFO(type << ", up to " << limit);
      checkEachItem("KERNEL void k(global const int *in, global int *out) {\n  const int me = get_global_linear_id();\n"
                    "  int count = 0;\n  for (" +
                        std::string(type) + " i = 0; i < " + limit +
                        "; ++i)\n    if (in[i] == in[me])\n      ++count;\n  out[me] = count;\n}",
                    [&](const Item &item) {
                      const size_t end = limit[0] == 'g' ? item.local : size_t(item.x());
                      return int(std::count(item.in.begin(), item.in.begin() + ptrdiff_t(end), item.x()));
                    },
                    {{128}, {45}, {12, 3}});
    }
}
