// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Named barriers of SPIR-V (cl_khr_subgroup_named_barrier): some of a work-group's sub-groups meet at one barrier,
// others at another one.
#include "support/selection.hpp"
#include "support/session.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <numeric>

using namespace lanecl::test;

namespace {

const std::vector<std::vector<size_t>> kLocals{{64}, {37}, {200}, {12, 3}, {6, 4, 2}, {5}};

// Two arrays of 1024 numbers in local memory, and the definitions that the kernels need. A kernel k(out, rounds) stores
// what %body has computed for each of its work-items.
const std::string kHead = R"(
               OpCapability Groups
               OpCapability SubgroupDispatch
               OpCapability NamedBarrier
               OpEntryPoint Kernel %k "k" %GlobalLinearId %LocalInvocationIndex %SubgroupId %NumSubgroups %SubgroupLocalInvocationId
               OpExecutionMode %k SubgroupSize WIDTH
    %barrier = OpTypeNamedBarrier
       %most = OpConstant %uint 1024
      %width = OpConstant %uint WIDTH
 %work_group = OpConstant %uint 2
      %order = OpConstant %uint 776
     %length = OpConstant %ulong 2048
      %array = OpTypeArray %uint %length
      %local = OpTypePointer Workgroup %array
       %data = OpVariable %local Workgroup
 %to_barrier = OpTypePointer Function %barrier
     %kernel = OpTypeFunction %void %_ptr_CrossWorkgroup_uint %uint
    %meeting = OpTypeFunction %uint %barrier %uint %uint %uint %uint
       %body = OpTypeFunction %uint %uint %uint %uint %uint %uint
          %k = OpFunction %void None %kernel
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_uint
    %k_round = OpFunctionParameter %uint
    %k_entry = OpLabel
   %k_global = OpLoad %ulong %GlobalLinearId Aligned 8
   %k_local8 = OpLoad %ulong %LocalInvocationIndex Aligned 8
    %k_local = OpUConvert %uint %k_local8
      %k_sub = OpLoad %uint %SubgroupId Aligned 4
     %k_subs = OpLoad %uint %NumSubgroups Aligned 4
     %k_lane = OpLoad %uint %SubgroupLocalInvocationId Aligned 4
     %k_result = OpFunctionCall %uint %work %k_sub %k_subs %k_lane %k_local %k_round
    %k_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %k_global
               OpStore %k_place %k_result Aligned 4
               OpReturn
               OpFunctionEnd
; In each round the sub-groups first .. first + count - 1 tell each other a number: x = 3 x + that of the next one + r.
       %meet = OpFunction %uint None %meeting
        %m_b = OpFunctionParameter %barrier
    %m_first = OpFunctionParameter %uint
    %m_count = OpFunctionParameter %uint
        %m_x = OpFunctionParameter %uint
   %m_rounds = OpFunctionParameter %uint
    %m_entry = OpLabel
      %m_sub = OpLoad %uint %SubgroupId Aligned 4
   %m_local8 = OpLoad %ulong %LocalInvocationIndex Aligned 8
    %m_local = OpUConvert %uint %m_local8
      %m_in0 = OpISub %uint %m_sub %m_first
      %m_in1 = OpIAdd %uint %m_in0 %uint_1
      %m_in2 = OpUMod %uint %m_in1 %m_count
     %m_next = OpIAdd %uint %m_first %m_in2
    %m_item0 = OpIMul %uint %m_next %width
               OpBranch %m_head
     %m_head = OpLabel
        %m_r = OpPhi %uint %uint_0 %m_entry %m_r1 %m_turn
       %m_x0 = OpPhi %uint %m_x %m_entry %m_x4 %m_turn
     %m_more = OpULessThan %bool %m_r %m_rounds
               OpBranchConditional %m_more %m_turn %m_end
     %m_turn = OpLabel
     %m_half = OpBitwiseAnd %uint %m_r %uint_1
     %m_base = OpIMul %uint %m_half %most
     %m_mine = OpIAdd %uint %m_base %m_local
    %m_their = OpIAdd %uint %m_base %m_item0
       %m_p0 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %m_mine
       %m_p1 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %m_their
               OpStore %m_p0 %m_x0 Aligned 4
               OpMemoryNamedBarrier %m_b %work_group %order
        %m_y = OpLoad %uint %m_p1 Aligned 4
       %m_x2 = OpIMul %uint %m_x0 %uint_3
       %m_x3 = OpIAdd %uint %m_x2 %m_y
       %m_x4 = OpIAdd %uint %m_x3 %m_r
       %m_r1 = OpIAdd %uint %m_r %uint_1
               OpBranch %m_head
      %m_end = OpLabel
               OpReturnValue %m_x0
               OpFunctionEnd
       %work = OpFunction %uint None %body
        %sub = OpFunctionParameter %uint
       %subs = OpFunctionParameter %uint
       %lane = OpFunctionParameter %uint
       %item = OpFunctionParameter %uint
     %rounds = OpFunctionParameter %uint
      %entry = OpLabel
)";

