// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// GroupNonUniformShuffle, GroupNonUniformShuffleRelative and GroupNonUniformRotateKHR, which a device of OpenCL 3.1
// supports in SPIR-V, for each type that they are required for.
#include "support/selection.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

// An instruction in full sub-groups. The second operand is computed from the lane.
struct Instruction {
  const char *name, *operand;
  size_t (*source)(size_t lane, size_t width); // `width` if there is none
};

const Instruction kInstructions[] = {
    {"OpGroupNonUniformShuffle", "OpBitwiseXor %uint %lane %uint_5", [](size_t lane, size_t) { return lane ^ 5; }},
    {"OpGroupNonUniformShuffleXor", "OpCopyObject %uint %uint_5", [](size_t lane, size_t) { return lane ^ 5; }},
    {"OpGroupNonUniformShuffleUp", "OpBitwiseAnd %uint %lane %uint_5",
     [](size_t lane, size_t) { return lane - (lane & 5); }},
    {"OpGroupNonUniformShuffleDown", "OpCopyObject %uint %uint_5",
     [](size_t lane, size_t width) { return std::min(lane + 5, width); }},
    {"OpGroupNonUniformRotateKHR", "OpCopyObject %uint %uint_5",
     [](size_t lane, size_t width) { return (lane + 5) % width; }},
};

struct Type {
  const char *name;
  size_t bytes;
  bool is_float;
};

const Type kTypes[] = {{"uchar", 1, false}, {"ushort", 2, false}, {"uint", 4, false}, {"ulong", 8, false},
                       {"half", 2, true},   {"float", 4, true},   {"double", 8, true}};

// Returns a module whose kernel k(global uchar *in, global uchar *out) applies the instruction to a value of each
// work-item.
std::string moduleOf(const Instruction &instruction, const Type &type, size_t width) {
  const bool rotates = std::string(instruction.name).ends_with("KHR");
  return replaced(
      R"(
               OpCapability SubgroupDispatch
               OpCapability GroupNonUniformShuffle
               OpCapability GroupNonUniformShuffleRelative
               ROTATES
               OpEntryPoint Kernel %k "k" %GlobalLinearId %SubgroupLocalInvocationId
               OpExecutionMode %k SubgroupSize WIDTH
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_TYPE %_ptr_CrossWorkgroup_TYPE
  %sub_group = OpConstant %uint 3
          %k = OpFunction %void None %function
         %in = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
       %lane = OpLoad %uint %SubgroupLocalInvocationId Aligned 4
     %source = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %in %id
     %target = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %out %id
      %value = OpLoad %TYPE %source Aligned 1
    %operand = OPERAND
     %result = INSTRUCTION %TYPE %sub_group %value %operand
               OpStore %target %result Aligned 1
               OpReturn
               OpFunctionEnd
)",
      {{"ROTATES", rotates ? "OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"" : ""},
       {"WIDTH", std::to_string(width)},
       {"TYPE", type.name},
       {"OPERAND", instruction.operand},
       {"INSTRUCTION", instruction.name}});
}

// Returns the bytes of numbers. Floating-point numbers are neither infinities nor NaNs.
std::vector<uint8_t> bytesOf(const Type &type, size_t items) {
  std::vector<uint8_t> bytes(items * type.bytes);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t((i + 3) * 2654435761u >> 11) & (type.is_float ? 0x3f : 0xff);
  return bytes;
}

} // namespace

TEST_CASE("shuffles and rotations of every type", "[spirv_shuffles]") {
  const Session cl;
  for (const Instruction &instruction : kInstructions)
    for (const Type &type : kTypes)
      for (const size_t width : widthsInTurn()) {
        const size_t items = 6 * width;
        const std::vector<uint8_t> values = bytesOf(type, items);
        const Program program = buildIl(cl, createWithIl(cl, assemble(moduleOf(instruction, type, width))));
        Memory in = cl.buffer(values), out = cl.bytes(values.size());
        cl.run(cl.kernel(program, "k"), {items}, {2 * width}, in, out);
        std::vector<uint8_t> got = cl.read<uint8_t>(out), want(values.size());
        for (size_t i = 0; i < items; ++i) {
          const size_t lane = i % width, source = instruction.source(lane, width);
          for (size_t byte = i * type.bytes; byte < (i + 1) * type.bytes; ++byte)
            if (source == width) // undefined
              got[byte] = 0;
            else
              want[byte] = values[byte + (source - lane) * type.bytes];
        }
        INFO(instruction.name << " of " << type.name << ", sub-groups of " << width);
        CHECK(got == want);
      }
}
