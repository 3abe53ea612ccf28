// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-item functions, work-group functions, copies between memories and atomics, end to end.
#include "support/session.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace lanecl::test;

TEST_CASE("work-item functions in three dimensions", "[work_group]") {
  Session cl;
  Program program = cl.build("kernel void ids(global ulong *out, uint dim) {\n"
                             "  size_t i = get_global_linear_id();\n"
                             "  out[i * 8 + 0] = get_global_id(dim);\n"
                             "  out[i * 8 + 1] = get_local_id(dim);\n"
                             "  out[i * 8 + 2] = get_group_id(dim);\n"
                             "  out[i * 8 + 3] = get_global_size(dim);\n"
                             "  out[i * 8 + 4] = get_local_size(dim);\n"
                             "  out[i * 8 + 5] = get_num_groups(dim);\n"
                             "  out[i * 8 + 6] = get_local_linear_id();\n"
                             "  out[i * 8 + 7] = get_work_dim() * 100 + get_enqueued_local_size(dim);\n"
                             "}\n",
                             "-cl-std=CL3.0");
  const std::vector<size_t> global{12, 6, 4}, local{6, 3, 2};
  Memory out = cl.bytes(12 * 6 * 4 * 8 * 8);
  for (cl_uint dim : {0u, 1u, 2u, 3u, 1000u}) {
    cl.run(cl.kernel(program, "ids"), global, local, out, dim);
    const std::vector<uint64_t> got = cl.read<uint64_t>(out);
    size_t wrong = 0, i = 0;
    for (size_t z = 0; z < 4; ++z)
      for (size_t y = 0; y < 6; ++y)
        for (size_t x = 0; x < 12; ++x, i += 8) {
          const bool in_range = dim < 3;
          const size_t id = std::vector<size_t>{x, y, z, 0}[std::min(dim, 3u)];
          const size_t size = in_range ? global[dim] : 1, group = in_range ? local[dim] : 1;
          const size_t linear = (z % 2 * 3 + y % 3) * 6 + x % 6;
          const std::vector<uint64_t> want{id, id % group, id / group, size, group, size / group, linear, 300 + group};
          wrong += !std::equal(want.begin(), want.end(), got.begin() + i);
        }
    INFO("dimension " << dim);
    CHECK(wrong == 0);
  }
}

TEST_CASE("work-group functions", "[work_group]") {
  Session cl;
  Program program =
      cl.build("#define DECLARE(T, name, ...) T __attribute__((overloadable, convergent)) name(__VA_ARGS__);\n"
               "DECLARE(int, work_group_reduce_add, int) DECLARE(int, work_group_scan_inclusive_add, int)\n"
               "DECLARE(int, work_group_scan_exclusive_max, int) DECLARE(int, work_group_broadcast, int, size_t)\n"
               "DECLARE(int, work_group_all, int) DECLARE(int, work_group_any, int)\n"
               "kernel void collect(global const int *in, global int *out) {\n"
               "  size_t i = get_global_id(0), n = get_global_size(0); int x = in[i];\n"
               "  out[i] = work_group_reduce_add(x);\n"
               "  out[n + i] = work_group_scan_inclusive_add(x);\n"
               "  out[2 * n + i] = work_group_scan_exclusive_max(x);\n"
               "  out[3 * n + i] = work_group_broadcast(x, 37);\n"
               "  out[4 * n + i] = work_group_all(x < 1000) * 2 + work_group_any(x == 5);\n"
               "}\n",
               "-cl-std=CL3.0");
  constexpr size_t n = 200, local = 100;
  std::vector<int> input(n);
  for (size_t i = 0; i < n; ++i)
    input[i] = int(i * 31 % 97) - 40;
  Memory in = cl.buffer(input), out = cl.bytes(5 * n * sizeof(int));
  cl.run(cl.kernel(program, "collect"), {n}, {local}, in, out);
  const std::vector<int> got = cl.read<int>(out);
  std::vector<int> want(5 * n);
  for (size_t group = 0; group < n; group += local) {
    const auto begin = input.begin() + group, end = begin + local;
    int sum = 0, largest = std::numeric_limits<int>::min();
    for (size_t i = group; i < group + local; ++i) {
      want[i] = std::accumulate(begin, end, 0);
      want[n + i] = sum += input[i];
      want[2 * n + i] = largest;
      largest = std::max(largest, input[i]);
      want[3 * n + i] = input[group + 37];
      want[4 * n + i] = 2 + (std::find(begin, end, 5) != end);
    }
  }
  CHECK(got == want);
}

// cl_khr_work_group_uniform_arithmetic; tests/kernels/work_group_functions.cpp has the values.
TEST_CASE("work-group functions of products and bits in every language", "[work_group]") {
  const Session cl;
  std::string source = "#ifndef cl_khr_work_group_uniform_arithmetic\n#error\n#endif\n"
                       "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  const auto add = [&](const std::string &type, const std::string &operation) {
    source += "kernel void " + operation + "_of_" + type + "(global " + type + " *p) {\n";
    for (const char *function : {"reduce", "scan_inclusive", "scan_exclusive"})
      source += "  *p += work_group_" + std::string(function) + "_" + operation + "(*p);\n";
    source += "}\n";
  };
  for (const char *type : {"int", "uint", "long", "ulong"})
    for (const char *operation : {"and", "or", "xor", "mul"})
      add(type, operation);
  for (const char *type : {"half", "float", "double"})
    add(type, "mul");
  for (const char *operation : {"logical_and", "logical_or", "logical_xor"})
    add("int", operation);
  for (const char *standard : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL3.1", "-cl-std=CLC++2021"}) {
    CAPTURE(standard);
    CHECK_NOTHROW(cl.build(source, standard));
  }
}

