// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locks that a work-item releases in the branch in which it took them, tickets, flags and queues: everything that ends
// by the convergence rule of docs/sub-groups.md. With a bug, these kernels hang until ctest's timeout ends them.
#include "each_item.hpp"
#include "support/spirv.hpp"

using namespace lanecl::test;

namespace {

// Six ways to take a lock: functions of OpenCL 1.2, a compare-exchange with memory orders, a flag, an exchange with a
// fence, an increment that a store undoes, and a bit that a compare-exchange sets. TRY is an expression or a function
// call.
const std::string kWays = R"(
#define KERNEL __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#if WAY == 0
#define TRY(l) (atomic_cmpxchg((volatile SPACE int *)(l), 0, 1) == 0)
#define GIVE(l) do { FENCE; atomic_xchg((volatile SPACE int *)(l), 0); } while (0)
#elif WAY == 1
bool try_once(SPACE int *l) {
  int none = 0;
  return atomic_compare_exchange_strong_explicit((SPACE atomic_int *)l, &none, 1, memory_order_acquire,
                                                 memory_order_relaxed, memory_scope_device);
}
#define TRY(l) try_once(l)
#define GIVE(l) atomic_store_explicit((SPACE atomic_int *)(l), 0, memory_order_release, memory_scope_device)
#elif WAY == 2
#define TRY(l) (!atomic_flag_test_and_set_explicit((volatile SPACE atomic_flag *)(l), memory_order_acquire, memory_scope_device))
#define GIVE(l) atomic_flag_clear_explicit((volatile SPACE atomic_flag *)(l), memory_order_release, memory_scope_device)
#elif WAY == 3
#define TRY(l) (atomic_fetch_add_explicit((SPACE atomic_int *)(l), 1, memory_order_acquire, memory_scope_device) == 0)
#define GIVE(l) atomic_store_explicit((SPACE atomic_int *)(l), 0, memory_order_release, memory_scope_device)
#elif WAY == 4
int set_bit(SPACE int *word) {
  int old = *word, expected;
  do {
    expected = old;
    old = atomic_cmpxchg((volatile SPACE int *)word, expected, expected | 1);
  } while (old != expected);
  return old;
}
#define TRY(l) ((set_bit(l) & 1) == 0)
#define GIVE(l) do { FENCE; atomic_and((volatile SPACE int *)(l), ~1); } while (0)
#else
bool try_once(SPACE int *l) {
  if (*(volatile SPACE int *)l != 0) return false;
  return atomic_exchange_explicit((SPACE atomic_int *)l, 1, memory_order_acq_rel, memory_scope_device) == 0;
}
void give(SPACE int *l) { FENCE; *(volatile SPACE int *)l = 0; }
#define TRY(l) try_once(l)
#define GIVE(l) give(l)
#endif
)";

struct Form {
  const char *name;
  int per_item; // how often each work-item adds its number plus one
  const char *body;
};

