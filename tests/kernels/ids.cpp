// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-item functions in one to three dimensions, with offsets and non-uniform sizes, at every width.
#include "each_item.hpp"

#include <array>

using namespace lanecl::test;

namespace {

constexpr size_t kValues = 32;
using Record = std::array<uint64_t, kValues>;
using Size3 = std::array<size_t, 3>;

constexpr const char *kSource = R"(
KERNEL void k(global ulong *out) {
  size_t row = get_global_size(0), plane = row * get_global_size(1);
  size_t i = (get_global_id(2) - get_global_offset(2)) * plane + (get_global_id(1) - get_global_offset(1)) * row +
             get_global_id(0) - get_global_offset(0);
  global ulong *o = out + i * 32;
  for (uint d = 0; d < 4; ++d) {
    o[d] = get_global_id(d); o[4 + d] = get_local_id(d); o[8 + d] = get_group_id(d);
    o[12 + d] = get_local_size(d) << 32 | get_enqueued_local_size(d);
    o[16 + d] = get_num_groups(d) << 32 | get_global_size(d);
  }
  o[20] = get_global_offset(0) + get_global_offset(1) * 1000 + get_global_offset(2) * 1000000 + get_global_offset(3);
  o[21] = get_work_dim(); o[22] = get_global_linear_id(); o[23] = get_local_linear_id();
  o[24] = get_sub_group_local_id(); o[25] = get_sub_group_id(); o[26] = get_sub_group_size();
  o[27] = get_max_sub_group_size(); o[28] = get_num_sub_groups(); o[29] = get_enqueued_num_sub_groups();
}
)";

struct Range {
  std::vector<size_t> global, local, offset;
};

Size3 padded(const std::vector<size_t> &sizes, size_t fill) {
  Size3 result{fill, fill, fill};
  std::copy(sizes.begin(), sizes.end(), result.begin());
  return result;
}

Record expectedRecord(const Range &range, size_t width, const Size3 &at) {
  const Size3 global = padded(range.global, 1), local = padded(range.local, 1), offset = padded(range.offset, 0);
  Size3 lid{}, size{};
  Record r{};
  for (size_t d = 0; d < 3; ++d) {
    const size_t group = at[d] / local[d];
    lid[d] = at[d] % local[d];
    size[d] = std::min(local[d], global[d] - group * local[d]);
    r[d] = at[d] + offset[d];
    r[4 + d] = lid[d];
    r[8 + d] = group;
    r[12 + d] = size[d] << 32 | local[d];
    r[16 + d] = (global[d] + local[d] - 1) / local[d] << 32 | global[d];
  }
  r[15] = r[19] = uint64_t(1) << 32 | 1;
  r[20] = offset[0] + offset[1] * 1000 + offset[2] * 1000000;
  r[21] = range.global.size();
  r[22] = (at[2] * global[1] + at[1]) * global[0] + at[0];
  const size_t linear = r[23] = (lid[2] * size[1] + lid[1]) * size[0] + lid[0];
  const size_t items = size[0] * size[1] * size[2], whole = local[0] * local[1] * local[2];
  r[24] = linear % width;
  r[25] = linear / width;
  r[26] = std::min(width, items - linear / width * width);
  r[27] = width;
  r[28] = (items + width - 1) / width;
  r[29] = (whole + width - 1) / width;
  return r;
}

void checkRange(const Session &cl, const Program &program, size_t width, const Range &range) {
  const Size3 global = padded(range.global, 1);
  const size_t items = global[0] * global[1] * global[2];
  Memory out = cl.buffer(std::vector<uint64_t>(items * kValues));
  const Kernel kernel = cl.kernel(program, "k");
  cl.setArguments(kernel, out);
  check(clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(range.global.size()),
                               range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
                               range.local.data(), 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  const auto got = cl.read<uint64_t>(out);
  size_t wrong = 0;
  for (size_t i = 0; i < items && wrong < 3; ++i) {
    const Size3 at{i % global[0], i / global[0] % global[1], i / global[0] / global[1]};
    const Record want = expectedRecord(range, width, at);
    Record mine{};
    std::copy_n(got.begin() + i * kValues, kValues, mine.begin());
    INFO("sub-groups of " << width << ", work-item " << at[0] << ", " << at[1] << ", " << at[2]);
    wrong += mine != want;
    CHECK(mine == want);
  }
}

} // namespace

