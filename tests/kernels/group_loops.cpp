// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in steps of the work-group's size, which its first sub-group runs for all sub-groups.
#include "each_item.hpp"

#include <functional>

using namespace lanecl::test;

namespace {

constexpr size_t kGroups = 3;

std::vector<size_t> countsFor(size_t group) {
  return {0, 1, 9, group - 1, group, group + 1, 3 * group, 5 * group + 37};
}

uint32_t valueOf(size_t i) {
  return uint32_t(i * 2654435761u + 12345);
}

// One work-group's part of the memory: its elements, and room for one turn's elements before and after them.
struct Part {
  size_t group, count;
  std::vector<uint32_t> in, out;
};

// `run` does on the host, for one work-group, what `program` does.
void checkLaunch(const Session &cl, const Program &program, size_t group, size_t count,
                 const std::function<void(Part &)> &run) {
  const size_t pitch = count + 4 * group + 64;
  std::vector<uint32_t> all_in, all_out, want;
  for (size_t g = 0; g < kGroups; ++g) {
    Part part{group, count, std::vector<uint32_t>(pitch), std::vector<uint32_t>(pitch, 77)};
    for (size_t i = 0; i < pitch; ++i)
      part.in[i] = valueOf(g * pitch + i);
    all_in.insert(all_in.end(), part.in.begin(), part.in.end());
    all_out.insert(all_out.end(), part.out.begin(), part.out.end());
    run(part);
    want.insert(want.end(), part.out.begin(), part.out.end());
  }
  Memory in = cl.buffer(all_in), out = cl.buffer(all_out);
  cl.run(cl.kernel(program, "k"), {kGroups * group}, {group}, in, out, cl_uint(count), cl_uint(pitch));
  CHECK((cl.read<uint32_t>(out) == want));
}

// Checks a kernel body, which may use in, out (the work-group's own part), n, id and G.
void checkBody(const Session &cl, const std::string &body, const std::function<void(Part &)> &run) {
  for (const size_t width : widthsInTurn())
    for (const size_t group : {40, 64, 256}) {
      const Program program =
          cl.build(R"(
kernel __attribute__((reqd_work_group_size(G, 1, 1), intel_reqd_sub_group_size(WIDTH)))
void k(const global uint *inputs, global uint *outputs, uint n, uint pitch) {
  local uint shared[G];
  const uint id = get_local_id(0);
  const global uint *in = inputs + get_group_id(0) * pitch + G;
  global uint *out = outputs + get_group_id(0) * pitch + G;
)" + body + "}\n",
                   "-cl-std=CL3.0 -DG=" + std::to_string(group) + " -DWIDTH=" + std::to_string(width));
      for (const size_t count : countsFor(group)) {
        INFO("sub-groups of " << width << ", work-groups of " << group << ", " << count << " elements");
        checkLaunch(cl, program, group, count, run);
      }
    }
}

// Calls turn(i) in the order of the work-items' loops.
void forEachTurn(const Part &part, const std::function<void(size_t i)> &turn) {
  for (size_t id = 0; id < part.group; ++id)
    for (size_t i = id; i < part.count; i += part.group)
      turn(i);
}

} // namespace

TEST_CASE("each number of a loop in steps of the work-group's size is computed once", "[group_loops]") {
  const Session cl;
  for (const char *loop : {"for (int i = id; i < (int)n; i += G)", "for (uint i = id; i < n; i += get_local_size(0))",
                           "for (size_t i = get_local_id(0); i < n; i += G)", "for (long i = id; n > i; i += G)"})
    checkBody(cl, std::string(loop) + " out[i] = in[i] * 3 + i;", [](Part &part) {
      forEachTurn(part, [&](size_t i) { part.out[part.group + i] = uint32_t(part.in[part.group + i] * 3 + i); });
    });
}

TEST_CASE("a loop after a reduction uses what all work-items share", "[group_loops]") {
  const Session cl;
  checkBody(cl, R"(
  uint sum = 0;
  for (uint i = id; i < n; i += G)
    sum += in[i];
  shared[id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0)
    for (uint i = 1; i < G; ++i)
      shared[0] += shared[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint factor = shared[0] | 1;
  for (uint i = id; i < n; i += G)
    out[i] = in[i] * factor;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (n > 0)
    out[-1 - (int)id] = out[(id + 1) % n];
)",
            [](Part &part) {
              uint32_t sum = 0;
              forEachTurn(part, [&](size_t i) { sum += part.in[part.group + i]; });
              forEachTurn(part, [&](size_t i) { part.out[part.group + i] = part.in[part.group + i] * (sum | 1); });
              for (size_t id = 0; id < part.group && part.count != 0; ++id)
                part.out[part.group - 1 - id] = part.out[part.group + (id + 1) % part.count];
            });
}

