// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPV_KHR_uniform_group_instructions: reductions and scans of sub-groups and work-groups that OpenCL C lacks.
#include "shapes.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

// Returns a module whose kernel k(in, out) writes the reduction, the inclusive scan and the exclusive scan of `in`,
// first for work-groups and then for sub-groups, one after the other. `type` is the type in memory, from which logical
// instructions make truth values.
std::string moduleOf(const std::string &instruction, const std::string &type, bool is_logical, size_t width) {
  const std::string value = is_logical ? "%bool" : "%TYPE";
  std::string text = R"(
               OpCapability Groups
               OpCapability SubgroupDispatch
               OpCapability GroupUniformArithmeticKHR
               OpExtension "SPV_KHR_uniform_group_instructions"
               OpEntryPoint Kernel %k "k" %GlobalLinearId %GlobalSize
               OpExecutionMode %k SubgroupSize WIDTH
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_TYPE %_ptr_CrossWorkgroup_TYPE
 %work_group = OpConstant %uint 2
  %sub_group = OpConstant %uint 3
          %k = OpFunction %void None %function
         %in = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_TYPE
      %entry = OpLabel
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
      %sizes = OpLoad %v3ulong %GlobalSize Aligned 32
     %size_x = OpCompositeExtract %ulong %sizes 0
     %size_y = OpCompositeExtract %ulong %sizes 1
     %size_z = OpCompositeExtract %ulong %sizes 2
    %size_xy = OpIMul %ulong %size_x %size_y
      %items = OpIMul %ulong %size_xy %size_z
     %source = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %in %id
     %loaded = OpLoad %TYPE %source Aligned 1
)";
  text += is_logical ? "%x = OpINotEqual %bool %loaded %TYPE_0\n" : "%x = OpCopyObject %TYPE %loaded\n";
  std::string place = "%id";
  int number = 0;
  for (const char *scope : {"%work_group", "%sub_group"})
    for (const char *operation : {"Reduce", "InclusiveScan", "ExclusiveScan"}) {
      const std::string n = std::to_string(number++);
      text += "%r" + n + " = " + instruction + " " + value + " " + scope + " " + operation + " %x\n";
      const std::string stored = is_logical ? "%s" + n : "%r" + n;
      if (is_logical)
        text += stored + " = OpSelect %TYPE %r" + n + " %TYPE_1 %TYPE_0\n";
      text += "%p" + n + " = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_TYPE %out " + place + "\n";
      text += "OpStore %p" + n + " " + stored + " Aligned 1\n";
      text += "%place" + n + " = OpIAdd %ulong " + place + " %items\n";
      place = "%place" + n;
    }
  text += "OpReturn\nOpFunctionEnd\n";
  return replaced(text, {{"WIDTH", std::to_string(width)}, {"TYPE", type}});
}

// Halves are 16-bit numbers here. All values and products are small whole numbers or halves of these.
using Half = _Float16;

template <class T> using Combine = T (*)(T, T);

template <class T> struct Instruction {
  const char *name;
  Combine<T> combine;
  T identity;
  bool is_logical = false;
};

template <class T> constexpr bool kIsInteger = T(0.5) == T(0);

template <class T> std::vector<Instruction<T>> instructionsOf() {
  if constexpr (kIsInteger<T>)
    return {{"OpGroupIMulKHR", [](T a, T b) { return T(uint64_t(a) * uint64_t(b)); }, T(1)},
            {"OpGroupBitwiseAndKHR", [](T a, T b) { return T(a & b); }, T(-1)},
            {"OpGroupBitwiseOrKHR", [](T a, T b) { return T(a | b); }, T(0)},
            {"OpGroupBitwiseXorKHR", [](T a, T b) { return T(a ^ b); }, T(0)}};
  else
    return {{"OpGroupFMulKHR", [](T a, T b) { return T(a * b); }, T(1)}};
}