std::string moduleOf(const std::string &body, size_t width) {
  return replaced(kHead + body + "OpFunctionEnd\n", {{"WIDTH", std::to_string(width)}});
}

struct Group {
  size_t items, width;
  size_t subGroups() const { return (items + width - 1) / width; }
};
// Returns the numbers of all work-items of a work-group.
using Expected = std::function<std::vector<unsigned>(const Group &group, unsigned rounds)>;

void checkBody(const std::string &body, unsigned rounds, const Expected &expected) {
  const Session cl;
  for (const size_t width : widthsInTurn()) {
    const Program program = buildIl(cl, createWithIl(cl, assemble(moduleOf(body, width))));
    for (const std::vector<size_t> &local : kLocals) {
      const size_t items = std::accumulate(local.begin(), local.end(), size_t(1), std::multiplies<>());
      std::vector<size_t> global = local;
      global.back() *= 3;
      const Memory out = cl.buffer(std::vector<unsigned>(3 * items));
      cl.run(cl.kernel(program, "k"), global, local, out, rounds);
      const std::vector<unsigned> one = expected({items, width}, rounds);
      std::vector<unsigned> want;
      for (int group = 0; group < 3; ++group)
        want.insert(want.end(), one.begin(), one.end());
      INFO("sub-groups of " << width << ", local size " << Catch::StringMaker<std::vector<size_t>>::convert(local));
      CHECK(cl.read<unsigned>(out) == want);
    }
  }
}

// Computes in place what the function %meet computes.
void meet(std::vector<unsigned> &x, const Group &group, size_t first, size_t count, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    const std::vector<unsigned> before = x;
    for (size_t i = first * group.width; i < std::min((first + count) * group.width, group.items); ++i) {
      const size_t next = first + (i / group.width - first + 1) % count;
      x[i] = 3 * before[i] + before[next * group.width] + round;
    }
  }
}

std::vector<unsigned> itemNumbers(const Group &group) {
  std::vector<unsigned> x(group.items);
  std::iota(x.begin(), x.end(), 0u);
  return x;
}

unsigned someRounds() {
  return isRepeated() ? 300 : 3000;
}

} // namespace

TEST_CASE("two halves of a work-group meet at barriers of their own", "[named_barriers]") {
  checkBody(R"(
       %sum1 = OpIAdd %uint %subs %uint_1
      %first = OpUDiv %uint %sum1 %uint_2
     %second = OpISub %uint %subs %first
          %a = OpNamedBarrierInitialize %barrier %first
          %b = OpNamedBarrierInitialize %barrier %second
    %is_first = OpULessThan %bool %sub %first
               OpBranchConditional %is_first %in_a %in_b
       %in_a = OpLabel
         %xa = OpFunctionCall %uint %meet %a %uint_0 %first %item %rounds
               OpBranch %both
       %in_b = OpLabel
       %more = OpIMul %uint %rounds %uint_2
         %xb = OpFunctionCall %uint %meet %b %first %second %item %more
               OpBranch %both
       %both = OpLabel
          %x = OpPhi %uint %xa %in_a %xb %in_b
               OpControlBarrier %work_group %work_group %order
        %all = OpNamedBarrierInitialize %barrier %subs
          %y = OpFunctionCall %uint %meet %all %uint_0 %subs %x %uint_7
               OpReturnValue %y
)",
            someRounds(), [](const Group &group, unsigned rounds) {
              std::vector<unsigned> x = itemNumbers(group);
              const size_t subs = group.subGroups(), first = (subs + 1) / 2;
              meet(x, group, 0, first, rounds);
              if (subs > first)
                meet(x, group, first, subs - first, 2 * rounds);
              meet(x, group, 0, subs, 7);
              return x;
            });
}

