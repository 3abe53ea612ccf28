// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix instructions and two-dimensional blocks of SPIR-V, compared with the functions of OpenCL C that they
// correspond to.
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <random>

using namespace lanecl::test;

namespace {

// Assemblers may be too old for these instructions, so OpCompositeConstruct stands in for them.
constexpr uint32_t kStandIn = 80, kMatrix = 6237, kLoad = 6231, kTransform = 6232, kTranspose = 6233, kPrefetch = 6234,
                   kStore = 6235, kToTf32 = 6426;

struct Real {
  uint32_t op;
  bool has_result;
  std::optional<uint32_t> literal; // replaces the last operand
};

// Replaces the stand-ins by the instructions, in the order of the stand-ins.
SpirvModule withInstructions(SpirvModule module, const std::vector<Real> &instructions,
                             const std::vector<uint32_t> &capabilities) {
  size_t number = 0;
  for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
    if ((module[at] & 0xffff) != kStandIn)
      continue;
    const Real &real = instructions.at(number++);
    if (real.literal)
      module[at + (module[at] >> 16) - 1] = *real.literal;
    if (!real.has_result) {
      module.erase(module.begin() + ptrdiff_t(at) + 1, module.begin() + ptrdiff_t(at) + 3);
      module[at] -= 2 << 16;
    }
    module[at] = (module[at] & 0xffff0000) | real.op;
  }
  for (uint32_t capability : capabilities)
    module.insert(module.begin() + 5, {2 << 16 | 17, capability});
  return module;
}

std::vector<uint8_t> randomBytes(size_t count) {
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  return bytes;
}

const char *const kBegin = R"(
               OpCapability Vector16
               OpCapability SubgroupDispatch
               OpExtension "SPV_INTEL_subgroup_matrix_multiply_accumulate"
               OpExtension "SPV_INTEL_2d_block_io"
               OpExtension "SPV_INTEL_tensor_float32_conversion"
               OpEntryPoint Kernel %k "k" %GlobalLinearId
               OpExecutionMode %k SubgroupSize WIDTH
)";

// Matrices.

struct Multiplication {
  std::string function; // name without "intel_sub_group_"
  unsigned width, k;
  std::string a;
  unsigned a_count;
  std::string b, sum;
  unsigned count;
  uint32_t operands;
  bool is_float; // if so, random bits may be NaN
};

constexpr uint32_t kSigned = 0x3, kSum16 = 0xc, kInt8 = 0x30, kInt4 = 0xc0, kTf32 = 0x300, kF16 = 0xc00, kBf16 = 0x3000;

const Multiplication kMultiplications[] = {
    {"i8_i8_matrix_mad_k32", 8, 32, "int", 8, "int", "int", 8, kInt8 | kSigned, false},
    {"u8_i8_matrix_mad_k32", 16, 32, "short", 4, "int", "int", 4, kInt8 | 2, false},
    {"i8_u8_matrix_mad_k32", 16, 32, "short", 1, "int", "int", 1, kInt8 | 1, false},
    {"u8_u8_matrix_mad_k32", 8, 32, "int", 2, "int", "int", 2, kInt8, false},
    {"i4_u4_matrix_mad_k64", 8, 64, "int", 2, "int", "int", 2, kInt4 | 1, false},
    {"u4_u4_matrix_mad_k64", 16, 64, "short", 8, "int", "int", 8, kInt4, false},
    {"bf16_bf16_matrix_mad_k16", 16, 16, "short", 8, "int", "float", 8, kBf16, true},
    {"bf16_bf16_matrix_mad_k16", 8, 16, "int", 1, "int", "float", 1, kBf16, true},
    {"bf16_bf16_matrix_mad_k16", 16, 16, "short", 4, "int", "short", 4, kBf16 | kSum16, true},
    {"f16_f16_matrix_mad_k16", 8, 16, "int", 4, "int", "float", 4, kF16, true},
    {"f16_f16_matrix_mad_k16", 16, 16, "short", 8, "int", "half", 8, kF16, true},
    {"tf32_tf32_matrix_mad_k8", 16, 8, "float", 4, "float", "float", 8, kTf32, true},
};

std::string vectorOf(const std::string &element, unsigned count) {
  return count == 1 ? element : element + std::to_string(count);
}

// Returns the name that a type of C has in the modules.
std::string typeName(const std::string &element, unsigned count = 1) {
  const std::string name = (element == "half" || element == "float" ? "" : "u") + element;
  return count == 1 ? name : "v" + std::to_string(count) + name;
}