TEST_CASE("older versions of OpenCL C leave the names of work-group functions to programs", "[work_group]") {
  const Session cl;
  CHECK_NOTHROW(cl.build("#ifndef cl_khr_work_group_uniform_arithmetic\n#error\n#endif\n"
                         "int work_group_reduce_mul(int x) { return x; }\n"
                         "kernel void k(global int *p) { *p = work_group_reduce_mul(*p); }\n"));
}

TEST_CASE("asynchronous copies", "[work_group]") {
  Session cl;
  Program program = cl.build("kernel void reverse(global const float *in, global float *out, local float *tile) {\n"
                             "  size_t first = get_group_id(0) * 150;\n"
                             "  event_t e = async_work_group_copy(tile, in + first, 150, 0);\n"
                             "  wait_group_events(1, &e);\n"
                             "  float mine = tile[149 - get_local_id(0)];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  tile[get_local_id(0)] = mine;\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  e = async_work_group_strided_copy(out + first * 2, tile, 50, 3, 0);\n"
                             "  wait_group_events(1, &e);\n"
                             "}\n");
  std::vector<float> input(300), want(600, -1.0f);
  std::iota(input.begin(), input.end(), 0.0f);
  Memory in = cl.buffer(input), out = cl.buffer(want);
  cl.run(cl.kernel(program, "reverse"), {100}, {50}, in, out, Local{150 * sizeof(float)});
  for (size_t group = 0; group < 2; ++group)
    for (size_t i = 0; i < 50; ++i)
      want[group * 300 + 3 * i] = float(group * 150 + 149 - i);
  CHECK(cl.read<float>(out) == want);
}

TEST_CASE("atomics count every work-item", "[work_group]") {
  Session cl;
  Program program =
      cl.build("kernel void count(global uint *out, global atomic_uint *modern, global float *swap) {\n"
               "  uint i = (uint)get_global_id(0);\n"
               "  atomic_inc(&out[0]); atomic_add(&out[1], i); atomic_max(&out[2], i);\n"
               "  atom_or(&out[3], 1u << (i & 31)); atomic_xor(&out[4], i);\n"
               "  atomic_fetch_add_explicit(modern, 2u, memory_order_relaxed, memory_scope_device);\n"
               "  uint seen = atomic_load_explicit(modern + 1, memory_order_relaxed, memory_scope_device);\n"
               "  while (!atomic_compare_exchange_strong_explicit(modern + 1, &seen, seen + 3, memory_order_relaxed,\n"
               "                                                  memory_order_relaxed, memory_scope_device)) {}\n"
               "  local uint shared;\n"
               "  if (get_local_id(0) == 0) shared = 0;\n"
               "  barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  atomic_add(&shared, 1u);\n"
               "  barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  if (get_local_id(0) == 0) atomic_add(&out[5], shared * shared);\n"
               "  if (i == 5) atomic_xchg(swap, 2.5f);\n"
               "}\n",
               "-cl-std=CL3.0");
  constexpr uint32_t n = 4096, local = 64;
  Memory out = cl.buffer(std::vector<uint32_t>(6)), modern = cl.buffer(std::vector<uint32_t>(2));
  Memory swap = cl.buffer(std::vector<float>{1.0f});
  cl.run(cl.kernel(program, "count"), {n}, {local}, out, modern, swap);
  CHECK(cl.read<uint32_t>(out) ==
        std::vector<uint32_t>{n, n * (n - 1) / 2, n - 1, 0xffffffffu, 0, n / local * local * local});
  CHECK(cl.read<uint32_t>(modern) == std::vector<uint32_t>{2 * n, 3 * n});
  CHECK(cl.read<float>(swap)[0] == 2.5f);
}

TEST_CASE("vectors at the alignment of their elements", "[work_group]") {
  Session cl;
  Program program = cl.build("kernel void move(global const float *in, global float *out, global half *halves) {\n"
                             "  size_t i = get_global_id(0);\n"
                             "  vstore3(vload3(i, in + 1) * 2, i, out + 1);\n"
                             "  private float p[4]; vstore4(vload4(i, in), 0, p);\n"
                             "  vstore_half2((float2)(p[0], p[3]), i, halves);\n"
                             "}\n");
  constexpr size_t n = 40;
  std::vector<float> input(4 * n + 1), want(4 * n + 1, -1.0f);
  std::iota(input.begin(), input.end(), 0.0f);
  Memory in = cl.buffer(input), out = cl.buffer(want), halves = cl.bytes(4 * n);
  cl.run(cl.kernel(program, "move"), {n}, {}, in, out, halves);
  for (size_t i = 1; i <= 3 * n; ++i)
    want[i] = 2 * input[i];
  CHECK(cl.read<float>(out) == want);
  const std::vector<_Float16> got = cl.read<_Float16>(halves);
  for (size_t i = 0; i < n; ++i) {
    CHECK(float(got[2 * i]) == input[4 * i]);
    CHECK(float(got[2 * i + 1]) == input[4 * i + 3]);
  }
}