// Sub-group 0 hands numbers to sub-group 1, which hands others to sub-group 2, with two barriers for different pairs.
// The remaining sub-groups return at once.
TEST_CASE("a chain of producers and consumers", "[named_barriers]") {
  checkBody(R"(
         %ab = OpNamedBarrierInitialize %barrier %uint_2
         %bc = OpNamedBarrierInitialize %barrier %uint_2
         %p0 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %lane
     %second = OpIAdd %uint %most %lane
         %p1 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %second
     %enough = OpULessThan %bool %uint_2 %subs
               OpBranchConditional %enough %choose %none
       %none = OpLabel
               OpReturnValue %uint_0
     %choose = OpLabel
               OpSwitch %sub %none 0 %stage0 1 %stage1 2 %stage2
     %stage0 = OpLabel
               OpBranch %head0
      %head0 = OpLabel
         %r0 = OpPhi %uint %uint_0 %stage0 %s0 %turn0
         %m0 = OpULessThan %bool %r0 %rounds
               OpBranchConditional %m0 %turn0 %none
      %turn0 = OpLabel
         %q0 = OpIMul %uint %r0 %r0
         %q1 = OpIAdd %uint %q0 %lane
               OpStore %p0 %q1 Aligned 4
               OpMemoryNamedBarrier %ab %work_group %order
               OpMemoryNamedBarrier %ab %work_group %order
         %s0 = OpIAdd %uint %r0 %uint_1
               OpBranch %head0
     %stage1 = OpLabel
               OpBranch %head1
      %head1 = OpLabel
         %r1 = OpPhi %uint %uint_0 %stage1 %s1 %turn1
         %m1 = OpULessThan %bool %r1 %rounds
               OpBranchConditional %m1 %turn1 %none
      %turn1 = OpLabel
               OpMemoryNamedBarrier %ab %work_group %order
          %v = OpLoad %uint %p0 Aligned 4
               OpMemoryNamedBarrier %ab %work_group %order
         %v5 = OpIMul %uint %v %uint_5
         %vr = OpIAdd %uint %v5 %r1
               OpStore %p1 %vr Aligned 4
               OpMemoryNamedBarrier %bc %work_group %order
               OpMemoryNamedBarrier %bc %work_group %order
         %s1 = OpIAdd %uint %r1 %uint_1
               OpBranch %head1
     %stage2 = OpLabel
               OpBranch %head2
      %head2 = OpLabel
         %r2 = OpPhi %uint %uint_0 %stage2 %s2 %turn2
          %a = OpPhi %uint %uint_0 %stage2 %a2 %turn2
         %m2 = OpULessThan %bool %r2 %rounds
               OpBranchConditional %m2 %turn2 %end2
      %turn2 = OpLabel
               OpMemoryNamedBarrier %bc %work_group %order
          %w = OpLoad %uint %p1 Aligned 4
               OpMemoryNamedBarrier %bc %work_group %order
         %a1 = OpIMul %uint %a %uint_7
         %a2 = OpIAdd %uint %a1 %w
         %s2 = OpIAdd %uint %r2 %uint_1
               OpBranch %head2
       %end2 = OpLabel
               OpReturnValue %a
)",
            someRounds(), [](const Group &group, unsigned rounds) {
              std::vector<unsigned> sums(group.items);
              for (size_t i = 2 * group.width; i < std::min(3 * group.width, group.items); ++i)
                for (unsigned round = 0; round < rounds; ++round)
                  sums[i] = 7 * sums[i] + (round * round + unsigned(i - 2 * group.width)) * 5 + round;
              return sums;
            });
}