std::string spirvOf(const Multiplication &m) {
  return replaced(std::string(kBegin) + R"(
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_A_TYPE %_ptr_CrossWorkgroup_B_TYPE %_ptr_CrossWorkgroup_SUM_TYPE %_ptr_CrossWorkgroup_SUM_TYPE
  %dimension = OpConstant %uint DIMENSION
          %k = OpFunction %void None %function
          %p = OpFunctionParameter %_ptr_CrossWorkgroup_A_TYPE
          %q = OpFunctionParameter %_ptr_CrossWorkgroup_B_TYPE
          %r = OpFunctionParameter %_ptr_CrossWorkgroup_SUM_TYPE
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_SUM_TYPE
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
    %a_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_A_TYPE %p %id
    %b_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_B_TYPE %q %id
    %c_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_SUM_TYPE %r %id
  %out_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_SUM_TYPE %out %id
          %a = OpLoad %A_TYPE %a_place Aligned 2
          %b = OpLoad %B_TYPE %b_place Aligned 4
          %c = OpLoad %SUM_TYPE %c_place Aligned 2
     %result = OpCompositeConstruct %SUM_TYPE %dimension %a %b %c %dimension
               OpStore %out_place %result Aligned 2
               OpReturn
               OpFunctionEnd
)",
                  {{"WIDTH", std::to_string(m.width)},
                   {"DIMENSION", std::to_string(m.k)},
                   {"A_TYPE", typeName(m.a, m.a_count)},
                   {"B_TYPE", typeName(m.b, 8)},
                   {"SUM_TYPE", typeName(m.sum, m.count)}});
}

std::string openclOf(const Multiplication &m) {
  const bool a_unsigned = m.function[0] == 'u', b_unsigned = m.function[3] == 'u';
  const std::string a = (a_unsigned ? "u" : "") + vectorOf(m.a, m.a_count), b = (b_unsigned ? "u" : "") + m.b + "8",
                    sum = vectorOf(m.sum, m.count);
  return "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
         "__attribute__((intel_reqd_sub_group_size(" +
         std::to_string(m.width) + "))) kernel void k(global const " + a + " *p, global const " + b +
         " *q, global const " + sum + " *r, global " + sum +
         " *out) {\n  size_t i = get_global_id(0);\n  out[i] = intel_sub_group_" + m.function +
         "(p[i], q[i], r[i]);\n}\n";
}

// Returns the bits of numbers that are neither huge nor NaN: their exponents are near that of 1.
std::vector<uint8_t> matrixBytes(const std::string &element, bool is_half, size_t count) {
  std::vector<uint8_t> bytes = randomBytes(count);
  const bool wide = element == "float";
  for (size_t i = 1; i < count; i += 2) // the byte that contains sign and exponent
    if (!wide || i % 4 == 3)
      bytes[i] = uint8_t((bytes[i] & 0x80) | (is_half ? 0x38 : 0x3f));
  return bytes;
}

std::vector<uint8_t> multiplied(const Session &cl, const Program &program, const Multiplication &m) {
  constexpr size_t kItems = 32, kBytes = 32 * kItems;
  const auto bytes = [&](const std::string &element) {
    const bool is_half = element == "half" || (element != "float" && (m.operands & kF16) != 0);
    return m.is_float ? matrixBytes(element, is_half, kBytes) : randomBytes(kBytes);
  };
  Memory a = cl.buffer(bytes(m.a)), b = cl.buffer(bytes(m.b)), c = cl.buffer(bytes(m.sum)), out = cl.bytes(kBytes);
  cl.run(cl.kernel(program, "k"), {kItems}, {kItems}, a, b, c, out);
  return cl.read<uint8_t>(out);
}

// Blocks.

struct Block {
  std::string shape; // as in the function's name
  uint32_t op;
  unsigned element_bytes, width, height, count;
  std::string lane_type; // in C
};

const Block kBlocks[] = {
    {"read_8b_8r32x2c", kLoad, 1, 32, 8, 2, "short"},
    {"read_16b_16r16x1c", kLoad, 2, 16, 16, 1, "short"},
    {"read_32b_4r8x2c", kLoad, 4, 8, 4, 2, "int"},
    {"read_8b_16r16x4c", kLoad, 1, 16, 16, 4, "char"},
    {"read_transform_8b_32r16x2c", kTransform, 1, 16, 32, 2, "int"},
    {"read_transform_16b_16r16x1c", kTransform, 2, 16, 16, 1, "int"},
    {"read_transpose_32b_16r8x1c", kTranspose, 4, 8, 16, 1, "int"},
    {"write_8b_4r16x1c", kStore, 1, 16, 4, 1, "char"},
    {"write_8b_8r32x1c", kStore, 1, 32, 8, 1, "short"},
    {"write_16b_2r16x1c", kStore, 2, 16, 2, 1, "short"},
    {"write_32b_8r16x1c", kStore, 4, 16, 8, 1, "int"},
};

