// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that all lanes run together for a while. The loop counter is common to all lanes, and each lane has its own
// limit.
#include "each_item.hpp"

#include <algorithm>
#include <functional>

using namespace lanecl::test;

namespace {

constexpr int kMost = 64; // number of turns of a loop whose end is out of reach

struct Loop {
  const char *type, *start, *goes_on, *step;
  std::function<int(int limit)> turns; // number of turns that a work-item takes
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

// Each turn is counted in memory, and in a value that the loop carries.
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

TEST_CASE("loops up to the work-item's number", "[whole_loops]") {
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

// Without a second condition, LLVM tests whether the counter is equal to the limit.
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

// Lanes start at a part of their number and go on with the same step, so the distances between their addresses are
// known. Each turn reads neighboring elements of the current blocks, vectors and single bytes, as sums of quantized
// weights do.
TEST_CASE("loops in which lanes start at parts of their number", "[whole_loops]") {
  struct Number {
    const char *type, *start, *step;
    std::function<int(int lane)> first;
    int by;
  };
  const std::vector<Number> numbers{
      {"int", "lane / 2", "8", [](int lane) { return lane / 2; }, 8},
      {"uint", "lane / 4", "get_sub_group_size() / 4", [](int lane) { return lane / 4; }, 0},
      {"long", "lane % 4", "4", [](int lane) { return lane % 4; }, 4},
      {"ushort", "lane >> 1", "8", [](int lane) { return lane >> 1; }, 8},
      {"int", "3 - lane % 4", "4", [](int lane) { return 3 - lane % 4; }, 4},
      {"size_t", "lane & 6", "5", [](int lane) { return lane & 6; }, 5},
      {"int", "in[lane] & 3", "4", [](int lane) { return lane * 5 % 4; }, 4},
  };
  const Session cl;
  for (const Number &number : numbers)
    for (const size_t width : widthsInTurn()) {
      const Program program =
          cl.build(R"(
__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void k(global const int *in, global const uchar *bytes, global int *out, int blocks) {
  const int lane = get_sub_group_local_id(), part = lane % 2;
  int sum = 0, last = -1;
  for (TYPE i = START; i < (TYPE)blocks; i += STEP) {
    const int4 four = vload4(0, in + (int)i * 8 + part * 4);
    const uchar2 two = vload2(0, bytes + (int)i * 18 + 2 + part * 8);
    sum = sum * 3 + four.x + 5 * four.w + in[(uint)i * 8 + lane % 8] + two.x * 7 + two.y;
    last = bytes[(int)i * 18];
  }
  out[get_global_id(0)] = sum + last + sub_group_reduce_add(sum & 255);
})",
                   std::string("-cl-std=CL3.0 -DTYPE=") + number.type + " -DWIDTH=" + std::to_string(width) +
                       " \"-DSTART=" + number.start + "\" \"-DSTEP=" + number.step + "\"");
      for (const int blocks : {0, 1, 3, 7, 8, 29, 64})
        for (const size_t items : {width, 2 * width, width + 5}) {
          std::vector<int> in(size_t(blocks + 40) * 8);
          std::vector<uint8_t> bytes(size_t(blocks + 40) * 18);
          for (size_t i = 0; i < in.size(); ++i)
            in[i] = int(i * 5);
          for (size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = uint8_t(i * 37 + 11);
          std::vector<int> want(items), sums(items), last(items, -1);
          for (size_t item = 0; item < items; ++item) {
            const size_t first = item - item % width, end = std::min(items, first + width);
            const int lane = int(item - first), lanes = int(end - first);
            const int by = number.by != 0 ? number.by : std::max(lanes / 4, 1);
            uint32_t sum = 0;
            for (int i = number.first(lane); i < blocks; i += by) {
              const auto at = [&](int k) { return uint32_t(in[size_t(i * 8 + k)]); };
              const uint8_t *const block = &bytes[size_t(i) * 18], *const two = block + 2 + lane % 2 * 8;
              sum = sum * 3 + at(lane % 2 * 4) + 5 * at(lane % 2 * 4 + 3) + at(lane % 8) + two[0] * 7u + two[1];
              last[item] = block[0];
            }
            sums[item] = int(sum);
          }
          for (size_t item = 0; item < items; ++item) {
            const size_t first = item - item % width, end = std::min(items, first + width);
            uint32_t total = 0;
            for (size_t other = first; other < end; ++other)
              total += uint32_t(sums[other]) & 255;
            want[item] = int(uint32_t(sums[item]) + uint32_t(last[item]) + total);
          }
          Memory a = cl.buffer(in), b = cl.buffer(bytes), out = cl.buffer(std::vector<int>(items, 77));
          cl.run(cl.kernel(program, "k"), {items}, {items}, a, b, out, cl_int(blocks));
          INFO(number.type << " i = " << number.start << ", " << blocks << " blocks, " << items
                           << " work-items, sub-groups of " << width);
          CHECK((cl.read<int>(out) == want));
        }
    }
}
