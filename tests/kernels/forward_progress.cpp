// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-groups and work-groups that wait for each other in loops: locks, rings, chained scans, and barriers of a whole
// launch.
#include "each_item.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kShapes{{64}, {37}, {200}, {12, 3}, {6, 4, 2}};

size_t itemsOf(const std::vector<size_t> &local) {
  return std::accumulate(local.begin(), local.end(), size_t(1), std::multiplies<>());
}

const std::string kLocks = R"(
// In three ways: as OpenCL 1.2 has it, with volatile reads, and with the orders of OpenCL 2.0.
#if WAY == 0
#define TAKE(l) while (atomic_cmpxchg((volatile SPACE int *)(l), 0, 1) != 0) {} mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define GIVE(l) mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); atomic_xchg((volatile SPACE int *)(l), 0)
#elif WAY == 1
#define TAKE(l) do { while (*(volatile SPACE int *)(l) != 0) {} } while (atomic_xchg((volatile SPACE int *)(l), 1) != 0)
#define GIVE(l) mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); *(volatile SPACE int *)(l) = 0
#else
#define TAKE(l) int none = 0; \
  while (!atomic_compare_exchange_weak_explicit((SPACE atomic_int *)(l), &none, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) none = 0
#define GIVE(l) atomic_store_explicit((SPACE atomic_int *)(l), 0, memory_order_release, memory_scope_device)
#endif
)";

// Calls check(session, options, width) for each width, with and without optimization.
void forEachBuild(const std::function<void(const Session &, const std::string &, size_t)> &check) {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable"}) {
      INFO("sub-groups of " << width << optimize);
      check(cl, "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + optimize, width);
    }
}

const std::string kKernel = "#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\n";

void checkLocalLock(const Session &cl, const std::string &options, size_t width, int way,
                    const std::vector<size_t> &local, int rounds) {
  const Program program = cl.build(kKernel + "#define SPACE local\n" + kLocks + R"(
KERNEL void k(global int *out, int rounds) {
  local int lock, sum;
  size_t l = get_local_linear_id();
  if (l == 0) { lock = 0; sum = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Another lane in each sub-group.
  for (int i = 0; i < rounds; ++i)
    if (get_sub_group_local_id() == (get_sub_group_id() + i) % get_sub_group_size()) {
      TAKE(&lock);
      int seen = sum;
      sum = seen + 1;
      GIVE(&lock);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_linear_id()] = sum;
})",
                                   options + " -DWAY=" + std::to_string(way));
  const size_t items = itemsOf(local);
  std::vector<size_t> global = local;
  global.back() *= 3;
  Memory out = cl.buffer(std::vector<int>(3 * items));
  cl.run(cl.kernel(program, "k"), global, local, out, rounds);
  CHECK(cl.read<int>(out) == std::vector<int>(3 * items, rounds * int((items + width - 1) / width)));
}

void checkTurns(const Session &cl, const std::string &options, size_t width, const std::vector<size_t> &local,
                size_t rounds) {
  // The first sub-group waits for the last one. Between turns they meet at barriers, after different numbers of
  // suspensions.
  const Program program = cl.build(kKernel + R"(
KERNEL void k(global int *out, int rounds) {
  local volatile int turn;
  local int sum[WIDTH];
  int lane = get_sub_group_local_id(), n = get_num_sub_groups(), me = n - 1 - get_sub_group_id();
  if (get_local_linear_id() < WIDTH) sum[lane] = 0;
  if (get_local_linear_id() == 0) turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; ++i) {
    while (turn != i * n + me) {}
    sum[lane] = 3 * sum[lane] + me;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) turn = i * n + me + 1;
    if (i % 4 == 3) barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_linear_id()] = sum[0];
})",
                                   options);

  const size_t items = itemsOf(local), n = (items + width - 1) / width;
  std::vector<size_t> global = local;
  global.back() *= 3;
  Memory out = cl.buffer(std::vector<int>(3 * items));
  cl.run(cl.kernel(program, "k"), global, local, out, int(rounds));
  unsigned sum = 0;
  for (size_t i = 0; i < rounds; ++i)
    for (size_t s = 0; s < n; ++s)
      sum = 3 * sum + unsigned(s);
  CHECK(cl.read<int>(out) == std::vector<int>(3 * items, int(sum)));
}