TEST_CASE("every work-item function in every shape of range", "[ids]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kSource, width);
    for (const Range &range : {Range{{64}, {32}, {}}, Range{{60}, {20}, {7}}, Range{{24, 6}, {12, 3}, {}},
                               Range{{16, 8, 4}, {8, 4, 2}, {3, 2, 1}}, Range{{10, 6, 4}, {5, 3, 2}, {}},
                               Range{{3}, {1}, {}}, Range{{1, 1, 9}, {1, 1, 3}, {}}})
      checkRange(cl, program, width, range);
  }
}

TEST_CASE("work-item functions at the edges of non-uniform ranges", "[ids]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, kSource, width);
    for (const Range &range : {Range{{70}, {32}, {}}, Range{{61}, {20}, {7}}, Range{{25, 7}, {12, 3}, {}},
                               Range{{17, 9, 5}, {8, 4, 2}, {3, 2, 1}}, Range{{5}, {32}, {}}})
      if (range.global[0] >= range.local[0] || range.global.size() == 1)
        checkRange(cl, program, width, range);
  }
}

// The device then makes its own work-groups, of another size than the launch's.
TEST_CASE("global ids in a kernel that cannot see its work-groups", "[ids]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void k(global ulong *out) {
  size_t row = get_global_size(0), plane = row * get_global_size(1);
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  ulong record = get_global_id(0) * 3 + get_global_id(1) * 1000 + get_global_id(2) * 1000000 + get_work_dim();
  if (x % 3 == 1)
    record = get_global_linear_id() << 32 | get_global_id(y % 2);
  out[z * plane + y * row + x] = record;
})",
                                   "-cl-std=CL3.0");
  for (const Range &range :
       {Range{{1}, {1}, {}}, Range{{31}, {31}, {9}}, Range{{4096}, {1}, {}}, Range{{5000}, {8}, {1}},
        Range{{33, 3}, {1, 3}, {}}, Range{{64, 65}, {8, 5}, {5, 6}}, Range{{130, 7}, {13, 7}, {}},
        Range{{1, 300}, {1, 10}, {}}, Range{{7, 11, 13}, {7, 1, 1}, {3, 2, 1}}, Range{{2, 1, 700}, {1, 1, 7}, {}},
        Range{{3000, 2, 2}, {100, 2, 1}, {}}}) {
    const Size3 global = padded(range.global, 1), offset = padded(range.offset, 0);
    std::vector<uint64_t> want;
    for (size_t z = 0; z < global[2]; ++z)
      for (size_t y = 0; y < global[1]; ++y)
        for (size_t x = 0; x < global[0]; ++x) {
          const Size3 id{x + offset[0], y + offset[1], z + offset[2]};
          want.push_back(x % 3 == 1 ? uint64_t(want.size()) << 32 | id[y % 2]
                                    : id[0] * 3 + id[1] * 1000 + id[2] * 1000000 + range.global.size());
        }
    for (const size_t *local : {range.local.data(), static_cast<const size_t *>(nullptr)}) {
      Memory out = cl.buffer(std::vector<uint64_t>(want.size()));
      const Kernel kernel = cl.kernel(program, "k");
      cl.setArguments(kernel, out);
      check(clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(range.global.size()),
                                   range.offset.empty() ? nullptr : range.offset.data(), range.global.data(), local, 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
      INFO("global size " << global[0] << ", " << global[1] << ", " << global[2]);
      CHECK((cl.read<uint64_t>(out) == want));
    }
  }
}

