// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions with two results, and what permits inexact arithmetic.
#include "spirv/module.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <tuple>
#include <type_traits>

using namespace lanecl::test;

namespace {

const char *const kPairs = R"(
               OpEntryPoint Kernel %k "k" %GlobalLinearId
       %pair = OpTypeStruct %TYPE %TYPE
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_TYPE %_ptr_CrossWorkgroup_TYPE
          %k = OpFunction %void None %function
         %in = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
      %first = OpIMul %ulong %id %ulong_2
     %second = OpIAdd %ulong %first %ulong_1
    %a_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %in %first
    %b_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %in %second
          %a = OpLoad %TYPE %a_place Aligned 1
          %b = OpLoad %TYPE %b_place Aligned 1
     %result = INSTRUCTION %pair %a %b
        %low = OpCompositeExtract %TYPE %result 0
       %high = OpCompositeExtract %TYPE %result 1
  %low_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %out %first
 %high_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %out %second
               OpStore %low_place %low Aligned 1
               OpStore %high_place %high Aligned 1
               OpReturn
               OpFunctionEnd
)";

using Wide = unsigned __int128;

// Returns the low and the high half of the result that an instruction computes with twice the bits. A borrow is 1.
template <class T> std::pair<T, T> exact(const std::string &instruction, T a, T b) {
  constexpr unsigned kBits = 8 * sizeof(T);
  if (instruction == "OpISubBorrow")
    return {T(a - b), T(a < b)};
  const auto extended = [](T value) { return Wide(__int128(std::make_signed_t<T>(value))); };
  const Wide result = instruction == "OpIAddCarry"      ? Wide(a) + b
                      : instruction == "OpUMulExtended" ? Wide(a) * b
                                                        : extended(a) * extended(b);
  return {T(result), T(result >> kBits)};
}

// Returns pairs of all kinds of numbers, enough for vectors of four.
template <class T> std::vector<T> operandsOf() {
  const std::vector<T> interesting{0, 1, 2, 7, T(-1), T(-2), T(T(1) << (8 * sizeof(T) - 1)), T(0x5A5A5A5A5A5A5A5A)};
  std::vector<T> operands;
  for (size_t quad = 0; quad < interesting.size() * interesting.size(); quad += 4)
    for (const bool second : {false, true})
      for (size_t i = quad; i < quad + 4; ++i)
        operands.push_back(interesting[second ? i % interesting.size() : i / interesting.size()]);
  return operands;
}

template <class T> void checkPairs(const Session &cl, const std::string &element) {
  const std::vector<T> operands = operandsOf<T>();
  for (const char *instruction : {"OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended"})
    for (const size_t components : {1, 4}) {
      const std::string text =
          replaced(kPairs, {{"TYPE", components == 1 ? element : "v4" + element}, {"INSTRUCTION", instruction}});
      Memory in = cl.buffer(operands), out = cl.bytes(operands.size() * sizeof(T));
      cl.run(cl.kernel(buildIl(cl, createWithIl(cl, assemble(text))), "k"), {operands.size() / components / 2}, {}, in,
             out);
      std::vector<T> want(operands.size());
      for (size_t i = 0; i < operands.size(); i += 2 * components)
        for (size_t c = i; c < i + components; ++c)
          std::tie(want[c], want[c + components]) = exact<T>(instruction, operands[c], operands[c + components]);
      INFO(instruction << " of " << components << " " << element);
      CHECK((cl.read<T>(out) == want));
    }
}

} // namespace

TEST_CASE("carries, borrows and products with twice the bits", "[spirv_arithmetic]") {
  const Session cl;
  checkPairs<uint8_t>(cl, "uchar");
  checkPairs<uint16_t>(cl, "ushort");
  checkPairs<uint32_t>(cl, "uint");
  checkPairs<uint64_t>(cl, "ulong");
}

// x * x - c is the rounding error of c if the operations are contracted, and zero if they are not.
TEST_CASE("products and sums are contracted unless the module forbids it", "[spirv_arithmetic]") {
  const Session cl;
  SpirvModule module = assemble(R"(
               OpEntryPoint Kernel %k "k" %GlobalLinearId
               OpName %k "k"
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_float %_ptr_CrossWorkgroup_float
       %none = OpConstant %uint 0
          %k = OpFunction %void None %function
     %source = OpFunctionParameter %_ptr_CrossWorkgroup_float
     %target = OpFunctionParameter %_ptr_CrossWorkgroup_float
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
    %x_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %source %id
      %place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %target %id
          %x = OpLoad %float %x_place Aligned 4
          %c = OpLoad %float %place Aligned 4
    %product = OpFMul %float %x %x
        %sum = OpFAdd %float %product %c
               OpStore %place %sum Aligned 4
               OpReturn
               OpFunctionEnd
)");
  const float x = 1 + 0x1p-12f, square = x * x; // the rounded square
  const auto rest = [&] {
    Memory numbers = cl.buffer(std::vector<float>(16, x)), sums = cl.buffer(std::vector<float>(16, -square));
    cl.run(cl.kernel(buildIl(cl, createWithIl(cl, module)), "k"), {16}, {16}, numbers, sums);
    return cl.read<float>(sums)[3] * 0x1p24f;
  };
  CHECK(rest() == (__builtin_cpu_supports("fma") ? 1 : 0));
  // Assemblers may be too old for this: SPV_KHR_float_controls2 with the mode FPFastMathDefault, which permits nothing.
  const auto place = [&](uint32_t instruction, size_t operand) -> size_t {
    size_t at = 5;
    while ((module[at] & 0xffff) != instruction)
      at += module[at] >> 16;
    return at + operand;
  };
  const uint32_t kernel = module[place(15 /* OpEntryPoint */, 2)], type = module[place(22 /* OpTypeFloat */, 1)],
                 none = module[place(43 /* OpConstant */, 2)];
  const std::vector<uint32_t> mode{5 << 16 | 331 /* OpExecutionModeId */, kernel, 6028, type, none};
  for (int times : {1, 2}) { // there is one for each type
    INFO(times);
    module.insert(module.begin() + ptrdiff_t(place(5 /* OpName */, 0)), mode.begin(), mode.end());
    CHECK(rest() == 0);
  }
  const uint32_t capability[] = {2 << 16 | 17, 6029};
  module.insert(module.begin() + 5, std::begin(capability), std::end(capability));
  CHECK(rest() == 0);
}

