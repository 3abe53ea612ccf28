// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipes: packets are read once and in order, however work-items write and read them.
#include "spirv/module.hpp"
#include "support/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>

using namespace lanecl::test;

namespace {

Memory makePipe(const Session &cl, cl_uint packet_bytes, cl_uint packets) {
  cl_int code = 1;
  Memory pipe(clCreatePipe(cl.context, 0, packet_bytes, packets, nullptr, &code));
  check(code, "clCreatePipe");
  return pipe;
}

cl_int creationCode(const Session &cl, cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                    const cl_pipe_properties *properties = nullptr) {
  cl_int code = 1;
  Memory pipe(clCreatePipe(cl.context, flags, packet_bytes, packets, properties, &code));
  CHECK((pipe.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

// The build options of a test: each sub-group size, and also the older language version that has pipes.
std::vector<std::string> variants() {
  return {"-cl-std=CL3.0 -DWIDTH=8", "-cl-std=CL3.0 -DWIDTH=16", "-cl-std=CL3.0 -DWIDTH=32",
          "-cl-std=CL2.0 -DWIDTH=16"};
}
const std::string kKernel = "#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(WIDTH)))\n";

std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<int> countTo(int end) {
  std::vector<int> values(end);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

} // namespace

TEST_CASE("a pipe reports what it was created with", "[pipe]") {
  Session cl;
  Memory pipe = makePipe(cl, 12, 100);
  cl_uint number = 0;
  CHECK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, nullptr) == CL_SUCCESS);
  CHECK(number == 12);
  CHECK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, nullptr) == CL_SUCCESS);
  CHECK(number == 100);
  size_t size = 1;
  CHECK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 0);
  CHECK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, 1, &number, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetPipeInfo(pipe, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetPipeInfo(cl.bytes(64), CL_PIPE_MAX_PACKETS, sizeof number, &number, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clGetPipeInfo(nullptr, CL_PIPE_MAX_PACKETS, sizeof number, &number, nullptr) == CL_INVALID_MEM_OBJECT);
  cl_mem_object_type type = 0;
  CHECK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
  CHECK(type == CL_MEM_OBJECT_PIPE);
  cl_mem_flags flags = 0;
  CHECK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, nullptr) == CL_SUCCESS);
  CHECK(flags == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
}