const std::vector<Instruction<int>> kLogical{
    {"OpGroupLogicalAndKHR", [](int a, int b) { return int(a && b); }, 1, true},
    {"OpGroupLogicalOrKHR", [](int a, int b) { return int(a || b); }, 0, true},
    {"OpGroupLogicalXorKHR", [](int a, int b) { return int((a != 0) != (b != 0)); }, 0, true}};

// Returns integers that use all bits and are odd, so that products stay different; or numbers whose products are exact.
template <class T> std::vector<T> inputOf(size_t items) {
  std::vector<T> values(items);
  for (size_t i = 0; i < items; ++i) {
    const uint64_t mixed = (i + 1) * 0x9E3779B97F4A7C15u;
    if constexpr (kIsInteger<T>)
      values[i] = T(mixed >> 17 | 1);
    else
      values[i] = i % 7 == 3 ? T(-2) : i % 7 == 5 ? T(0.5) : T(1);
  }
  return values;
}

// Returns few zeros, few other numbers, or many of both.
std::vector<int> truthsOf(size_t items, size_t kind) {
  std::vector<int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = kind == 0 ? i % 29 != 17 : kind == 1 ? (i % 23 == 11) * 8 : i * 7 % 5 > 2;
  return values;
}

// Writes to `want` the reduction, the inclusive scan and the exclusive scan for groups of `limit` work-items of each
// work-group.
template <class T>
void expect(const Shape &shape, size_t limit, const Instruction<T> &instruction, const std::vector<T> &input, T *want) {
  const size_t n = input.size();
  for (const std::vector<size_t> &group : groupsOf(shape))
    for (size_t begin = 0; begin < group.size(); begin += limit) {
      const size_t end = std::min(begin + limit, group.size());
      T total = instruction.identity;
      for (size_t i = begin; i < end; ++i) {
        want[2 * n + group[i]] = total;
        want[n + group[i]] = total = instruction.combine(total, input[group[i]]);
      }
      for (size_t i = begin; i < end; ++i)
        want[group[i]] = total;
    }
}

template <class T>
void checkInstruction(const Session &cl, const Instruction<T> &instruction, const std::string &type, size_t first,
                      const std::function<std::vector<T>(size_t)> &input) {
  for (const size_t width : widthsInTurn()) {
    const std::string text = moduleOf(instruction.name, type, instruction.is_logical, width);
    const Kernel kernel = cl.kernel(buildIl(cl, createWithIl(cl, assemble(text))), "k");
    for (const Shape &shape : shapesFrom(first, width)) {
      const std::vector<T> values = input(itemsOf(shape));
      Memory in = cl.buffer(values), out = cl.bytes(6 * values.size() * sizeof(T));
      cl.run(kernel, shape.global, shape.local, in, out);
      std::vector<T> want(6 * values.size());
      expect(shape, SIZE_MAX / 2, instruction, values, want.data());
      expect(shape, width, instruction, values, want.data() + 3 * values.size());
      INFO(instruction.name << " of " << type << ", sub-groups of " << width << ", local size "
                            << Catch::StringMaker<std::vector<size_t>>::convert(shape.local));
      CHECK((cl.read<T>(out) == want));
    }
  }
}

template <class T> void checkType(const std::string &type, size_t first) {
  const Session cl;
  for (const Instruction<T> &instruction : instructionsOf<T>())
    checkInstruction<T>(cl, instruction, type, first++ % 3, inputOf<T>);
}

} // namespace

TEST_CASE("products and bitwise operations of integers", "[spirv_groups]") {
  checkType<int8_t>("uchar", 0);
  checkType<int16_t>("ushort", 1);
  checkType<int32_t>("uint", 2);
  checkType<int64_t>("ulong", 0);
}

TEST_CASE("products of floating-point numbers", "[spirv_groups]") {
  checkType<Half>("half", 1);
  checkType<float>("float", 2);
  checkType<double>("double", 0);
}

TEST_CASE("logical operations", "[spirv_groups]") {
  const Session cl;
  for (const Instruction<int> &instruction : kLogical)
    for (size_t kind : {0, 1, 2})
      checkInstruction<int>(cl, instruction, "uint", kind, [kind](size_t items) { return truthsOf(items, kind); });
}