// `lock` and `sum` are the ones of several that the work-item uses; `x` is what it adds.
const Form kForms[] = {
    {"while_flag", 1, R"(
  bool done = false;
  while (!done) {
    if (TRY(lock)) { *sum += x; GIVE(lock); done = true; }
  })"},
    {"do_while_flag", 1, R"(
  int done = 0;
  do {
    if (TRY(lock)) { *sum += x; GIVE(lock); done = 1; }
  } while (done == 0);)"},
    {"counted", 3, R"(
  for (int n = 0; n < 3;) {
    if (TRY(lock)) { *sum += x; GIVE(lock); ++n; }
  })"},
    {"given_up", 1, R"(
  bool done = false;
  for (int n = 0; n < 1000000 && !done; ++n)
    if (TRY(lock)) { *sum += x; GIVE(lock); done = true; })"},
    {"endless_break", 1, R"(
  for (;;) {
    if (TRY(lock)) { *sum += x; GIVE(lock); break; }
  })"},
    {"break_behind", 1, R"(
  while (true) {
    if (!TRY(lock)) { unlucky += 1; } else { *sum += x; GIVE(lock); break; }
  })"},
    {"goto_else", 1, R"(
again:
  if (TRY(lock)) { *sum += x; GIVE(lock); } else goto again;)"},
    {"goto_out", 1, R"(
again:
  if (TRY(lock)) { *sum += x; GIVE(lock); goto out; }
  goto again;
out:;)"},
    {"returned", 1, R"(
  update(lock, sum, x);)"},
    {"divergent_loop", -1, R"(
  for (int i = 0; i <= (int)(get_local_linear_id() % 3); ++i) {
    bool done = false;
    while (!done)
      if (TRY(lock)) { *sum += x; GIVE(lock); done = true; }
  })"},
    {"left_earlier", 1, R"(
  // Those that go on wait for those that have left.
  int l = (int)get_local_linear_id(), n = (int)get_local_size(0);
  for (int i = 0;; ++i) {
    if (i == l % 3) { atomic_add((volatile SPACE int *)sum, x); atomic_inc(&ready[get_group_id(0)]); break; }
    int left = 0;
    for (int k = 0; k < n; ++k) left += k % 3 <= i;
    while (atomic_or(&ready[get_group_id(0)], 0) < left) {}
  })"},
    {"in_turn", 1, R"(
  // Spins, but one work-item at a time.
  for (uint k = 0; k < get_max_sub_group_size(); ++k)
    if (get_sub_group_local_id() == k) {
      while (!TRY(lock)) {}
      *sum += x;
      GIVE(lock);
      break;
    })"},
    {"two_branches", 1, R"(
  bool done = false;
  while (!done) {
    if (TRY(lock)) {
      if (x & 1) { *sum += x; GIVE(lock); } else { *sum = *sum + x; FENCE; GIVE(lock); }
      done = true;
    }
  })"},
    {"nested", 1, R"(
  SPACE int *inner = sums + LOCKS;
  bool done = false;
  while (!done) {
    if (TRY(lock)) {
      bool both = false;
      while (!both) {
        if (TRY(inner)) { sums[LOCKS + 1] += 1; *sum += x; GIVE(inner); both = true; }
      }
      GIVE(lock);
      done = true;
    }
  })"},
    {"ticket", 1, R"(
  int mine = atomic_inc((volatile SPACE int *)lock + 2 * LOCKS);
  bool done = false;
  while (!done) {
    if (atomic_or((volatile SPACE int *)lock, 0) == mine) {
      FENCE;
      *sum += x;
      FENCE;
      atomic_inc((volatile SPACE int *)lock);
      done = true;
    }
  })"},
    {"by_increment", 1, R"(
  bool done = false;
  do {
    if (atomic_inc((volatile SPACE int *)lock) == 0) { FENCE; *sum += x; FENCE; done = true; }
    atomic_dec((volatile SPACE int *)lock);
  } while (!done);)"},
    {"by_addition", 1, R"(
  bool done = false;
  while (!done) {
    if (atomic_add((volatile SPACE int *)lock, 1) == 0) { FENCE; *sum += x; FENCE; done = true; }
    atomic_sub((volatile SPACE int *)lock, 1);
  })"},
    {"entered_in_the_middle", 1, R"(
  if (x & 1) goto middle;
again:
  unlucky += 1;
middle:
  if (TRY(lock)) { *sum += x; GIVE(lock); } else goto again;)"},
    {"noted_in_shared_memory", 1, R"(
  // No other work-item accesses this element.
  SPACE int *got = mem + 4 * LOCKS + (IS_LOCAL ? get_local_id(0) : get_global_id(0));
  for (;;) {
    *got = TRY(lock);
    if (*got) { atomic_add((volatile SPACE int *)sum, x); atomic_xchg((volatile SPACE int *)lock, 0); break; }
  })"},
    {"noted_in_either_array", 1, R"(
  int a[4] = {0}, b[4] = {0}, *got = x & 1 ? a : b;
  for (int n = 0;; ++n) {
    got[n & 3] = TRY(lock);
    if (got[n & 3]) { *sum += x; GIVE(lock); break; }
    got = got == a ? b : a;
  })"},
    {"switched", 1, R"(
  int state = 0;
  while (state != 2) {
    switch (state) {
    case 0: if (TRY(lock)) state = 1; break;
    case 1: *sum += x; GIVE(lock); state = 2; break;
    }
  })"},
};

std::string source() {
  std::string text = kWays + R"(
void update(SPACE int *lock, SPACE int *sum, int x) {
  for (;;)
    if (TRY(lock)) { *sum += x; GIVE(lock); return; }
}
)";
  for (const Form &form : kForms)
    text += std::string("KERNEL void ") + form.name +
            R"((global int *shared, global int *out, volatile global int *ready) {