void checkScan(const Session &cl, const std::string &options, size_t items) {
  const Program program = cl.build(kKernel + R"(
// State of a block: 0 nothing, 1 its sum, 2 the sum of all up to it.
KERNEL void k(global const int *in, global int *out, volatile global uint4 *state) {
  local uint sums[64], before;
  size_t i = get_global_id(0), block = get_group_id(0), l = get_local_id(0);
  uint x = in[i];
  uint inside = sub_group_scan_inclusive_add(x);
  if (get_sub_group_local_id() == get_sub_group_size() - 1) sums[get_sub_group_id()] = inside;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint all = 0, mine = 0;
  for (uint s = 0; s < get_num_sub_groups(); ++s) {
    if (s < get_sub_group_id()) mine += sums[s];
    all += sums[s];
  }
  if (l == 0) {
    uint sum = 0;
    if (block != 0) {
      state[block].y = all;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg((volatile global uint *)&state[block], 1u);
      for (int other = block - 1;;) {
        uint how = atomic_or((volatile global uint *)&state[other], 0u);
        if (how == 0) continue;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (how == 2) { sum += state[other].z; break; }
        sum += state[other].y;
        --other;
      }
    }
    state[block].z = sum + all;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg((volatile global uint *)&state[block], 2u);
    before = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = before + mine + inside;
})",
                                   options);

  const std::vector<int> input = mixedInput(items);
  Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(items)),
         state = cl.buffer(std::vector<int>(4 * items / 64));
  cl.run(cl.kernel(program, "k"), {items}, {64}, in, out, state);
  std::vector<int> want(items);
  std::partial_sum(input.begin(), input.end(), want.begin());
  CHECK(cl.read<int>(out) == want);
}

} // namespace

TEST_CASE("a lock in local memory", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    for (int way = 0; way < 3; ++way)
      for (const std::vector<size_t> &local : kShapes)
        checkLocalLock(cl, options, width, way, local, 20);
  });
}

TEST_CASE("a lock in global memory", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    for (int way = 0; way < 3; ++way) {
      const Program program = cl.build(kKernel + "#define SPACE global\n" + kLocks + R"(
KERNEL void k(global int *lock, global int *sum, global int *first) {
  if (get_sub_group_local_id() == 0 && get_global_id(0) % 3 != 1) {
    for (int i = 0; i < 10; ++i) {
      TAKE(lock);
      sum[0] += 1;
      GIVE(lock);
    }
    atomic_inc(first);
  }
})",
                                       options + " -DWAY=" + std::to_string(way));
      for (const size_t local : {8, 37, 64}) {
        Memory lock = cl.buffer(std::vector<int>(1)), sum = cl.buffer(std::vector<int>(1)),
               first = cl.buffer(std::vector<int>(1));
        const size_t items = 30 * local + 5; // the last work-group is smaller
        cl.run(cl.kernel(program, "k"), {items}, {local}, lock, sum, first);
        int want = 0;
        for (size_t i = 0; i < items; ++i)
          want += i % local % width == 0 && i % 3 != 1;
        CHECK(cl.read<int>(first)[0] == want);
        CHECK(cl.read<int>(sum)[0] == 10 * want);
      }
    }
  });
}

TEST_CASE("sub-groups take turns", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    for (const std::vector<size_t> &local : kShapes)
      checkTurns(cl, options, width, local, 17);
  });
}

TEST_CASE("producers and consumers share a ring", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    const Program program = cl.build(kKernel + R"(
#define SLOTS 4
KERNEL void k(global const int *in, global int *out, int count) {
  local int ring[SLOTS][WIDTH];
  local atomic_int written, read;
  if (get_local_id(0) == 0) { atomic_init(&written, 0); atomic_init(&read, 0); }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int lane = get_sub_group_local_id();
  if (get_sub_group_id() == 1) {
    for (int i = 0; i < count; ++i) {
      while (i - atomic_load_explicit(&read, memory_order_acquire, memory_scope_work_group) >= SLOTS) {}
      ring[i % SLOTS][lane] = 2 * in[i * WIDTH + lane];
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (lane == 0) atomic_store_explicit(&written, i + 1, memory_order_release, memory_scope_work_group);
    }
  } else if (get_sub_group_id() == 0) {
    for (int i = 0; i < count; ++i) {
      while (atomic_load_explicit(&written, memory_order_acquire, memory_scope_work_group) <= i) {}
      out[i * WIDTH + lane] = ring[i % SLOTS][lane] + 1;
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (lane == 0) atomic_store_explicit(&read, i + 1, memory_order_release, memory_scope_work_group);
    }
  }
})",
                                     options);
    const std::vector<int> input = mixedInput(100 * width);
    Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(input.size()));
    cl.run(cl.kernel(program, "k"), {3 * width}, {3 * width}, in, out, 100);
    std::vector<int> want;
    for (const int x : input)
      want.push_back(2 * x + 1);
    CHECK(cl.read<int>(out) == want);
  });
}

