// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constants that are computed from specialization constants, where a module needs their values, and the sizes of types.
#include "spirv/module.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace lanecl::test;

namespace {

// A constant expression gives the local size. The kernel stores it, too.
const char *const kSized = R"(
               OpEntryPoint Kernel %k "k"
               OpExecutionModeId %k LocalSizeId %x %uint_2 %uint_1
               OpDecorate %a SpecId 1
               OpDecorate %b SpecId 2
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uint
       %zero = OpConstantNull %uint
        %yes = OpConstantTrue %bool
         %no = OpSpecConstantFalse %bool
          %a = OpSpecConstant %uint 40
          %b = OpSpecConstant %uint 3
EXPRESSION
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
               OpStore %out %x Aligned 4
               OpReturn
               OpFunctionEnd
)";

std::array<size_t, 3> localSize(const Session &cl, const Kernel &kernel) {
  std::array<size_t, 3> sizes{};
  check(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes.data(),
                                 nullptr),
        "local size");
  return sizes;
}

Program sized(const Session &cl, const std::string &expression) {
  return createWithIl(cl, assemble(replaced(kSized, {{"EXPRESSION", expression}}), 3));
}

void checkSize(const Session &cl, const Program &program, const std::string &expression, size_t want) {
  INFO(expression);
  const Kernel kernel = cl.kernel(buildIl(cl, program), "k");
  CHECK(localSize(cl, kernel) == std::array<size_t, 3>{want, 2, 1});
  const Memory out = cl.buffer(std::vector<cl_uint>(1));
  cl.run(kernel, {want, 2, 1}, {want, 2, 1}, out);
  CHECK(cl.read<cl_uint>(out)[0] == want);
}

struct Expression {
  const char *text;
  size_t value; // the result with a = 40 and b = 3
};

// %x computed from %a and %b. A result that is negative or of another type is converted back to a size.
constexpr Expression kExpressions[] = {
    {"%x = OpSpecConstantOp %uint IAdd %a %b", 43},
    {"%x = OpSpecConstantOp %uint ISub %a %b", 37},
    {"%x = OpSpecConstantOp %uint IMul %a %b", 120},
    {"%x = OpSpecConstantOp %uint UDiv %a %b", 13},
    {"%x = OpSpecConstantOp %uint UMod %a %b", 1},
    {"%x = OpSpecConstantOp %uint UMod %a %zero", 40}, // by zero, as at run time
    {"%q = OpSpecConstantOp %uint UDiv %a %zero\n%x = OpSpecConstantOp %uint BitwiseAnd %q %uint_9", 9},
    {"%x = OpSpecConstantOp %uint ShiftLeftLogical %b %uint_2", 12},
    {"%x = OpSpecConstantOp %uint ShiftRightLogical %a %b", 5},
    {"%x = OpSpecConstantOp %uint BitwiseAnd %a %uint_9", 8},
    {"%x = OpSpecConstantOp %uint BitwiseOr %a %b", 43},
    {"%x = OpSpecConstantOp %uint BitwiseXor %a %uint_9", 33},
    {"%m = OpSpecConstantOp %uint SNegate %a\n%q = OpSpecConstantOp %uint SDiv %m %b\n"
     "%x = OpSpecConstantOp %uint SNegate %q",
     13},
    {"%m = OpSpecConstantOp %uint SNegate %a\n%q = OpSpecConstantOp %uint SRem %m %b\n"
     "%x = OpSpecConstantOp %uint IAdd %q %uint_2",
     1},
    {"%m = OpSpecConstantOp %uint SNegate %a\n%x = OpSpecConstantOp %uint SMod %m %b", 2},
    {"%m = OpSpecConstantOp %uint Not %a\n%q = OpSpecConstantOp %uint ShiftRightArithmetic %m %b\n"
     "%x = OpSpecConstantOp %uint Not %q",
     5},
    {"%w = OpSpecConstantOp %ulong UConvert %a\n%v = OpSpecConstantOp %ulong IMul %w %w\n"
     "%u = OpSpecConstantOp %ulong UDiv %v %w\n%x = OpSpecConstantOp %uint UConvert %u",
     40},
    {"%m = OpSpecConstantOp %uint SNegate %b\n%s = OpSpecConstantOp %ushort UConvert %m\n"
     "%w = OpSpecConstantOp %uint SConvert %s\n%x = OpSpecConstantOp %uint IAdd %w %a",
     37},
    {"%c = OpSpecConstantOp %bool ULessThan %b %a\n%x = OpSpecConstantOp %uint Select %c %uint_9 %uint_2", 9},
    {"%m = OpSpecConstantOp %uint SNegate %a\n%c = OpSpecConstantOp %bool SGreaterThanEqual %m %b\n"
     "%x = OpSpecConstantOp %uint Select %c %uint_9 %uint_2",
     2},
    {"%c = OpSpecConstantOp %bool IEqual %a %b\n%d = OpSpecConstantOp %bool LogicalOr %c %yes\n"
     "%e = OpSpecConstantOp %bool LogicalNotEqual %d %no\n%x = OpSpecConstantOp %uint Select %e %a %b",
     40},
    {"%c = OpSpecConstantOp %bool LogicalNot %no\n%d = OpSpecConstantOp %bool LogicalAnd %c %no\n"
     "%e = OpSpecConstantOp %bool LogicalEqual %d %no\n%x = OpSpecConstantOp %uint Select %e %b %a",
     3},
    {"%pair = OpSpecConstantComposite %v2uint %a %b\n%x = OpSpecConstantOp %uint CompositeExtract %pair 1", 3},
};

} // namespace