// The lanes then lie along y or z.
TEST_CASE("neighbors along a dimension other than x are neighbors in memory", "[ids]") {
  const Session cl;
  const Program program = cl.build(R"(
kernel void k(global const uint *in, global uint *out, int rows, int planes) {
  const int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  const int z = get_global_id(2) - get_global_offset(2);
  const int i = (x * planes + z) * rows + y;
  uint sum = in[i];
  if (y > 0 && x % 5 != 2)
    sum = sum * 3 + in[i - 1] + get_global_id(1) * 7 + get_global_id(2);
  out[i] = sum;
}
kernel void product(global const uint *a, global const uint *b, global uint *c, int n, int k) {
  uint sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[get_global_id(0) * k + i] * b[i * n + get_global_id(2)];
  c[get_global_id(0) * n + get_global_id(2)] = sum;
})",
                                   "-cl-std=CL3.0");
  for (const Range &range :
       {Range{{64, 64}, {8, 8}, {}}, Range{{65, 300}, {65, 1}, {2, 3}}, Range{{70, 5000}, {7, 1}, {}},
        Range{{3000, 67}, {1, 67}, {1, 0}}, Range{{64, 100, 3}, {4, 4, 1}, {0, 9, 5}}, Range{{31, 100}, {31, 1}, {}}}) {
    const Size3 global = padded(range.global, 1), offset = padded(range.offset, 0);
    std::vector<uint32_t> in, want;
    for (uint32_t i = 0; i < global[0] * global[1] * global[2]; ++i)
      in.push_back(i * 2654435761u);
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t y = i % global[1], z = i / global[1] % global[2], x = i / global[1] / global[2];
      want.push_back(y > 0 && x % 5 != 2 ? uint32_t(in[i] * 3 + in[i - 1] + (y + offset[1]) * 7 + z + offset[2])
                                         : in[i]);
    }
    Memory source = cl.buffer(in), out = cl.buffer(std::vector<uint32_t>(in.size()));
    const Kernel kernel = cl.kernel(program, "k");
    cl.setArguments(kernel, source, out, cl_int(global[1]), cl_int(global[2]));
    check(clEnqueueNDRangeKernel(cl.queue, kernel, cl_uint(range.global.size()),
                                 range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
                                 range.local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    INFO("global size " << global[0] << ", " << global[1] << ", " << global[2]);
    CHECK((cl.read<uint32_t>(out) == want));
  }
  const size_t m = 100, n = 81, k = 9, global[] = {m, 1, n};
  std::vector<uint32_t> a(m * k), b(k * n), want(m * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = uint32_t(i * 40503);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = uint32_t(i * 69621 + 1);
  for (size_t x = 0; x < m; ++x)
    for (size_t z = 0; z < n; ++z)
      for (size_t i = 0; i < k; ++i)
        want[x * n + z] += a[x * k + i] * b[i * n + z];
  Memory left = cl.buffer(a), right = cl.buffer(b), out = cl.buffer(std::vector<uint32_t>(m * n));
  const Kernel kernel = cl.kernel(program, "product");
  cl.setArguments(kernel, left, right, out, cl_int(n), cl_int(k));
  check(clEnqueueNDRangeKernel(cl.queue, kernel, 3, nullptr, global, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  CHECK((cl.read<uint32_t>(out) == want));
}

TEST_CASE("ids beyond 32 bits", "[ids]") {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl,
                                          "KERNEL void k(global ulong *out) {\n"
                                          "  size_t i = get_global_id(0);\n"
                                          "  out[i - get_global_offset(0)] = i * 3;\n"
                                          "}\n",
                                          width);
    const size_t offset = (size_t(1) << 33) + 5, global = 100, local = 50;
    Memory out = cl.buffer(std::vector<uint64_t>(global));
    const Kernel kernel = cl.kernel(program, "k");
    cl.setArguments(kernel, out);
    check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    std::vector<uint64_t> want;
    for (size_t i = 0; i < global; ++i)
      want.push_back((offset + i) * 3);
    CHECK(cl.read<uint64_t>(out) == want);
  }
}

TEST_CASE("a required sub-group size larger than the work-group", "[ids]") {
  checkEachItem(R"(
KERNEL void k(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + get_max_sub_group_size() * 1000 + get_sub_group_size() * 100000 + get_num_sub_groups() * 10000000 +
           sub_group_reduce_add(1);
})",
                [](const Item &item) {
                  return int(item.x() + item.width * 1000 + item.local_size * 100000 + 10000000 + item.local_size);
                },
                {{5}, {1}, {7}, {8}});
}

TEST_CASE("lane numbers in as few bits as they need are compared", "[ids]") {
  checkEachItem(R"(
typedef unsigned _BitInt(WIDTH == 8 ? 3 : WIDTH == 16 ? 4 : 5) number;
KERNEL void k(global const int *in, global int *out) {
  number lane = get_sub_group_local_id(), limit = in[1];
  out[get_global_id(0)] = (lane < limit) + 2 * (lane <= limit);
})",
                [](const Item &item) {
                  const size_t limit = size_t(item.in[1]) % item.width;
                  return (item.lane() < limit) + 2 * (item.lane() <= limit);
                });
}