TEST_CASE("the turns that a work-item takes in a work-group's loop stay in order", "[group_loops]") {
  const Session cl;
  checkBody(cl, "for (uint i = id; i < n; i += G) out[i + G] = out[i] * 5 + in[i];", [](Part &part) {
    forEachTurn(
        part, [&](size_t i) { part.out[2 * part.group + i] = part.out[part.group + i] * 5 + part.in[part.group + i]; });
  });
}

TEST_CASE("turns of a work-group's loop with their own conditions", "[group_loops]") {
  const Session cl;
  checkBody(cl, R"(
  for (uint i = id; i < n; i += G)
    if (in[i] % 3 == 0)
      out[i] = in[i] / 7;
    else if (i % 5 == 2)
      out[i] += i;
)",
            [](Part &part) {
              forEachTurn(part, [&](size_t i) {
                uint32_t &out = part.out[part.group + i];
                const uint32_t in = part.in[part.group + i];
                if (in % 3 == 0)
                  out = in / 7;
                else if (i % 5 == 2)
                  out += uint32_t(i);
              });
            });
}

// `size` equals G, but the compiler does not know it, as it does not know the size of an NDRange.
TEST_CASE("updates in a work-group's loop with an unknown step", "[group_loops]") {
  const Session cl;
  const std::string head =
      "  const uint size = (pitch - n - 64) / 4;\n  shared[id] = 3;\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  const std::string tail = "  barrier(CLK_LOCAL_MEM_FENCE);\n  out[id] = shared[id];\n";
  checkBody(
      cl, head + "for (uint i = id; i < n; i += size) atomic_add(&shared[in[i] % G], i | 1);\n" + tail, [](Part &part) {
        std::fill_n(part.out.begin() + long(part.group), part.group, 3U);
        forEachTurn(part,
                    [&](size_t i) { part.out[part.group + part.in[part.group + i] % part.group] += uint32_t(i | 1); });
      });
  checkBody(cl, head + "for (int i = id; i < (int)n; i += size) if (in[i] % 3) atomic_max(&out[in[i] % 8], in[i]);\n",
            [](Part &part) {
              forEachTurn(part, [&](size_t i) {
                const uint32_t in = part.in[part.group + i];
                if (in % 3 != 0)
                  part.out[part.group + in % 8] = std::max(part.out[part.group + in % 8], in);
              });
            });
}

// Each work-item of the last sub-group gets a number that tells which updates came before.
TEST_CASE("updates whose results are used, or that follow a work-item's own reads", "[group_loops]") {
  const Session cl;
  checkBody(cl, R"(
  const uint size = (pitch - n - 64) / 4;
  shared[id] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint before = shared[id];
  for (uint i = id; i < n; i += size)
    atomic_add(&shared[i % size], 2);
  out[id] = before + shared[id];
)",
            [](Part &part) {
              std::fill_n(part.out.begin() + long(part.group), part.group, 10U);
              forEachTurn(part, [&](size_t i) { part.out[part.group + i % part.group] += 2; });
            });
  checkBody(cl, R"(
  const uint size = (pitch - n - 64) / 4;
  shared[id] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = id; i < n; i += size)
    out[i] = atomic_add(&shared[i % size], i);
)",
            [](Part &part) {
              std::vector<uint32_t> sums(part.group, 5);
              forEachTurn(part, [&](size_t i) {
                part.out[part.group + i] = sums[i % part.group];
                sums[i % part.group] += uint32_t(i);
              });
            });
}

// The loop reads and writes what the same work-item has written and read before, without a barrier in between.
TEST_CASE("what work-items do before a loop stays before it", "[group_loops]") {
  const Session cl;
  checkBody(cl, R"(
  const uint size = (pitch - n - 64) / 4; // G, which the compiler does not know
  shared[id] = in[id] + 1;
  for (uint i = id; i < n; i += G)
    out[i] = in[i] + shared[i % size];
)",
            [](Part &part) {
              forEachTurn(part, [&](size_t i) {
                part.out[part.group + i] = part.in[part.group + i] + part.in[part.group + i % part.group] + 1;
              });
            });
  checkBody(cl, R"(
  const uint before = out[id];
  for (uint i = id; i < n; i += G)
    out[i] = in[i];
  out[-1 - (int)id] = before * 3;
)",
            [](Part &part) {
              for (size_t id = 0; id < part.group; ++id)
                part.out[part.group - 1 - id] = 77 * 3;
              forEachTurn(part, [&](size_t i) { part.out[part.group + i] = part.in[part.group + i]; });
            });
}