// Compares 1, 2 and NaN with each other, and the NaN with itself. SPIR-V 1.6 no longer has OpLessOrGreater.
TEST_CASE("comparisons with NaN", "[spirv_arithmetic]") {
  const Session cl;
  const char *const text = R"(
               OpEntryPoint Kernel %k "k" %GlobalLinearId
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_float %_ptr_CrossWorkgroup_float %_ptr_CrossWorkgroup_uint
          %k = OpFunction %void None %function
          %a = OpFunctionParameter %_ptr_CrossWorkgroup_float
          %b = OpFunctionParameter %_ptr_CrossWorkgroup_float
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
    %a_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %a %id
    %b_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %b %id
  %out_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %id
         %av = OpLoad %float %a_place Aligned 4
         %bv = OpLoad %float %b_place Aligned 4
       %says = INSTRUCTION %bool %av %bv
     %number = OpSelect %uint %says %uint_1 %uint_0
               OpStore %out_place %number Aligned 4
               OpReturn
               OpFunctionEnd
)";
  const std::vector<float> a{1, 2, 1, 1, NAN, NAN}, b{2, 1, 1, NAN, 1, NAN};
  const std::pair<const char *, std::vector<cl_uint>> instructions[] = {
      {"OpLessOrGreater", {1, 1, 0, 0, 0, 0}},  {"OpFOrdNotEqual", {1, 1, 0, 0, 0, 0}},
      {"OpFUnordNotEqual", {1, 1, 0, 1, 1, 1}}, {"OpFUnordEqual", {0, 0, 1, 1, 1, 1}},
      {"OpOrdered", {1, 1, 1, 0, 0, 0}},        {"OpUnordered", {0, 0, 0, 1, 1, 1}}};
  const Memory first = cl.buffer(a), second = cl.buffer(b);
  for (const auto &[instruction, want] : instructions) {
    INFO(instruction);
    const Memory out = cl.buffer(std::vector<cl_uint>(a.size(), 7));
    const SpirvModule module = assemble(replaced(text, {{"INSTRUCTION", instruction}}), 2);
    cl.run(cl.kernel(buildIl(cl, createWithIl(cl, module)), "k"), {a.size()}, {}, first, second, out);
    CHECK(cl.read<cl_uint>(out) == want);
  }
}

TEST_CASE("sigmoid of SPIR-V equals that of OpenCL C", "[spirv_arithmetic]") {
  const Session cl;
  const char *const text = R"(
               OpCapability !6167
               OpExtension "SPV_INTEL_sigmoid"
               OpEntryPoint Kernel %k "k" %GlobalLinearId
     %scalar = OpTypeFloat BITS
    %vector4 = OpTypeVector %scalar 4
     %global = OpTypePointer CrossWorkgroup %TYPE
   %function = OpTypeFunction %void %global %global
          %k = OpFunction %void None %function
         %in = OpFunctionParameter %global
        %out = OpFunctionParameter %global
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
   %in_place = OpInBoundsPtrAccessChain %global %in %id
  %out_place = OpInBoundsPtrAccessChain %global %out %id
      %value = OpLoad %TYPE %in_place Aligned 2
               !0x00041818 %TYPE %result %value
               OpStore %out_place %result Aligned 2
               OpReturn
               OpFunctionEnd
)";
  const auto build = [&](const char *bits, const char *type) {
    return buildIl(cl, createWithIl(cl, assemble(replaced(text, {{"BITS", bits}, {"TYPE", type}}))));
  };
  const auto results = [&](const Program &program, size_t items, const std::vector<uint16_t> &in) {
    Memory out = cl.bytes(in.size() * sizeof(uint16_t));
    cl.run(cl.kernel(program, "k"), {items}, {}, cl.buffer(in), out);
    return cl.read<uint16_t>(out);
  };
  std::vector<uint16_t> in; // halves, or the halves of floats
  for (int i = 0; i < 1024; ++i)
    in.push_back(uint16_t(i * 641));
  const std::string kernel =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global const T *in, global T "
      "*out) { size_t i = get_global_id(0); out[i] = intel_sigmoid(in[i]); }";
  const std::tuple<const char *, const char *, const char *, size_t> types[] = {{"16", "scalar", "half", 1},
                                                                                {"16", "vector4", "half4", 4},
                                                                                {"32", "scalar", "float", 2},
                                                                                {"32", "vector4", "float4", 8}};
  for (const auto &[bits, type, name, words] : types) {
    INFO(name);
    const size_t items = in.size() / words;
    CHECK(results(build(bits, type), items, in) == results(cl.build(kernel, std::string("-DT=") + name), items, in));
  }
  CHECK_THROWS_WITH(build("64", "scalar"), Catch::Matchers::Contains("OpFSigmoidINTEL (6168)"));
}