TEST_CASE("pipes refuse what the specification refuses", "[pipe]") {
  Session cl;
  cl_uint most = 0;
  REQUIRE(clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, nullptr) == CL_SUCCESS);
  CHECK(most >= 1024);
  cl_int code = 1;
  CHECK(clCreatePipe(nullptr, 0, 4, 4, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(creationCode(cl, CL_MEM_READ_WRITE, 4, 4) == CL_SUCCESS);
  CHECK(creationCode(cl, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, most, 4) == CL_SUCCESS);
  CHECK(creationCode(cl, CL_MEM_READ_ONLY, 4, 4) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, CL_MEM_USE_HOST_PTR, 4, 4) == CL_INVALID_VALUE);
  const cl_pipe_properties none[] = {0};
  CHECK(creationCode(cl, 0, 4, 4, none) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, 0, 0, 4) == CL_INVALID_PIPE_SIZE);
  CHECK(creationCode(cl, 0, most + 1, 4) == CL_INVALID_PIPE_SIZE);
  CHECK(creationCode(cl, 0, 4, 0) == CL_INVALID_PIPE_SIZE);

  Program program = cl.build("kernel void k(write_only pipe int p, global int *out) { write_pipe(p, out); }",
                             "-cl-std=CL3.0 -cl-kernel-arg-info");
  Kernel kernel = cl.kernel(program, "k");
  Memory pipe = makePipe(cl, 4, 4), buffer = cl.bytes(64);
  const cl_mem null = nullptr;
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), buffer.address()) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &null) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArg(kernel, 0, 4, pipe.address()) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), pipe.address()) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetKernelArgSVMPointer(kernel, 0, &null) == CL_INVALID_ARG_VALUE);
  Session other;
  CHECK(clSetKernelArg(other.kernel(other.build("kernel void k(read_only pipe int p) {}", "-cl-std=CL3.0"), "k"), 0,
                       sizeof(cl_mem), pipe.address()) == CL_INVALID_CONTEXT);
  cl_kernel_arg_type_qualifier qualifier = 0;
  CHECK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr) ==
        CL_SUCCESS);
  CHECK(qualifier == CL_KERNEL_ARG_TYPE_PIPE);
  cl_kernel_arg_access_qualifier access = 0;
  CHECK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr) == CL_SUCCESS);
  CHECK(access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  // A pipe is not a buffer.
  int value = 0;
  CHECK(clEnqueueReadBuffer(cl.queue, pipe, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region{0, 4};
  CHECK(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code) == nullptr);
  CHECK(code == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("packets of every kind of type are read as they were written", "[pipe]") {
  Session cl;
  struct Type {
    const char *name, *make, *value;
    cl_uint bytes;
  };
  const Type types[] = {{"char", "(char)i", "(uchar)v", 1},
                        {"short2", "(short2)(i, i >> 15)", "v.x + (v.y << 15)", 4},
                        {"int", "i", "v", 4},
                        {"float4", "(float4)(1, 2, i, 3)", "(int)v.z * (v.x + v.w == 4)", 16},
                        {"long3", "(long3)(i, i, i)", "(int)v.y", 32},
                        {"double", "(double)i", "(int)v", 8},
                        {"Mixed", "(Mixed){i, (char)i, -i}", "v.a == -v.c && (char)v.a == v.b ? v.a : -1", 12},
                        {"Large", "(Large){{0}, i}", "v.a[0] + v.b", 404}};
  for (const Type &type : types) {
    const std::string options = variants()[size_t(&type - types) % variants().size()];
    const int most = type.bytes == 1 ? 128 : 1000;
    Program program = cl.build(kKernel +
                                   "typedef struct { int a; char b; int c; } Mixed;\n"
                                   "typedef struct { int a[100]; int b; } Large;\n" +
                                   "KERNEL void put(write_only pipe " + type.name +
                                   " p, global int *failed) {\n"
                                   "  int i = get_global_id(0); " +
                                   type.name + " v = " + type.make +
                                   ";\n"
                                   "  if (write_pipe(p, &v)) atomic_inc(failed);\n}\n"
                                   "KERNEL void get(read_only pipe " +
                                   type.name + " p, global int *out) {\n  " + type.name +
                                   " v;\n  out[get_global_id(0)] = read_pipe(p, &v) ? -1 : " + type.value + ";\n}",
                               options);
    Memory pipe = makePipe(cl, type.bytes, cl_uint(most)), failed = cl.buffer(std::vector<int>{0});
    Memory out = cl.buffer(std::vector<int>(most + 40, -2));
    const size_t items = size_t(most);
    cl.run(cl.kernel(program, "put"), {items}, {}, pipe, failed);
    cl.run(cl.kernel(program, "get"), {items + 40}, {}, pipe, out);
    CHECK(cl.read<int>(failed)[0] == 0);
    std::vector<int> expected = countTo(most);
    expected.insert(expected.begin(), 40, -1); // there are more readers than packets
    INFO(type.name << " " << options);
    CHECK(sorted(cl.read<int>(out)) == expected);
  }
}

TEST_CASE("a pipe holds the given number of packets and no more", "[pipe]") {
  Session cl;
  for (const std::string &options : variants()) {
    Program program =
        cl.build(kKernel + "KERNEL void put(write_only pipe int p, global int *sums) {\n"
                           "  int i = get_global_id(0) + 1;\n"
                           "  if (write_pipe(p, &i) == 0) { atomic_inc(sums); atomic_add(sums + 1, i); }\n"
                           "  if (i == 1) sums[4] = get_pipe_max_packets(p);\n}\n"
                           "KERNEL void get(read_only pipe int p, global int *sums) {\n"
                           "  int i;\n"
                           "  if (read_pipe(p, &i) == 0) { atomic_inc(sums + 2); atomic_add(sums + 3, i); }\n}\n"
                           "KERNEL void ask(read_only pipe int p, global int *sums) {"
                           " sums[5] = get_pipe_num_packets(p); sums[6] = get_pipe_max_packets(p); }",
                 options);
    Kernel put = cl.kernel(program, "put"), get = cl.kernel(program, "get"), ask = cl.kernel(program, "ask");
    for (cl_uint packets : {1u, 7u, 64u, 100u}) {
      Memory pipe = makePipe(cl, 4, packets);
      for (int round = 0; round < 12; ++round) { // several times around the ring
        Memory sums = cl.buffer(std::vector<int>(8, 0));
        cl.run(put, {250}, {}, pipe, sums);
        cl.run(ask, {1}, {}, pipe, sums);
        cl.run(get, {250}, {}, pipe, sums);
        const std::vector<int> seen = cl.read<int>(sums);
        CHECK(seen[0] == int(packets));
        CHECK(seen[2] == int(packets));
        CHECK(seen[1] == seen[3]);
        CHECK(seen[4] == int(packets));
        CHECK(seen[5] == int(packets));
        CHECK(seen[6] == int(packets));
      }
    }
  }
}

TEST_CASE("work-items write and read in divergent flow", "[pipe]") {
  Session cl;
  for (const std::string &options : variants()) {
    Program program = cl.build(
        kKernel + "KERNEL void put(write_only pipe int p, global int *failed) {\n"
                  "  int i = get_global_id(0);\n"
                  "  for (int k = 0; k < i % 5; ++k)\n"
                  "    if ((i + k) % 3 != 0) { int v = 8 * i + k; if (write_pipe(p, &v)) atomic_inc(failed); }\n"
                  "    else if (k == 2) { int v = 8 * i + 7; if (write_pipe(p, &v)) atomic_inc(failed); }\n}\n"
                  "KERNEL void get(read_only pipe int p, global int *count, global int *out) {\n"
                  "  int i = get_global_id(0), v;\n"
                  "  if (i % 2)\n"
                  "    while (read_pipe(p, &v) == 0) { out[atomic_inc(count)] = v; if (v % 7 == i % 7) break; }\n}\n"
                  "KERNEL void rest(read_only pipe int p, global int *count, global int *out) {\n"
                  "  int v;\n"
                  "  while (read_pipe(p, &v) == 0) out[atomic_inc(count)] = v;\n}",
        options);
    constexpr int kItems = 777;
    std::vector<int> expected;
    for (int i = 0; i < kItems; ++i)
      for (int k = 0; k < i % 5; ++k)
        if ((i + k) % 3 != 0)
          expected.push_back(8 * i + k);
        else if (k == 2)
          expected.push_back(8 * i + 7);
    Memory pipe = makePipe(cl, 4, 4000), failed = cl.buffer(std::vector<int>{0}),
           count = cl.buffer(std::vector<int>{0});
    Memory out = cl.buffer(std::vector<int>(expected.size(), -1));
    cl.run(cl.kernel(program, "put"), {kItems}, {}, pipe, failed);
    cl.run(cl.kernel(program, "get"), {kItems}, {}, pipe, count, out);
    cl.run(cl.kernel(program, "rest"), {100}, {}, pipe, count, out);
    CHECK(cl.read<int>(failed)[0] == 0);
    CHECK(cl.read<int>(count)[0] == int(expected.size()));
    CHECK(sorted(cl.read<int>(out)) == sorted(expected));
  }
}

TEST_CASE("reservations of work-items are contiguous", "[pipe]") {
  Session cl;
  for (const std::string &options : variants()) {
    Program program =
        cl.build(kKernel + "KERNEL void put(write_only pipe int p, global int *failed) {\n"
                           "  int i = get_global_id(0), n = i % 4 + 1;\n"
                           "  reserve_id_t id = CLK_NULL_RESERVE_ID;\n"
                           "  if (is_valid_reserve_id(id)) atomic_inc(failed);\n"
                           "  if (i % 3) id = reserve_write_pipe(p, n);\n"
                           "  if (!is_valid_reserve_id(id)) { if (i % 3) atomic_inc(failed); return; }\n"
                           "  for (int k = n - 1; k >= 0; --k) { int v = 8 * i + k;"
                           " if (write_pipe(p, id, k, &v)) atomic_inc(failed); }\n"
                           "  commit_write_pipe(p, id);\n}\n"
                           "KERNEL void get(read_only pipe int p, global int *out) {\n"
                           "  int i = get_global_id(0);\n"
                           "  reserve_id_t ids[2]; int first[2];\n"
                           "  for (int r = 0; r < 2; ++r) ids[r] = reserve_read_pipe(p, 3 - r);\n"
                           "  for (int r = 1; r >= 0; --r)\n"
                           "    if (is_valid_reserve_id(ids[r])) {\n"
                           "      for (int k = 0; k < 3 - r; ++k) read_pipe(p, ids[r], k, &out[8 * i + 4 * r + k]);\n"
                           "      commit_read_pipe(p, ids[r]);\n"
                           "    }\n}\n"
                           "KERNEL void drain(read_only pipe int p, global int *out) {\n"
                           "  for (int i = 0; read_pipe(p, &out[i]) == 0; ++i) ;\n}",
                 options);
    Kernel put = cl.kernel(program, "put");
    constexpr int kItems = 500;
    std::vector<int> expected;
    for (int i = 0; i < kItems; ++i)
      for (int k = 0; i % 3 != 0 && k < i % 4 + 1; ++k)
        expected.push_back(8 * i + k);
    Memory pipe = makePipe(cl, 4, 1500), failed = cl.buffer(std::vector<int>{0});
    cl.run(put, {kItems}, {}, pipe, failed);
    Memory out = cl.buffer(std::vector<int>(2000, -1));
    cl.run(cl.kernel(program, "drain"), {1}, {}, pipe, out);
    std::vector<int> seen = cl.read<int>(out);
    seen.erase(std::find(seen.begin(), seen.end(), -1), seen.end());
    CHECK(sorted(seen) == sorted(expected));
    size_t broken = 0;
    for (size_t at = 0; at < seen.size(); ++at)
      broken += seen[at] % 8 != 0 && (at == 0 || seen[at - 1] != seen[at] - 1);
    CHECK(broken == 0);

    // Readers make two reservations and commit them in reverse order. Packets that do not fill a reservation stay in
    // the pipe.
    cl.run(put, {kItems}, {}, pipe, failed);
    Memory parts = cl.buffer(std::vector<int>(8 * 300, -1));
    cl.run(cl.kernel(program, "get"), {300}, {}, pipe, parts);
    std::vector<int> got;
    for (int value : cl.read<int>(parts))
      if (value != -1)
        got.push_back(value);
    Memory left = cl.buffer(std::vector<int>(2000, -1));
    cl.run(cl.kernel(program, "drain"), {1}, {}, pipe, left);
    for (int value : cl.read<int>(left))
      if (value != -1)
        got.push_back(value);
    CHECK(sorted(got) == sorted(expected));
    CHECK(cl.read<int>(failed)[0] == 0);
  }
}

TEST_CASE("reserved packets become visible when all reservations before them are committed", "[pipe]") {
  Session cl;
  Program program = cl.build(
      "kernel void put(write_only pipe int p, global int *seen) {\n"
      "  reserve_id_t a = reserve_write_pipe(p, 2), b = reserve_write_pipe(p, 3), c = reserve_write_pipe(p, 4);\n"
      "  seen[0] = is_valid_reserve_id(a) + 2 * is_valid_reserve_id(b) + 4 * is_valid_reserve_id(c);\n"
      "  int v = 1; write_pipe(p, a, 0, &v); v = 2; write_pipe(p, a, 1, &v);\n"
      "  for (int k = 0; k < 3; ++k) { v = 3 + k; write_pipe(p, b, k, &v); }\n"
      "  commit_write_pipe(p, b);\n"
      "  seen[1] = get_pipe_num_packets(p);\n" // b comes after a
      "  commit_write_pipe(p, a);\n"
      "  seen[2] = get_pipe_num_packets(p);\n"
      "  v = 6; seen[3] = write_pipe(p, &v);\n"
      "  seen[4] = get_pipe_num_packets(p);\n"
      "  v = 7; seen[5] = write_pipe(p, &v) < 0;\n}\n" // the pipe holds only six packets
      "kernel void get(read_only pipe int p, global int *seen) {\n"
      "  reserve_id_t a = reserve_read_pipe(p, 7), b = reserve_read_pipe(p, 0), c = reserve_read_pipe(p, 5);\n"
      "  seen[6] = is_valid_reserve_id(a) + 2 * is_valid_reserve_id(b) + 4 * is_valid_reserve_id(c);\n"
      "  for (int k = 0; k < 5; ++k) read_pipe(p, c, k, &seen[8 + k]);\n"
      "  seen[7] = read_pipe(p, &seen[13]);\n"
      "  commit_read_pipe(p, c);\n}",
      "-cl-std=CL3.0");
  Memory pipe = makePipe(cl, 4, 6), seen = cl.buffer(std::vector<int>(16, -9));
  cl.run(cl.kernel(program, "put"), {1}, {1}, pipe, seen);
  cl.run(cl.kernel(program, "get"), {1}, {1}, pipe, seen);
  CHECK(cl.read<int>(seen) == std::vector<int>{3, 0, 5, 0, 6, 1, 4, 0, 1, 2, 3, 4, 5, 6, -9, -9});
}

TEST_CASE("work-groups and sub-groups reserve together", "[pipe]") {
  Session cl;
  for (const std::string &options : variants())
    for (const std::string scope : {"work_group", "sub_group"}) {
      if (scope == "sub_group" && options.find("CL2.0") != std::string::npos)
        continue; // CL2.0 would need cl_khr_subgroups, which promises more
      const std::string id = scope == "work_group" ? "get_local_id(0)" : "get_sub_group_local_id()",
                        count = scope == "work_group" ? "get_local_size(0)" : "get_sub_group_size()";
      Program program = cl.build(kKernel +
                                     "KERNEL void put(write_only pipe int p, global int *failed) {\n"
                                     "  int i = get_global_id(0);\n"
                                     "  for (int round = 0; round < 3; ++round) {\n"
                                     "    reserve_id_t id = " +
                                     scope + "_reserve_write_pipe(p, " + count +
                                     ");\n"
                                     "    if (!is_valid_reserve_id(id)) { atomic_inc(failed); continue; }\n"
                                     "    int v = 4 * i + round;\n"
                                     "    write_pipe(p, id, " +
                                     id +
                                     ", &v);\n"
                                     "    " +
                                     scope +
                                     "_commit_write_pipe(p, id);\n"
                                     "  }\n}\n"
                                     "KERNEL void get(read_only pipe int p, global int *out, global int *failed) {\n"
                                     "  int i = get_global_id(0);\n"
                                     "  reserve_id_t id = " +
                                     scope + "_reserve_read_pipe(p, " + count +
                                     ");\n"
                                     "  if (!is_valid_reserve_id(id)) { atomic_inc(failed); return; }\n"
                                     "  read_pipe(p, id, " +
                                     id +
                                     ", &out[i]);\n"
                                     "  " +
                                     scope + "_commit_read_pipe(p, id);\n}",
                                 options);
      Kernel put = cl.kernel(program, "put"), get = cl.kernel(program, "get");
      for (size_t local : {size_t(64), size_t(40), size_t(1)}) { // with 40, the last sub-group is partial
        const int items = int(local) * 10;
        Memory pipe = makePipe(cl, 4, cl_uint(3 * items)), failed = cl.buffer(std::vector<int>(2, 0));
        Memory out = cl.buffer(std::vector<int>(items, -1));
        cl.run(put, {size_t(items)}, {local}, pipe, failed);
        CHECK(cl.read<int>(failed)[0] == 0);
        std::vector<int> all, expected;
        for (int i = 0; i < 4 * items; ++i)
          if (i % 4 != 3)
            expected.push_back(i);
        for (int part = 0; part < 3; ++part) {
          cl.run(get, {size_t(items)}, {local}, pipe, out, failed);
          for (int value : cl.read<int>(out))
            all.push_back(value);
        }
        INFO(scope << " " << local << " " << options);
        CHECK(sorted(all) == expected);
        // Packets of one reservation follow each other, so neighboring packets come from neighboring work-items.
        size_t broken = 0;
        for (size_t i = 1; i < all.size() && local == 64; ++i)
          broken += i % 8 != 0 && all[i] != all[i - 1] + 4;
        CHECK(broken == 0);
        CHECK(cl.read<int>(failed)[0] == 0);
        // No packets are left.
        cl.run(get, {size_t(items)}, {local}, pipe, out, failed);
        CHECK(cl.read<int>(failed)[0] == items);
      }
      // A reservation that does not fit fails for all work-items, and takes nothing.
      Memory small = makePipe(cl, 4, 5), failed = cl.buffer(std::vector<int>(2, 0));
      cl.run(put, {64}, {64}, small, failed);
      CHECK(cl.read<int>(failed)[0] == 3 * 64);
    }
}

TEST_CASE("writers and readers at the same time", "[pipe]") {
  Session cl(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Program program = cl.build("kernel void put(write_only pipe int p, global int *next, int end) {\n"
                             "  reserve_id_t id = reserve_write_pipe(p, 1);\n"
                             "  if (!is_valid_reserve_id(id)) return;\n"
                             "  int v = atomic_inc(next);\n"
                             "  if (v >= end) v = -1;\n"
                             "  write_pipe(p, id, 0, &v); commit_write_pipe(p, id);\n}\n"
                             "kernel void get(read_only pipe int p, global int *seen) {\n"
                             "  int v; if (read_pipe(p, &v) == 0 && v >= 0) atomic_inc(&seen[v]);\n}",
                             "-cl-std=CL3.0");
  constexpr int kEnd = 20000;
  Memory pipe = makePipe(cl, 4, 50), next = cl.buffer(std::vector<int>{0});
  Memory seen = cl.buffer(std::vector<int>(kEnd, 0));
  Kernel put = cl.kernel(program, "put"), get = cl.kernel(program, "get");
  cl.setArguments(put, pipe, next, kEnd);
  cl.setArguments(get, pipe, seen);
  const size_t items = 256, local = 16;
  for (int i = 0; i < 5000 && cl.read<int>(next)[0] < kEnd; ++i) {
    for (const Kernel *kernel : {&put, &get, &get, &put})
      REQUIRE(clEnqueueNDRangeKernel(cl.queue, *kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  }
  REQUIRE(clEnqueueNDRangeKernel(cl.queue, get, 1, nullptr, &items, &local, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clFinish(cl.queue) == CL_SUCCESS);
  CHECK(cl.read<int>(next)[0] >= kEnd);
  CHECK(cl.read<int>(seen) == std::vector<int>(kEnd, 1));
}

TEST_CASE("pipes in SPIR-V", "[pipe]") {
  Session cl;
  Program program = buildIl(cl, "pipes");
  constexpr int kItems = 640;
  const size_t items = kItems, local = 64;
  Memory pipe = makePipe(cl, 4, 2 * kItems), out = cl.buffer(std::vector<int>(kItems + 10, -7));

  cl.run(cl.kernel(program, "put_plain"), {items}, {local}, pipe, out);
  CHECK(cl.read<int>(out)[0] == 2 * kItems);
  cl.run(cl.kernel(program, "get_plain"), {items + 10}, {}, pipe, out);
  std::vector<int> expected = countTo(kItems);
  expected.insert(expected.end(), 10, 64 - 1); // nothing was left to read, so -1 is added to the earlier value
  CHECK(sorted(cl.read<int>(out)) == sorted(expected));

  // Each packet holds i and -i. Twice the first plus the second gives i.
  cl.run(cl.kernel(program, "put"), {items}, {local}, pipe, out);
  cl.run(cl.kernel(program, "get"), {items}, {local}, pipe, out);
  std::vector<int> seen = cl.read<int>(out);
  seen.resize(kItems);
  CHECK(sorted(seen) == countTo(kItems));

  cl.run(cl.kernel(program, "put_group"), {items}, {local}, pipe, out);
  cl.run(cl.kernel(program, "get_group"), {items}, {local}, pipe, out);
  seen = cl.read<int>(out);
  seen.resize(kItems);
  CHECK(sorted(seen) == countTo(kItems));
  size_t broken = 0;
  for (int i = 0; i < kItems; ++i)
    broken += i % 64 != 0 && seen[i] != seen[i - 1] + 1;
  CHECK(broken == 0);
}