TEST_CASE("a loop that only a part of the work-group reaches", "[group_loops]") {
  const Session cl;
  for (const char *condition : {"id >= 32", "id < 40", "id % 3 != 0"})
    checkBody(cl, "if (" + std::string(condition) + R"() {
    for (uint i = id; i < n; i += G)
      out[i] = in[i];
  } else {
    out[-1 - (int)id] = 5;
  })",
              [&](Part &part) {
                const auto comes = [&](size_t id) {
                  return condition[3] == '>' ? id >= 32 : condition[3] == '<' ? id < 40 : id % 3 != 0;
                };
                forEachTurn(part, [&](size_t i) {
                  if (comes(i % part.group))
                    part.out[part.group + i] = part.in[part.group + i];
                });
                for (size_t id = 0; id < part.group; ++id)
                  if (!comes(id))
                    part.out[part.group - 1 - id] = 5;
              });
  checkBody(cl, "if (id == 7) return; for (uint i = id; i < n; i += G) out[i] = in[i];", [](Part &part) {
    forEachTurn(part, [&](size_t i) {
      if (i % part.group != 7)
        part.out[part.group + i] = part.in[part.group + i];
    });
  });
}

// Each work-item has its own limit, factor and memory.
TEST_CASE("a loop with values that the work-items do not share", "[group_loops]") {
  const Session cl;
  checkBody(cl, "for (uint i = id; i < n - min(n, id / 16); i += G) out[i] = in[i];", [](Part &part) {
    forEachTurn(part, [&](size_t i) {
      if (i < part.count - std::min(part.count, i % part.group / 16))
        part.out[part.group + i] = part.in[part.group + i];
    });
  });
  checkBody(cl, "const uint own = in[id]; for (uint i = id; i < n; i += G) out[i] = in[i] * own;", [](Part &part) {
    forEachTurn(part, [&](size_t i) {
      part.out[part.group + i] = part.in[part.group + i] * part.in[part.group + i % part.group];
    });
  });
  checkBody(cl, R"(
  uint mine[4] = {in[id], in[id + 1], in[id + 2], in[id + 3]};
  for (uint i = id; i < n; i += G)
    mine[in[i] & 3] += i;
  for (uint i = id; i < n; i += G)
    out[i] = mine[i & 3];
)",
            [](Part &part) {
              for (size_t id = 0; id < part.group; ++id) {
                uint32_t mine[4];
                std::copy_n(&part.in[part.group + id], 4, mine);
                for (size_t i = id; i < part.count; i += part.group)
                  mine[part.in[part.group + i] & 3] += uint32_t(i);
                for (size_t i = id; i < part.count; i += part.group)
                  part.out[part.group + i] = mine[i & 3];
              }
            });
}

TEST_CASE("indices of a work-group's loop that wrap around", "[group_loops]") {
  const Session cl;
  checkBody(cl, "for (uint i = id - 50u; i < n; i += G) out[i] = in[i] + 1;", [](Part &part) {
    for (size_t id = 0; id < part.group; ++id)
      for (uint32_t i = uint32_t(id) - 50u; i < part.count; i += uint32_t(part.group))
        part.out[part.group + i] = part.in[part.group + i] + 1;
  });
  checkBody(cl, "for (int i = (int)id - 20; i < (int)n - 20; i += G) out[i] = in[i] + i;", [](Part &part) {
    forEachTurn(part,
                [&](size_t i) { part.out[part.group + i - 20] = uint32_t(part.in[part.group + i - 20] + i - 20); });
  });
}

// Two loops between the same barriers. The second one reads what the same work-item wrote in the first one.
TEST_CASE("two loops in steps of the work-group's size", "[group_loops]") {
  const Session cl;
  checkBody(cl, R"(
  for (uint i = id; i < n; i += G)
    out[i] = in[i] ^ 5;
  for (uint i = id; i < n; i += G)
    out[i] = out[i] * 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint i = id; i < n; i += G)
    out[i] += in[n - 1 - i];
)",
            [](Part &part) {
              forEachTurn(part, [&](size_t i) {
                const uint32_t *in = &part.in[part.group];
                part.out[part.group + i] = (in[i] ^ 5) * 3 + in[part.count - 1 - i];
              });
            });
}