TEST_CASE("local sizes are computed from constants", "[spirv_constants]") {
  const Session cl;
  for (const Expression &expression : kExpressions)
    checkSize(cl, sized(cl, expression.text), expression.text, expression.value);
}

TEST_CASE("local sizes follow the specialization", "[spirv_constants]") {
  const Session cl;
  const char *const text = "%s = OpSpecConstantOp %uint IAdd %a %b\n%x = OpSpecConstantOp %uint IMul %s %b";
  const Program program = sized(cl, text);
  const cl_uint a = 5, b = 4;
  check(clSetProgramSpecializationConstant(program, 1, sizeof a, &a), "specialize");
  check(clSetProgramSpecializationConstant(program, 2, sizeof b, &b), "specialize");
  checkSize(cl, program, text, 36);
}

TEST_CASE("a local size that is not constant is refused", "[spirv_constants]") {
  const Session cl;
  const Program program = sized(cl, "%x = OpUndef %uint");
  CHECK(clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(buildLog(program, cl.device), Catch::Contains("OpExecutionModeId is not a constant integer"));
}

// The sizes of an array whose length is computed, of a structure, of a vector of three and of a pointer; and the
// distance between structures.
TEST_CASE("sizes of types", "[spirv_constants]") {
  const Session cl;
  const char *const text = R"(
               OpEntryPoint Kernel %k "k"
               OpDecorate %a SpecId 1
     %record = OpTypeStruct %uchar %uint %v3float
          %a = OpSpecConstant %uint 2
          %n = OpSpecConstantOp %uint IMul %a %uint_3
      %array = OpTypeArray %ulong %n
    %records = OpTypePointer Function %record
     %arrays = OpTypePointer Workgroup %array
   %pointers = OpTypePointer Function %_ptr_CrossWorkgroup_uint
   %function = OpTypeFunction %void %_ptr_CrossWorkgroup_uint
      %local = OpVariable %arrays Workgroup
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
     %a_record = OpVariable %records Function
     %a_vector = OpVariable %_ptr_Function_v3float Function
    %a_pointer = OpVariable %pointers Function
      %size0 = OpSizeOf %uint %local
      %size1 = OpSizeOf %uint %a_record
      %size2 = OpSizeOf %uint %a_vector
      %size3 = OpSizeOf %uint %a_pointer
     %place1 = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %out %uint_1
     %place2 = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %out %uint_2
     %place3 = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %out %uint_3
               OpStore %out %size0 Aligned 4
               OpStore %place1 %size1 Aligned 4
               OpStore %place2 %size2 Aligned 4
               OpStore %place3 %size3 Aligned 4
DIFFERENCE
               OpReturn
               OpFunctionEnd
)";
  const std::string difference = R"(
     %far = OpPtrAccessChain %records %a_record %uint_3
     %diff = OpPtrDiff %uint %far %a_record
     %place4 = OpPtrAccessChain %_ptr_CrossWorkgroup_uint %out %uint_4
               OpStore %place4 %diff Aligned 4
)";
  for (unsigned minor : {1u, 6u}) {
    CAPTURE(minor);
    const std::string lines = minor == 6 ? difference : "";
    const Program program = createWithIl(cl, assemble(replaced(text, {{"DIFFERENCE", lines}}), minor));
    const cl_uint doubled = 4;
    check(clSetProgramSpecializationConstant(program, 1, sizeof doubled, &doubled), "specialize");
    const Memory out = cl.buffer(std::vector<int>(5));
    cl.run(cl.kernel(buildIl(cl, program), "k"), {1}, {1}, out);
    CHECK(cl.read<int>(out) == std::vector<int>{12 * 8, 32, 16, 8, minor == 6 ? 3 : 0});
  }
}