// Each turn makes a new barrier, for another number of sub-groups, while the barrier of the previous turn is still in
// use.
TEST_CASE("barriers that are made in a loop", "[named_barriers]") {
  checkBody(R"(
      %first = OpNamedBarrierInitialize %barrier %subs
               OpBranch %head
       %head = OpLabel
          %r = OpPhi %uint %uint_0 %entry %r1 %turn_end
          %x = OpPhi %uint %item %entry %x3 %turn_end
     %before = OpPhi %barrier %first %entry %now %turn_end
      %among = OpPhi %uint %subs %entry %some %turn_end
       %more = OpULessThan %bool %r %rounds
               OpBranchConditional %more %turn %end
       %turn = OpLabel
       %turns = OpUMod %uint %r %subs
       %some = OpIAdd %uint %turns %uint_1
        %now = OpNamedBarrierInitialize %barrier %some
  %meets_now = OpULessThan %bool %sub %some
               OpBranchConditional %meets_now %new %both
        %new = OpLabel
         %x0 = OpFunctionCall %uint %meet %now %uint_0 %some %x %uint_3
               OpBranch %both
       %both = OpLabel
         %x1 = OpPhi %uint %x0 %new %x %turn
               OpControlBarrier %work_group %work_group %order
%meets_again = OpULessThan %bool %sub %among
               OpBranchConditional %meets_again %old %turn_end
        %old = OpLabel
         %x2 = OpFunctionCall %uint %meet %before %uint_0 %among %x1 %uint_2
               OpBranch %turn_end
   %turn_end = OpLabel
         %x3 = OpPhi %uint %x2 %old %x1 %both
         %r1 = OpIAdd %uint %r %uint_1
               OpControlBarrier %work_group %work_group %order
               OpBranch %head
        %end = OpLabel
               OpReturnValue %x
)",
            someRounds() / 10, [](const Group &group, unsigned rounds) {
              std::vector<unsigned> x = itemNumbers(group);
              size_t before = group.subGroups();
              for (unsigned round = 0; round < rounds; ++round) {
                const size_t some = round % group.subGroups() + 1;
                meet(x, group, 0, some, 3);
                meet(x, group, 0, before, 2);
                before = some;
              }
              return x;
            });
}

// Sub-groups meet at one of two barriers, by their number. They load the barrier from a variable.
TEST_CASE("barriers are chosen and kept in variables", "[named_barriers]") {
  checkBody(R"(
   %variable = OpVariable %to_barrier Function
       %odd0 = OpUDiv %uint %subs %uint_2
      %even0 = OpISub %uint %subs %odd0
          %a = OpNamedBarrierInitialize %barrier %even0
          %b = OpNamedBarrierInitialize %barrier %odd0
        %bit = OpBitwiseAnd %uint %sub %uint_1
     %is_odd = OpINotEqual %bool %bit %uint_0
     %chosen = OpSelect %barrier %is_odd %b %a
               OpStore %variable %chosen Aligned 8
               OpBranch %head
       %head = OpLabel
          %r = OpPhi %uint %uint_0 %entry %r1 %told
          %x = OpPhi %uint %item %entry %x2 %told
       %more = OpULessThan %bool %r %rounds
               OpBranchConditional %more %turn %end
       %turn = OpLabel
         %p0 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %bit
       %mine = OpLoad %barrier %variable Aligned 8
     %leader = OpULessThan %bool %sub %uint_2
  %first_one = OpIEqual %bool %lane %uint_0
       %tells = OpLogicalAnd %bool %leader %first_one
               OpMemoryNamedBarrier %mine %work_group %order
               OpBranchConditional %tells %tell %told
       %tell = OpLabel
               OpStore %p0 %x Aligned 4
               OpBranch %told
       %told = OpLabel
               OpMemoryNamedBarrier %mine %work_group %order
          %y = OpLoad %uint %p0 Aligned 4
         %x0 = OpIMul %uint %x %uint_3
         %x1 = OpIAdd %uint %x0 %y
         %x2 = OpIAdd %uint %x1 %r
         %r1 = OpIAdd %uint %r %uint_1
               OpBranch %head
        %end = OpLabel
               OpReturnValue %x
)",
            someRounds(), [](const Group &group, unsigned rounds) {
              std::vector<unsigned> x = itemNumbers(group);
              for (unsigned round = 0; round < rounds; ++round) {
                const unsigned told[] = {x[0], group.items > group.width ? x[group.width] : 0};
                for (size_t i = 0; i < group.items; ++i)
                  x[i] = 3 * x[i] + told[i / group.width % 2] + round;
              }
              return x;
            });
}