TEST_CASE("a chained scan with look-back", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t) { checkScan(cl, options, 64 * 300); });
}

// Takes long. Run it with lanecl_kernel_tests "[forward_progress_stress]".
TEST_CASE("locks, turns and scans with many rounds", "[.][forward_progress_stress]") {
  const Session cl;
  for (const size_t width : {8, 16, 32}) {
    INFO("sub-groups of " << width);
    const std::string options = "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width);
    for (int way = 0; way < 3; ++way)
      checkLocalLock(cl, options, width, way, {200}, 10'000);
    checkTurns(cl, options, width, {200}, 10'000);
    checkScan(cl, options, size_t(1) << 24);
  }
}

TEST_CASE("work-groups wait for later ones", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    const Program program = cl.build(kKernel + R"(
KERNEL void k(volatile global int *done, global int *out) {
  local int sum;
  if (get_local_linear_id() == 0) {
    size_t group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    size_t groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    int before = 0;
    if (group + 1 < groups)
      while ((before = done[group + 1]) == 0) {}
    sum = before + 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t x = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
  out[x * get_local_size(0) + get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0) done[x] = sum;
})",
                                     options);
    for (const size_t local : {size_t(1), width, size_t(40)})
      for (const std::vector<size_t> &groups : std::vector<std::vector<size_t>>{{60}, {5, 7}, {3, 4, 5}}) {
        std::vector<size_t> global = groups, size(groups.size(), 1);
        global[0] *= local;
        size[0] = local;
        const size_t count = itemsOf(groups);
        Memory done = cl.buffer(std::vector<int>(count)), out = cl.buffer(std::vector<int>(count * local));
        cl.run(cl.kernel(program, "k"), global, size, done, out);
        std::vector<int> want;
        for (size_t i = 0; i < count * local; ++i)
          want.push_back(int(count - i / local));
        CHECK(cl.read<int>(out) == want);
      }
  });
}

TEST_CASE("a persistent kernel has barriers for all its work-groups", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t) {
    const Program program = cl.build(kKernel + R"(
void meet(global atomic_int *count, int times) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < times * (int)get_num_groups(0)) {}
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}
KERNEL void k(global int *values, global int *other, global atomic_int *count, int rounds) {
  int i = get_global_id(0), n = get_global_size(0);
  for (int round = 0; round < rounds; ++round) {
    other[i] = values[(i + 1) % n] + values[(i + n - 1) % n];
    meet(count, 2 * round + 1);
    values[i] = other[(i + 7) % n] % 1000;
    meet(count, 2 * round + 2);
  }
})",
                                     options);
    cl_uint units = 0;
    check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
    for (const size_t groups : {size_t(units), size_t(3 * units + 1)})
      for (const size_t local : {8, 50}) {
        std::vector<int> values = mixedInput(groups * local), sums(values.size());
        Memory mine = cl.buffer(values), other = cl.buffer(sums), count = cl.buffer(std::vector<int>(1));
        cl.run(cl.kernel(program, "k"), {groups * local}, {local}, mine, other, count, 6);
        for (int round = 0; round < 6; ++round) {
          const size_t n = values.size();
          for (size_t i = 0; i < n; ++i)
            sums[i] = values[(i + 1) % n] + values[(i + n - 1) % n];
          for (size_t i = 0; i < n; ++i)
            values[i] = sums[(i + 7) % n] % 1000;
        }
        CHECK(cl.read<int>(mine) == values);
      }
  });
}

TEST_CASE("work-items alone in their work-groups wait for each other", "[forward_progress]") {
  const Session cl;
  for (const char *options : {"-cl-std=CL3.0", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-opt-disable"}) {
    const Program program = cl.build(R"(
kernel void k(volatile global int *turn, global int *out) {
  int me = get_global_id(0), n = get_global_size(0);
  while (*turn != n - 1 - me) {}
  out[me] = *turn;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *turn += 1;
})",
                                     options);
    Memory turn = cl.buffer(std::vector<int>(1)), out = cl.buffer(std::vector<int>(100));
    cl.run(cl.kernel(program, "k"), {100}, {1}, turn, out);
    std::vector<int> want(100);
    std::iota(want.rbegin(), want.rend(), 0);
    CHECK(cl.read<int>(out) == want);
  }
}