unsigned bytesOf(const std::string &type) {
  return type == "char" ? 1 : type == "short" ? 2 : 4;
}

size_t elementsPerLane(const Block &block) {
  return size_t(block.element_bytes) * block.width * block.height * block.count / 16 / bytesOf(block.lane_type);
}

// Each lane's elements are at data[n * lane]. The second access uses a pointer of another type.
std::string spirvOf(const Block &block) {
  const size_t n = elementsPerLane(block);
  const bool writes = block.op == kStore;
  std::string text = std::string(kBegin) + R"(
     %count = OpConstant %uint COUNT
   %elements = OpConstant %ulong COUNT
      %array = OpTypeArray %LANE_TYPE %elements
%array_private = OpTypePointer Function %array
%array_global = OpTypePointer CrossWorkgroup %array
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uchar %uint %uint %uint %v2uint %array_global
       %size = OpConstant %uint SIZE
      %width = OpConstant %uint COLUMNS
     %height = OpConstant %uint ROWS
     %blocks = OpConstant %uint BLOCKS
          %k = OpFunction %void None %function
       %base = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
          %w = OpFunctionParameter %uint
          %h = OpFunctionParameter %uint
      %pitch = OpFunctionParameter %uint
      %place = OpFunctionParameter %v2uint
       %data = OpFunctionParameter %array_global
      %entry = OpLabel
      %first = OpVariable %array_private Function
     %second = OpVariable %array_private Function
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
     %double = OpIMul %ulong %id %ulong_2
      %after = OpIAdd %ulong %double %ulong_1
 %mine_first = OpInBoundsPtrAccessChain %array_global %data %double
%mine_second = OpInBoundsPtrAccessChain %array_global %data %after
      %bytes = BYTES
   %prefetch = OpCompositeConstruct %uint %size %width %height %blocks %base %w %h %pitch %place
)";
  if (writes)
    text += "%a = OpLoad %array %mine_first Aligned 1\nOpStore %first %a Aligned 1\n"
            "%stored = OpCompositeConstruct %uint %size %width %height %blocks %first %base %w %h %pitch %place\n";
  else
    text += "%x = OpCompositeConstruct %uint %size %width %height %blocks %base %w %h %pitch %place %first\n"
            "%y = OpCompositeConstruct %uint %size %width %height %blocks %base %w %h %pitch %place %bytes\n"
            "%a = OpLoad %array %first Aligned 1\nOpStore %mine_first %a Aligned 1\n"
            "%b = OpLoad %array %second Aligned 1\nOpStore %mine_second %b Aligned 1\n";
  text += "OpReturn\nOpFunctionEnd\n";
  return replaced(text, {{"WIDTH", "16"},
                         {"BYTES", "OpBitcast %_ptr_Function_uchar %second"},
                         {"COUNT", std::to_string(n)},
                         {"SIZE", std::to_string(block.element_bytes)},
                         {"COLUMNS", std::to_string(block.width)},
                         {"ROWS", std::to_string(block.height)},
                         {"BLOCKS", std::to_string(block.count)},
                         {"LANE_TYPE", typeName(block.lane_type)}});
}

std::string openclOf(const Block &block) {
  const std::string n = std::to_string(elementsPerLane(block)), type = "u" + block.lane_type;
  const std::string call = "  intel_sub_group_2d_block_" + block.shape + "(base, w, h, pitch, place, values);\n";
  const std::string mine = "data + 2 * " + n + " * get_global_id(0)";
  const std::string copy = "  for (int i = 0; i < " + n + "; ++i)\n";
  return "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global uchar *base, int w, int h, int pitch, "
         "int2 place, global " +
         type + " *data) {\n  " + type + " values[" + n + "];\n" +
         (block.op == kStore ? copy + "    values[i] = (" + mine + ")[i];\n" + call
                             : call + copy + "    (" + mine + ")[i] = (" + mine + ")[i + " + n + "] = values[i];\n") +
         "}\n";
}