TEST_CASE("a barrier is passed to a function of another module", "[named_barriers]") {
  const Session cl;
  const char *const library = R"(
               OpCapability Linkage
               OpCapability NamedBarrier
               OpDecorate %wait LinkageAttributes "wait_for_others" Export
    %barrier = OpTypeNamedBarrier
 %work_group = OpConstant %uint 2
      %order = OpConstant %uint 784
       %type = OpTypeFunction %void %barrier
       %wait = OpFunction %void None %type
          %b = OpFunctionParameter %barrier
      %entry = OpLabel
               OpMemoryNamedBarrier %b %work_group %order
               OpReturn
               OpFunctionEnd
)";
  std::string user = moduleOf(R"(
          %b = OpNamedBarrierInitialize %barrier %subs
         %p0 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %item
        %one = OpIAdd %uint %item %uint_1
       %last = OpIAdd %uint %item %width
         %p1 = OpInBoundsAccessChain %_ptr_Workgroup_uint %data %last
               OpStore %p0 %one Aligned 4
         %no1 = OpFunctionCall %void %wait %b
          %x = OpLoad %uint %p1 Aligned 4
               OpReturnValue %x
)",
                              16);
  const auto insert = [&](const std::string &before, const std::string &text) { user.insert(user.find(before), text); };
  insert("               OpCapability NamedBarrier", "               OpCapability Linkage\n");
  insert("    %barrier =", "OpDecorate %wait LinkageAttributes \"wait_for_others\" Import\n");
  insert("          %k = OpFunction", "%w_type = OpTypeFunction %void %barrier\n%wait = OpFunction %void None %w_type\n"
                                      "%w_b = OpFunctionParameter %barrier\nOpFunctionEnd\n");
  const Program parts[] = {createWithIl(cl, assemble(user)), createWithIl(cl, assemble(library))};
  std::vector<cl_program> compiled;
  for (const Program &part : parts) {
    check(clCompileProgram(part, 1, &cl.device, "", 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
    compiled.push_back(part);
  }
  cl_int code = 1;
  const Program linked(clLinkProgram(cl.context, 1, &cl.device, "", 2, compiled.data(), nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  const Memory out = cl.buffer(std::vector<unsigned>(96));
  cl.run(cl.kernel(linked, "k"), {96}, {48}, out, 0u);
  const std::vector<unsigned> got = cl.read<unsigned>(out);
  for (size_t i = 0; i < 96; ++i)
    if (i % 48 < 32)
      CHECK(got[i] == i % 48 + 17);
}

TEST_CASE("the device reports how many named barriers it has", "[named_barriers]") {
  cl_uint count = 0;
  check(clGetDeviceInfo(laneclDevice(), CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR, sizeof count, &count, nullptr),
        "clGetDeviceInfo");
  CHECK(count == 32);
}

TEST_CASE("named barriers of other types or scopes are refused", "[named_barriers]") {
  const Session cl;
  const auto log = [&](const std::string &body) {
    const Program program = createWithIl(cl, assemble(moduleOf(body + "OpReturnValue %item\n", 8)));
    const cl_int code = clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr);
    return code == CL_SUCCESS ? "" : buildLog(program, cl.device);
  };
  CHECK(log("%b = OpNamedBarrierInitialize %barrier %subs\n"
            "OpMemoryNamedBarrier %b %work_group %order\n") == "");
  CHECK_THAT(log("OpMemoryNamedBarrier %item %work_group %order\n"), Catch::Contains("OpMemoryNamedBarrier"));
  CHECK_THAT(log("%b = OpNamedBarrierInitialize %uint %subs\n"), Catch::Contains("OpNamedBarrierInitialize"));
  CHECK_THAT(log("%b = OpNamedBarrierInitialize %barrier %subs\n"
                 "OpMemoryNamedBarrier %b %work_group %item\n"),
             Catch::Contains("OpMemoryNamedBarrier") &&
                 Catch::Contains("has a scope or memory semantics that are not constant"));
}
