// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that wait for another sub-group or work-group. What they wait for is handed over before the loop asks for it:
// in memory, by functions of the work-group, or by pointers that change. With a bug, these kernels hang until ctest's
// timeout ends them.
#include "each_item.hpp"

using namespace lanecl::test;

namespace {

struct Form {
  const char *name;
  const char *body; // adds one to s[1] for each work-item
};

// `s` is memory that starts with zeros. `last` holds in all work-items of the last work-group; the others wait for it.
const Form kByGroups[] = {
    {"any", "if (last) atomic_xchg(s, 1); else while (!work_group_any(atomic_or(s, 0) != 0)) {}"},
    {"all", "if (last) atomic_xchg(s, 1); else while (!work_group_all(atomic_or(s, 0) != 0)) {}"},
    {"maximum", "if (last) atomic_xchg(s, 1); else while (work_group_reduce_max(lead ? atomic_or(s, 0) : 0) == 0) {}"},
    {"barrier_of_all", R"(
      local uint seen;
      if (lead) atomic_inc(s);
      do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lead) seen = atomic_or(s, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
      } while (seen < get_num_groups(0));)"},
    {"broadcast", R"(
      if (lead) atomic_inc(s);
      uint seen;
      do seen = work_group_broadcast(lead ? atomic_or(s, 0) : 0, 0); while (seen < get_num_groups(0));)"},
    {"volatile_word", R"(
      local volatile uint seen;
      if (last) { if (lead) atomic_xchg(s, 1); }
      else do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lead) seen = atomic_or(s, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
      } while (!seen);)"},
    {"atomic_word", R"(
      local uint seen;
      if (lead) seen = 0;
      if (last) { if (lead) atomic_xchg(s, 1); }
      else do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lead) atomic_xchg(&seen, atomic_or(s, 0));
        barrier(CLK_LOCAL_MEM_FENCE);
      } while (!atomic_or(&seen, 0));)"},
    {"global_word", R"(
      global uint *mine = s + 8 + get_group_id(0);
      if (last) { if (lead) atomic_xchg(s, 1); }
      else for (;;) {
        if (lead) *mine = atomic_or(s, 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        uint seen = *mine;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (seen) break;
      })"},
    {"word_of_sub_group", R"(
      local uint seen[8];
      if (last) { if (lead) atomic_xchg(s, 1); }
      else for (;;) {
        if (get_sub_group_local_id() == 0) seen[get_sub_group_id()] = atomic_or(s, 0);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        uint x = seen[get_sub_group_id()];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (x) break;
      })"},
    {"behind_barriers", R"(
      if (last) { if (lead) atomic_xchg(s, 1); }
      else {
        uint x;
        do { barrier(CLK_GLOBAL_MEM_FENCE); x = *s; } while (!work_group_any(x != 0));
      })"},
    {"by_block", R"(
      if (last) { for (uint i = 0; lead && i < WIDTH; ++i) atomic_xchg(&s[64 + i], 1); }
      else {
        uint x;
        do { mem_fence(CLK_GLOBAL_MEM_FENCE); x = intel_sub_group_block_read(s + 64); } while (!sub_group_all(x != 0));
      })"},
};

// What ends the loop besides a counter that only some work-items increment, or whose limit is very far away. `s[3]`
// counts.
const Form kBesideCounters[] = {
    {"one_counts_for_all", R"(
      uint i;
      do {
        i = 0;
        if (last) i = atomic_inc(&s[3]);
        i = sub_group_reduce_max(i);
        if (i >= 50u && get_sub_group_local_id() == 0) atomic_xchg(s, 1);
      } while (i < 100u && !(!last && atomic_or(s, 0)));)"},
    {"one_works_for_all", R"(
      bool works = last && get_sub_group_local_id() == 1;
      for (;;) {
        uint i = 0;
        if (works) i = atomic_inc(&s[3]);
        i = sub_group_broadcast(i, 1);
        if (i >= 100u) { atomic_xchg(s, 1); break; }
        if (!last && atomic_or(s, 0)) break;
      })"},
    {"counts_far", R"(
      uint ok = 0;
      if (last) ok = 1, atomic_xchg(s, 1);
      else while (atomic_inc(&s[3]) < 0x7fffffffu) if (atomic_or(s, 0)) { ok = 1; break; }
      if (!ok) atomic_dec(&s[1]);)"},
};