std::vector<uint8_t> accessed(const Session &cl, const Program &program, const Block &block, cl_int2 place) {
  constexpr cl_int kPitch = 256, kWidth = 240, kHeight = 40;
  const size_t bytes = 16 * 2 * elementsPerLane(block) * bytesOf(block.lane_type);
  Memory base = cl.buffer(randomBytes(kPitch * kHeight)), data = cl.buffer(randomBytes(bytes));
  cl.run(cl.kernel(program, "k"), {16}, {16}, base, kWidth, kHeight, kPitch, place, data);
  return cl.read<uint8_t>(block.op == kStore ? base : data);
}

} // namespace

TEST_CASE("matrix instructions", "[spirv_matrices]") {
  const Session cl;
  for (const Multiplication &m : kMultiplications) {
    INFO(m.function << " of " << m.a << m.a_count << " in sub-groups of " << m.width);
    const SpirvModule module =
        withInstructions(assemble(spirvOf(m)), {{kMatrix, true, m.operands}}, {6236 /* MatrixMultiplyAccumulate */});
    CHECK(multiplied(cl, buildIl(cl, createWithIl(cl, module)), m) ==
          multiplied(cl, cl.build(openclOf(m), "-cl-std=CL3.0"), m));
  }
}

TEST_CASE("matrix instructions that correspond to no function are refused by name", "[spirv_matrices]") {
  const Session cl;
  Multiplication m = kMultiplications[0];
  const auto log = [&] {
    try {
      buildIl(cl, createWithIl(cl, withInstructions(assemble(spirvOf(m)), {{kMatrix, true, m.operands}}, {6236})));
    } catch (const BuildError &error) {
      return error.log;
    }
    return std::string();
  };
  m.operands = kInt8 | kF16;
  CHECK_THAT(log(), Catch::Contains("OpSubgroupMatrixMultiplyAccumulateINTEL (6237)"));
  m.operands = kInt8 | 0x4; // a sum of bfloat16 and a result of integers
  CHECK_THAT(log(), Catch::Contains("OpSubgroupMatrixMultiplyAccumulateINTEL (6237)"));
  m.operands = kInt8 | kSigned;
  m.k = 31;
  CHECK_THAT(log(), Catch::Contains("intel_sub_group_i8_i8_matrix_mad_k31"));
}

TEST_CASE("numbers are rounded to tf32", "[spirv_matrices]") {
  const Session cl;
  const std::string text = replaced(std::string(kBegin) + R"(
     %float4 = OpTypeVector %float 4
     %global = OpTypePointer CrossWorkgroup %float4
   %function = OpTypeFunction %void %global
          %k = OpFunction %void None %function
          %p = OpFunctionParameter %global
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
      %place = OpInBoundsPtrAccessChain %global %p %id
          %x = OpLoad %float4 %place Aligned 16
    %rounded = OpCompositeConstruct %float4 %x
               OpStore %place %rounded Aligned 16
               OpReturn
               OpFunctionEnd
)",
                                    {{"WIDTH", "16"}});
  const SpirvModule module = withInstructions(assemble(text), {{kToTf32, true, {}}}, {6425});
  const std::vector<float> input{1 + 0x1p-11f, 1 + 0x1.8p-10f, -0x1.ffffffp3f, 0.0f};
  Memory numbers = cl.buffer(input);
  cl.run(cl.kernel(buildIl(cl, createWithIl(cl, module)), "k"), {1}, {1}, numbers);
  CHECK(cl.read<float>(numbers) == std::vector<float>{1, 1 + 0x1p-9f, -16, 0});
}

TEST_CASE("two-dimensional blocks", "[spirv_matrices]") {
  const Session cl;
  for (const Block &block : kBlocks) {
    std::vector<Real> instructions{{kPrefetch, false, {}}, {block.op, false, {}}};
    if (block.op != kStore)
      instructions.push_back(instructions.back());
    const Program program = buildIl(cl, createWithIl(cl, withInstructions(assemble(spirvOf(block)), instructions,
                                                                          {6228, 6229, 6230}))),
                  reference = cl.build(openclOf(block), "-cl-std=CL3.0");
    for (const cl_int2 place : {cl_int2{{4, 3}}, cl_int2{{-2, -1}}, cl_int2{{40, 36}}}) {
      INFO(block.shape << " at " << place.s[0] << ", " << place.s[1]);
      CHECK(accessed(cl, program, block, place) == accessed(cl, reference, block, place));
    }
  }
}