#if IS_LOCAL
  local int mem[4 * LOCKS + 2 * WIDTH + 5];
  for (size_t i = get_local_linear_id(); i < 4 * LOCKS; i += get_local_size(0)) mem[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  global int *mem = shared;
#endif
  SPACE int *sums = mem + LOCKS;
  SPACE int *lock = mem + get_global_id(0) * 7 / 3 % LOCKS, *sum = lock + LOCKS;
  int x = 1 + (int)get_global_id(0), unlucky = 0;
)" + form.body +
            R"(
#if IS_LOCAL
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0)
    for (int i = 0; i < LOCKS; ++i) atomic_add(&shared[LOCKS + i], sums[i]);
#endif
  out[get_global_id(0)] = unlucky < 0;
}
)";
  return text;
}

std::vector<int> expectedOf(const Form &form, size_t global, size_t local, size_t locks) {
  std::vector<int> sums(locks);
  for (size_t i = 0; i < global; ++i)
    sums[i * 7 / 3 % locks] += int(i + 1) * (form.per_item < 0 ? 1 + int(i % local % 3) : form.per_item);
  return sums;
}

void checkForm(const Session &cl, const Program &program, const Form &form, size_t local, size_t locks) {
  INFO(form.name);
  const size_t groups = 3, global = groups * local;
  Memory shared = cl.buffer(std::vector<int>(4 * locks + global)), out = cl.buffer(std::vector<int>(global, -1));
  Memory ready = cl.buffer(std::vector<int>(groups));
  cl.run(cl.kernel(program, form.name), {global}, {local}, shared, out, ready);
  const std::vector<int> found = cl.read<int>(shared);
  const auto sums = found.begin() + ptrdiff_t(locks);
  CHECK(std::vector<int>(sums, sums + ptrdiff_t(locks)) == expectedOf(form, global, local, locks));
  CHECK(cl.read<int>(out) == std::vector<int>(global, 0));
}

// Runs alternate between one lock for all and several locks, and between the forms. Each form meets each width and each
// optimization in half of the ways.
void checkForms(int way, bool is_local) {
  const Session cl;
  size_t turn = size_t(way);
  for (const size_t width : widthsInTurn())
    for (const char *optimize : {"", " -cl-opt-disable"}) {
      const size_t locks = turn++ % 2 == 0 ? 1 : 5;
      INFO("sub-groups of " << width << optimize << ", locks: " << locks);
      const std::string options = "-cl-std=CL3.0 -DWIDTH=" + std::to_string(width) + " -DWAY=" + std::to_string(way) +
                                  " -DLOCKS=" + std::to_string(locks) + " -DIS_LOCAL=" + std::to_string(is_local) +
                                  " -DSPACE=" + (is_local ? "local" : "global") + optimize;
      const Program program = cl.build(source(), options);
      for (size_t number = 0; number < std::size(kForms); ++number)
        if (isInTurn(number + turn, 2))
          checkForm(cl, program, kForms[number], locks == 1 ? 2 * width + 5 : 2 * width, locks);
    }
}

// The first sub-group sets a bit of the lock's word, which fails if the word has changed since its previous turn. All
// others increment the word in each of their turns.
const std::string kMixedWays = kWays + R"(
KERNEL void mixed(global int *shared) {
#if IS_LOCAL
  local int words[2];
  if (get_local_id(0) == 0) words[0] = words[1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  global int *words = shared;
#endif
  SPACE int *lock = words;
  SPACE int *sum = words + 1;
  for (int done = 0; done < 2;)
    if (get_sub_group_id() == 0 ? set_bit(lock) == 0 : atomic_inc((volatile SPACE int *)lock) == 0) {
      FENCE;
      *sum += 1 + (int)get_global_id(0);
      FENCE;
      atomic_xchg((volatile SPACE int *)lock, 0);
      ++done;
    }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (IS_LOCAL && get_local_id(0) == 0) shared[1] = *sum;
}
)";

// A lock around an addition. The control flow takes it at %try and gives it back at %take.
const std::string kTake = R"(
        %old = OpAtomicCompareExchange %uint %lock %device %acquire %relaxed %uint_1 %uint_0
        %got = OpIEqual %bool %old %uint_0
)";
const std::string kRepeatedTake = R"(
               OpBranch %try
        %try = OpLabel
)" + kTake;
const std::string kUpdate = R"(
       %take = OpLabel
     %before = OpLoad %uint %sum Aligned 4
      %after = OpIAdd %uint %before %uint_1
               OpStore %sum %after Aligned 4
               OpAtomicStore %lock %device %release %uint_0
)";