// One work-item of each sub-group waits.
const Form kByItems[] = {
    {"output_of_function", "for (;;) { uint x; poll(s, &x); if (x) break; }"},
    {"structure", "Poll p = {s}; do step(&p); while (p.seen[(p.count - 1) & 3] == 0);"},
    {"chosen_variable", "uint a = 0, b = 0, *to = s[2] ? &a : &b; do *to = *v; while (!(a | b));"},
    {"exchanged_arrays", R"(
      uint a[8] = {0}, b[8] = {0}, *now = a, *before = b, i = s[2];
      while (!(now[i] && before[i])) {
        uint *other = now; now = before; before = other;
        for (uint k = 0; k < 8; ++k) now[k] = v[0];
        i = (i + 1) & 7;
      })"},
    {"filled_arrays", R"(
      uint a[8], b[8], n = 8 - s[2];
      bool flip = s[2];
      for (;;) {
        uint *to = flip ? a : b, full = 1;
        for (uint k = 0; k < n; ++k) to[k] = *v;
        for (uint k = 0; k < n; ++k) full &= to[k];
        if (full) break;
        flip = !flip;
      })"},
    {"entered_by_goto", "if (s[2]) goto check; do { s[8 + me]++; check:; } while (*v == 0);"},
    {"entered_by_switch", "uint n = 0; switch (me & 1) { case 0: for (;;) { n++; case 1: if (*v) break; n += 2; } } "
                          "s[8 + me] = n;"},
    {"two_labels", "if (me & 1) goto b; a: if (atomic_or(s, 0)) goto done; b: if (atomic_or(s + 2, 0) | atomic_or(s, "
                   "0)) goto done; goto a; done:;"},
    {"counted_for_ever", "for (uint i = 0; i < 0xffffffffu; ++i) { if (atomic_or(s, 0)) break; s[8 + me] = i; }"},
    {"counted_by_launch", R"(
      uint i = 0, most = 100000000 + s[2];
      for (; i < most; ++i) { if (*v) break; s[8 + me] = i; }
      if (i == most) atomic_dec(&s[1]);)"},
    {"counted_by_index", R"(
      uint i = 0, most = 50000000 + s[2];
      for (; i < most; ++i) { if (atomic_or(&s[v[4 + (i & 3)]], 0)) break; s[8 + me] = i; }
      if (i == most) atomic_dec(&s[1]);)"},
    // The loop may give up after a number of tries that is very high, or that the compiler does not know. Until then it
    // has to wait for the flag.
    {"falling_budget", R"(
      atomic_cmpxchg(s + 4, 0, 0x7fffffff);
      while (!atomic_or(s, 0)) if ((int)atomic_dec(s + 4) <= 0) { atomic_dec(&s[1]); break; })"},
    {"deadline", R"(
      while ((int)(atomic_inc(s + 2) - 2000000000u) < 0) if (atomic_or(s, 0)) break;)"},
    {"deadline_of_launch", R"(
      uint end = 0x7fffffff + s[5];
      while ((int)(atomic_inc(s + 2) - end) < 0) if (*v) break;)"},
    {"slow_budget", "while (atomic_inc(s + 2) / 4096 < 1000000) if (atomic_or(s, 0)) break;"},
    // Two counters are compared. Both rise, and neither is the end of the loop.
    {"compared_counters", R"(
      do { uint t = atomic_inc(s + 2); if (atomic_inc(s + 2) > t + 8) atomic_inc(s + 3); } while (!atomic_or(s, 0));)"},
    {"compared_far_counters", R"(
      do { if (atomic_inc(s + 2) < atomic_add(s + 3, 2)) atomic_inc(s + 4); } while (!atomic_or(s, 0));)"},
    {"compared_ring", R"(
      for (;;) {
        uint t = atomic_inc(s + 2);
        if (t >= atomic_inc(s + 3)) s[8 + me] = t;
        if (atomic_or(s, 0)) break;
      })"},
    {"entered_behind_count", R"(
      uint i = 0;
      switch (me & 1) { case 0: for (;;) { if (i++ >= 4000000000u) break; s[8 + me]++; case 1: if (*v) break; } })"},
};

