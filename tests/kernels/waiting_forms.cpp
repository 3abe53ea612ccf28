// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in which one work-item of a sub-group waits for another sub-group. Their forms look as if they ended by
// themselves, or as if they went on only because another work-item was faster. With a bug, these kernels hang until
// ctest's timeout ends them.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

// `s` is memory that starts with zeros. LAST is the launch's last sub-group, for which the others wait.
const std::string kBegin = R"(
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define ME (get_group_id(0) * get_enqueued_num_sub_groups() + get_sub_group_id())
#define LAST (ME == get_enqueued_num_sub_groups() * get_num_groups(0) - 1)
// Others get on while a lock is held.
#define HOLD { uint asked = 0; while (asked < 5) asked += atomic_or(&s[3], 0) + 1; }
// Not one addition, so that it shows if two have the lock.
#define COUNT(release) { uint seen = *(volatile global uint *)&s[1]; HOLD *(volatile global uint *)&s[1] = seen + 1; FENCE; release; }
)";

struct Form {
  const char *name;
  const char *body; // for one work-item of each sub-group; each adds one to s[1]
};

const Form kForms[] = {
    // A flag among the bits of a counter.
    {"bit_of_counter", "if (LAST) atomic_or(s, 1); else while (!(atomic_add(s, 2) & 1)) {} atomic_inc(&s[1]);"},
    {"zero_amount", "uint zero = s[2]; if (LAST) atomic_or(s, 4); else while (atomic_add(s, zero) < 4) {} "
                    "atomic_inc(&s[1]);"},
    // Locks that an addition takes.
    {"greater_than", "while ((int)atomic_inc(s) > 0) {} COUNT(atomic_xchg(s, 0))"},
    {"negative_amount", "int n = (int)s[2] - 1; while ((int)atomic_add(s, n) < 0) {} COUNT(atomic_xchg(s, 0))"},
    {"subtracted", "int n = (int)s[2] - 1; while ((int)atomic_sub(s, n) > 0) {} COUNT(atomic_xchg(s, 0))"},
    {"float_amount", "while (atomic_fetch_add_explicit((volatile global atomic_float *)s, 1.0f, memory_order_relaxed, "
                     "memory_scope_device) > 0.0f) {} COUNT(atomic_xchg(s, 0))"},
    {"other_condition", "uint x = 1 + ME; while ((int)atomic_inc(s) > 0 && (x = x * 1664525 + 1013904223) != 12345) {} "
                        "COUNT(atomic_xchg(s, 0))"},
    {"noted",
     "bool got = false; uint tries = 0; while (!got) { if ((int)atomic_inc(s) > 0) tries++; else got = true; } "
     "COUNT(atomic_xchg(s, 0))"},
    {"least", "while (min(atomic_inc(s), 5u) > 0) {} COUNT(atomic_xchg(s, 0))"},
    // A semaphore and a sequence lock. A work-item that does not try its exchange has to wait for others. Only an
    // exchange that fails shows that another work-item has made progress.
    {"semaphore", "if (LAST) atomic_inc(s); for (;;) { int old = s[0]; if (old > 0 && atomic_cmpxchg(s, old, old - 1) "
                  "== old) break; } COUNT(atomic_inc(s))"},
    {"even_number", "for (;;) { uint old = s[0]; if (old & 1) continue; if (atomic_cmpxchg(s, old, old + 1) == old) "
                    "break; } COUNT(atomic_inc(s))"},
    // A loop that ends if the exchange fails.
    {"change", "if (LAST) atomic_inc(s); else { uint seen = s[2]; while (atomic_compare_exchange_strong((volatile "
               "global atomic_uint *)s, &seen, seen)) {} } atomic_inc(&s[1]);"},
    // The state of a sub-group at its yields may repeat with the number of yields.
    {"given_back_later",
     "int state = 0; while (state != 2) { if (state == 0) { if (atomic_cmpxchg(s, 0, 1) == 0) state "
     "= 1; } else { if (LAST) s[2] = 1; bool set = s[2]; FENCE; atomic_xchg(s, 0); state = set ? 2 "
     ": 0; } } atomic_inc(&s[1]);"},
};

std::string source() {
  std::string text = kBegin;
  for (const Form &form : kForms)
    text += std::string("__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void ") + form.name +
            "(volatile global uint *s) {\n  if (get_sub_group_local_id() == 0) {\n" + form.body + "\n  }\n}\n";
  return text;
}

} // namespace

TEST_CASE("one work-item of each sub-group waits", "[waiting_forms]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable"}) {
      const Program program = cl.build(source(), "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + optimize);
      const size_t local = 3 * width + 5, groups = 2, sub_groups = groups * 4;
      for (const Form &form : kForms) {
        INFO(form.name << ", sub-groups of " << width << optimize);
        Memory s = cl.buffer(std::vector<cl_uint>(4));
        cl.run(cl.kernel(program, form.name), {groups * local}, {local}, s);
        CHECK(cl.read<cl_uint>(s)[1] == sub_groups);
      }
    }
}

// Each work-item takes the lock by one name and gives it back by another one.
TEST_CASE("a lock has two names", "[waiting_forms]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable"}) {
      INFO("sub-groups of " << width << optimize);
      const Program program = cl.build(R"(
        __attribute__((intel_reqd_sub_group_size(WIDTH)))
        kernel void k(volatile global uint *lock, volatile global uint *same, volatile global uint *sum) {
          for (;;)
            if ((atomic_inc(lock) & 0xfff) == 0) {
              *sum += get_global_id(0) + 1;
              mem_fence(CLK_GLOBAL_MEM_FENCE);
              atomic_xchg(same, 0);
              break;
            }
        })",
                                       "-DWIDTH=" + std::to_string(width) + optimize);
      const size_t local = 2 * width + 3;
      Memory lock = cl.buffer(std::vector<cl_uint>(1)), sum = cl.buffer(std::vector<cl_uint>(1));
      cl.run(cl.kernel(program, "k"), {local}, {local}, lock, lock, sum);
      CHECK(cl.read<cl_uint>(sum)[0] == local * (local + 1) / 2);
    }
}

// The counter and the sums are different memory, and the amount is positive, but the compiler knows neither.
TEST_CASE("work is distributed by a counter next to other updates", "[waiting_forms]") {
  const Session cl;
  constexpr int kAmount = 3, kTurns = 2000;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildForWidth(cl, R"(
KERNEL void k(global int *next, global int *sums, global const int *weights, int amount, int n) {
  for (int i; (i = atomic_add(next, amount)) < n;) {
    if (i % 5 == 0) continue;
    atomic_add(&sums[i % 7], weights[i]);
  }
})",
                                          width);
    std::vector<int> weights(kTurns * kAmount);
    for (size_t i = 0; i < weights.size(); ++i)
      weights[i] = int(i * 37 % 19) - 9;
    std::vector<int> expected(7);
    for (int i = 0; i < kTurns * kAmount; i += kAmount)
      if (i % 5 != 0)
        expected[size_t(i % 7)] += weights[size_t(i)];
    Memory next = cl.buffer(std::vector<int>(1)), sums = cl.buffer(std::vector<int>(7));
    Memory given = cl.buffer(weights);
    const size_t local = 2 * width + 3;
    cl.run(cl.kernel(program, "k"), {2 * local}, {local}, next, sums, given, kAmount, kTurns * kAmount);
    INFO("sub-groups of " << width);
    CHECK(cl.read<int>(sums) == expected);
    CHECK(cl.read<int>(next) == std::vector<int>{kAmount * int(kTurns + 2 * local)});
  }
}