TEST_CASE("lanes in divergent flow wait for other sub-groups", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t width) {
    // Each lane waits for its own flag. Another sub-group sets the flags in another order.
    const Program program = cl.build(kKernel + R"(
KERNEL void k(global const int *in, global int *out) {
  local volatile int flags[256];
  int l = get_local_id(0), n = get_local_size(0), lane = get_sub_group_local_id();
  int x = in[get_global_id(0)];
  flags[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() + 1 < get_num_sub_groups()) {
    if (x % 3 == 0) {
      int other = l + WIDTH;
      if (other < n)
        while ((x = flags[other]) == 0) {}
      else
        x = 1;
    } else {
      x = 7;
    }
  }
  flags[l] = x | 1;
  out[get_global_id(0)] = x;
})",
                                     options);
    for (const size_t local : {3 * width, 3 * width - 3, width + 1}) {
      const std::vector<int> input = mixedInput(2 * local);
      Memory in = cl.buffer(input), out = cl.buffer(std::vector<int>(2 * local));
      cl.run(cl.kernel(program, "k"), {2 * local}, {local}, in, out);
      std::vector<int> want(2 * local);
      for (size_t i = 2 * local; i-- > 0;) {
        const size_t l = i % local, subs = (local + width - 1) / width;
        int x = input[i];
        if (l / width + 1 < subs)
          x = x % 3 != 0 ? 7 : l + width < local ? want[i + width] | 1 : 1;
        want[i] = x;
      }
      CHECK(cl.read<int>(out) == want);
    }
  });
}

namespace {

// Memory that kernels and the host read and write at the same time.
struct SharedFlag {
  explicit SharedFlag(const Context &of)
      : context(of),
        value(static_cast<std::atomic<int> *>(clSVMAlloc(
            of, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(std::atomic<int>), 0))) {
    REQUIRE(value != nullptr);
    *value = 0;
  }
  SharedFlag(const SharedFlag &) = delete;
  SharedFlag &operator=(const SharedFlag &) = delete;
  ~SharedFlag() { clSVMFree(context, value); }

  Context context;
  std::atomic<int> *const value;
};

// Waits for the event. Returns false after ten seconds.
bool completes(const Event &event) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE && std::chrono::steady_clock::now() < end) {
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return status == CL_COMPLETE;
}

Event enqueueAndFlush(const CommandQueue &queue, const Kernel &kernel, size_t global, size_t local) {
  Event event;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, event.out()),
        "clEnqueueNDRangeKernel");
  check(clFlush(queue), "clFlush");
  return event;
}

} // namespace

TEST_CASE("launches of many queues wait for a later one", "[forward_progress]") {
  forEachBuild([](const Session &cl, const std::string &options, size_t) {
    const Program program = cl.build(kKernel + R"(
KERNEL void wait(global atomic_int *flag, global int *out) {
  if (get_local_id(0) == 0)
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {}
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
KERNEL void release(global atomic_int *flag) {
  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
})",
                                     options);
    cl_uint units = 0;
    check(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
    for (const size_t groups : {1, 3}) {
      const size_t local = 40, items = groups * local;
      SharedFlag flag(cl.context);
      std::vector<CommandQueue> queues;
      std::vector<Memory> outs;
      std::vector<Event> waiting;
      for (size_t i = 0; i < 2 * units + 2; ++i) {
        queues.push_back(makeQueue(cl.context));
        outs.push_back(cl.buffer(std::vector<int>(items)));
        const Kernel kernel = cl.kernel(program, "wait");
        check(clSetKernelArgSVMPointer(kernel, 0, flag.value), "clSetKernelArgSVMPointer");
        check(clSetKernelArg(kernel, 1, sizeof(cl_mem), outs.back().address()), "clSetKernelArg");
        waiting.push_back(enqueueAndFlush(queues.back(), kernel, items, local));
      }
      const Kernel kernel = cl.kernel(program, "release");
      check(clSetKernelArgSVMPointer(kernel, 0, flag.value), "clSetKernelArgSVMPointer");
      CHECK(completes(enqueueAndFlush(cl.queue, kernel, 1, 1)));
      *flag.value = 1; // so that the launches end even if the one that releases them does not start
      for (size_t i = 0; i < waiting.size(); ++i) {
        REQUIRE(completes(waiting[i]));
        CHECK(cl.read<int>(outs[i]) == std::vector<int>(items, 1));
      }
    }
  });
}