// Loops as compilers write them: one that ends by a flag, one that ends by a break, and both after optimizations.
const std::string kSpirvForms[] = {
    R"(
       %done = OpVariable %_ptr_Function_uint Function
               OpStore %done %uint_0
               OpBranch %cond
       %cond = OpLabel
       %flag = OpLoad %uint %done
      %again = OpIEqual %bool %flag %uint_0
               OpBranchConditional %again %try %end
        %try = OpLabel
)" + kTake +
        R"(
               OpBranchConditional %got %take %next
)" + kUpdate +
        R"(
               OpStore %done %uint_1
               OpBranch %next
       %next = OpLabel
               OpBranch %cond
        %end = OpLabel
               OpReturn
)",
    kRepeatedTake + R"(
               OpBranchConditional %got %take %next
)" + kUpdate +
        R"(
               OpBranch %end
       %next = OpLabel
               OpBranch %try
        %end = OpLabel
               OpReturn
)",
    kRepeatedTake + R"(
               OpBranchConditional %got %take %next
       %next = OpLabel
               OpBranch %try
)" + kUpdate +
        R"(
               OpReturn
)",
    kRepeatedTake + R"(
               OpBranchConditional %got %take %try
)" + kUpdate +
        R"(
               OpReturn
)",
    // After the release there is a barrier for all work-items.
    kRepeatedTake + R"(
               OpBranchConditional %got %take %try
)" + kUpdate +
        R"(
               OpControlBarrier %group %group %all_memory
               OpReturn
)"};

std::string moduleOf(const std::string &body, size_t width) {
  return replaced(R"(
               OpCapability SubgroupDispatch
               OpEntryPoint Kernel %k "k"
               OpExecutionMode %k SubgroupSize WIDTH
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uint %_ptr_CrossWorkgroup_uint
     %device = OpConstant %uint 1
    %relaxed = OpConstant %uint 512
    %acquire = OpConstant %uint 514
    %release = OpConstant %uint 516
      %group = OpConstant %uint 2
 %all_memory = OpConstant %uint 776
          %k = OpFunction %void None %function
       %lock = OpFunctionParameter %_ptr_CrossWorkgroup_uint
        %sum = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
)" + body + "OpFunctionEnd\n",
                  {{"WIDTH", std::to_string(width)}});
}

} // namespace

TEST_CASE("a lock that a SPIR-V loop releases on the way out", "[branch_locks]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *options : {"", "-cl-opt-disable"})
      for (const std::string &form : kSpirvForms) {
        INFO("sub-groups of " << width << ' ' << options << form);
        const Program program = buildIl(cl, createWithIl(cl, assemble(moduleOf(form, width))), options);
        const size_t local = 2 * width + 3, global = 3 * local;
        Memory lock = cl.buffer(std::vector<int>(1)), sum = cl.buffer(std::vector<int>(1));
        cl.run(cl.kernel(program, "k"), {global}, {local}, lock, sum);
        CHECK(cl.read<int>(sum) == std::vector<int>{int(global)});
      }
}

TEST_CASE("a lock is released in the branch that took it", "[branch_locks]") {
  const std::pair<const char *, int> kNames[] = {
      {"OpenCL 1.2", 0}, {"compare-exchange", 1}, {"flag", 2}, {"increment", 3}, {"bit", 4}, {"exchange", 5}};
  for (const bool is_local : {false, true})
    for (const auto &[name, way] : kNames)
      DYNAMIC_SECTION((is_local ? "local memory, " : "global memory, ") << name) {
        checkForms(way, is_local);
      }
}

TEST_CASE("sub-groups take one lock in two ways", "[branch_locks]") {
  const Session cl;
  for (const size_t width : widthsInTurn())
    for (const char *space : {"global", "local"})
      for (const char *optimize : {"", " -g -cl-opt-disable"}) {
        INFO("sub-groups of " << width << optimize << ", memory: " << space);
        const bool is_local = std::string(space) == "local";
        const Program program =
            cl.build(kMixedWays, "-cl-std=CL3.0 -DWAY=4 -DWIDTH=" + std::to_string(width) + " -DSPACE=" + space +
                                     " -DIS_LOCAL=" + std::to_string(is_local) + optimize);
        const size_t local = 3 * width + 5;
        Memory shared = cl.buffer(std::vector<cl_uint>(2));
        cl.run(cl.kernel(program, "mixed"), {local}, {local}, shared);
        CHECK(cl.read<cl_uint>(shared)[1] == local * (local + 1));
      }
}