const std::string kFunctions = R"(
void poll(volatile global uint *flag, uint *seen) { *seen = *flag; }
typedef struct { volatile global uint *flag; uint seen[4]; int count; } Poll;
void step(Poll *p) { p->seen[p->count & 3] = *p->flag; p->count++; }
)";

std::string source() {
  std::string text = kFunctions;
  std::vector<Form> by_groups(std::begin(kByGroups), std::end(kByGroups));
  by_groups.insert(by_groups.end(), std::begin(kBesideCounters), std::end(kBesideCounters));
  for (const Form &form : by_groups)
    text += "KERNEL void " + std::string(form.name) + R"((global uint *s) {
  bool lead = get_local_id(0) == 0, last = get_group_id(0) == get_num_groups(0) - 1;
)" + form.body +
            "\n  atomic_inc(&s[1]);\n}\n";
  for (const Form &form : kByItems)
    text += "KERNEL void " + std::string(form.name) + R"((global uint *s) {
  volatile global uint *v = s;
  uint me = get_group_id(0) * get_enqueued_num_sub_groups() + get_sub_group_id();
  if (get_sub_group_local_id() == 0) {
    if (me == get_enqueued_num_sub_groups() * get_num_groups(0) - 1) atomic_xchg(s, 1); else {
)" + form.body +
            "\n}}\n  atomic_inc(&s[1]);\n}\n";
  return text;
}

} // namespace

TEST_CASE("what a loop waits for is handed over", "[handed_over]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable", " -g -cl-opt-disable"}) {
      const Program program =
          cl.build("#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel\n" + source(),
                   "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + optimize);
      const auto check = [&](const Form &form, size_t local, size_t groups) {
        INFO(form.name << ", sub-groups of " << width << optimize << ", local size " << local);
        Memory s = cl.buffer(std::vector<cl_uint>(128));
        cl.run(cl.kernel(program, form.name), {groups * local}, {local}, s);
        CHECK(cl.read<cl_uint>(s)[1] == groups * local);
      };
      for (const size_t local : {width, 2 * width + 3}) {
        for (const Form &form : kByGroups)
          check(form, form.name == std::string("by_block") ? 2 * width : local, 3);
        for (const Form &form : kBesideCounters)
          check(form, local, 3);
        for (const Form &form : kByItems)
          check(form, local, 3);
      }
    }
}

// Each turn of these loops reaches a barrier, so all sub-groups make progress. But only another queue's kernel ends the
// loops.
TEST_CASE("a loop with barriers waits for another queue's kernel", "[handed_over]") {
  const Session cl;
  const CommandQueue other = makeQueue(cl.context);
  const std::vector<Form> forms{
      {"each_asks", "do { x = atomic_or(s, 0); barrier(CLK_GLOBAL_MEM_FENCE); } while (x == 0);"},
      {"one_asks", "do x = work_group_any(get_local_id(0) == 0 && atomic_or(s, 0)); while (x == 0);"}};
  std::string text = "kernel void tell(global uint *s) { atomic_xchg(s, 1); }\n";
  for (const Form &form : forms)
    text += "__attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void " + std::string(form.name) +
            "(global uint *s) {\n  uint x;\n  " + form.body + "\n  atomic_inc(&s[1]);\n}\n";
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable"}) {
      const Program program = cl.build(text, "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + optimize);
      for (const Form &form : forms) {
        INFO(form.name << ", sub-groups of " << width << optimize);
        const size_t local = 2 * width + 3, items = 40 * local, one = 1;
        const Memory s = cl.buffer(std::vector<cl_uint>(2));
        const Kernel asks = cl.kernel(program, form.name), tells = cl.kernel(program, "tell");
        cl.setArguments(asks, s);
        cl.setArguments(tells, s);
        check(clEnqueueNDRangeKernel(cl.queue, asks, 1, nullptr, &items, &local, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFlush(cl.queue), "clFlush");
        check(clEnqueueNDRangeKernel(other, tells, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(other), "clFinish");
        CHECK(cl.read<cl_uint>(s)[1] == items);
      }
    }
}
