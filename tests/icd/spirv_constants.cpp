// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constants that are computed from specialization constants, where a module needs their values, and the sizes of types.
#include "spirv/module.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace lanecl::test;

namespace {

// A constant expression gives the local size. The kernel stores it, too.
const char *const kSized = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
               OpCapability Int16
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %k "k"
               OpExecutionModeId %k LocalSizeId %x %two %one
               OpDecorate %a SpecId 1
               OpDecorate %b SpecId 2
       %void = OpTypeVoid
       %bool = OpTypeBool
      %short = OpTypeInt 16 0
        %int = OpTypeInt 32 0
       %long = OpTypeInt 64 0
     %vector = OpTypeVector %int 2
     %global = OpTypePointer CrossWorkgroup %int
   %function = OpTypeFunction %void %global
       %zero = OpConstantNull %int
        %one = OpConstant %int 1
        %two = OpConstant %int 2
       %nine = OpConstant %int 9
        %yes = OpConstantTrue %bool
         %no = OpSpecConstantFalse %bool
          %a = OpSpecConstant %int 40
          %b = OpSpecConstant %int 3
EXPRESSION
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %global
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
    {"%x = OpSpecConstantOp %int IAdd %a %b", 43},
    {"%x = OpSpecConstantOp %int ISub %a %b", 37},
    {"%x = OpSpecConstantOp %int IMul %a %b", 120},
    {"%x = OpSpecConstantOp %int UDiv %a %b", 13},
    {"%x = OpSpecConstantOp %int UMod %a %b", 1},
    {"%x = OpSpecConstantOp %int UMod %a %zero", 40}, // by zero, as at run time
    {"%q = OpSpecConstantOp %int UDiv %a %zero\n%x = OpSpecConstantOp %int BitwiseAnd %q %nine", 9},
    {"%x = OpSpecConstantOp %int ShiftLeftLogical %b %two", 12},
    {"%x = OpSpecConstantOp %int ShiftRightLogical %a %b", 5},
    {"%x = OpSpecConstantOp %int BitwiseAnd %a %nine", 8},
    {"%x = OpSpecConstantOp %int BitwiseOr %a %b", 43},
    {"%x = OpSpecConstantOp %int BitwiseXor %a %nine", 33},
    {"%m = OpSpecConstantOp %int SNegate %a\n%q = OpSpecConstantOp %int SDiv %m %b\n"
     "%x = OpSpecConstantOp %int SNegate %q",
     13},
    {"%m = OpSpecConstantOp %int SNegate %a\n%q = OpSpecConstantOp %int SRem %m %b\n"
     "%x = OpSpecConstantOp %int IAdd %q %two",
     1},
    {"%m = OpSpecConstantOp %int SNegate %a\n%x = OpSpecConstantOp %int SMod %m %b", 2},
    {"%m = OpSpecConstantOp %int Not %a\n%q = OpSpecConstantOp %int ShiftRightArithmetic %m %b\n"
     "%x = OpSpecConstantOp %int Not %q",
     5},
    {"%w = OpSpecConstantOp %long UConvert %a\n%v = OpSpecConstantOp %long IMul %w %w\n"
     "%u = OpSpecConstantOp %long UDiv %v %w\n%x = OpSpecConstantOp %int UConvert %u",
     40},
    {"%m = OpSpecConstantOp %int SNegate %b\n%s = OpSpecConstantOp %short UConvert %m\n"
     "%w = OpSpecConstantOp %int SConvert %s\n%x = OpSpecConstantOp %int IAdd %w %a",
     37},
    {"%c = OpSpecConstantOp %bool ULessThan %b %a\n%x = OpSpecConstantOp %int Select %c %nine %two", 9},
    {"%m = OpSpecConstantOp %int SNegate %a\n%c = OpSpecConstantOp %bool SGreaterThanEqual %m %b\n"
     "%x = OpSpecConstantOp %int Select %c %nine %two",
     2},
    {"%c = OpSpecConstantOp %bool IEqual %a %b\n%d = OpSpecConstantOp %bool LogicalOr %c %yes\n"
     "%e = OpSpecConstantOp %bool LogicalNotEqual %d %no\n%x = OpSpecConstantOp %int Select %e %a %b",
     40},
    {"%c = OpSpecConstantOp %bool LogicalNot %no\n%d = OpSpecConstantOp %bool LogicalAnd %c %no\n"
     "%e = OpSpecConstantOp %bool LogicalEqual %d %no\n%x = OpSpecConstantOp %int Select %e %b %a",
     3},
    {"%pair = OpSpecConstantComposite %vector %a %b\n%x = OpSpecConstantOp %int CompositeExtract %pair 1", 3},
};

} // namespace

TEST_CASE("local sizes are computed from constants", "[spirv_constants]") {
  const Session cl;
  for (const Expression &expression : kExpressions)
    checkSize(cl, sized(cl, expression.text), expression.text, expression.value);
}

TEST_CASE("local sizes follow the specialization", "[spirv_constants]") {
  const Session cl;
  const char *const text = "%s = OpSpecConstantOp %int IAdd %a %b\n%x = OpSpecConstantOp %int IMul %s %b";
  const Program program = sized(cl, text);
  const cl_uint a = 5, b = 4;
  check(clSetProgramSpecializationConstant(program, 1, sizeof a, &a), "specialize");
  check(clSetProgramSpecializationConstant(program, 2, sizeof b, &b), "specialize");
  checkSize(cl, program, text, 36);
}

TEST_CASE("a local size that is not constant is refused", "[spirv_constants]") {
  const Session cl;
  const Program program = sized(cl, "%x = OpUndef %int");
  CHECK(clBuildProgram(program, 1, &cl.device, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(buildLog(program, cl.device), Catch::Contains("OpExecutionModeId is not a constant integer"));
}

// The sizes of an array whose length is computed, of a structure, of a vector of three and of a pointer; and the
// distance between structures.
TEST_CASE("sizes of types", "[spirv_constants]") {
  const Session cl;
  const char *const text = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
               OpCapability Int8
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %k "k"
               OpDecorate %a SpecId 1
       %void = OpTypeVoid
       %char = OpTypeInt 8 0
        %int = OpTypeInt 32 0
       %long = OpTypeInt 64 0
      %float = OpTypeFloat 32
     %float3 = OpTypeVector %float 3
     %global = OpTypePointer CrossWorkgroup %int
     %record = OpTypeStruct %char %int %float3
        %one = OpConstant %int 1
        %two = OpConstant %int 2
      %three = OpConstant %int 3
       %four = OpConstant %int 4
          %a = OpSpecConstant %int 2
          %n = OpSpecConstantOp %int IMul %a %three
      %array = OpTypeArray %long %n
    %records = OpTypePointer Function %record
     %arrays = OpTypePointer Workgroup %array
    %vectors = OpTypePointer Function %float3
   %pointers = OpTypePointer Function %global
   %function = OpTypeFunction %void %global
      %local = OpVariable %arrays Workgroup
          %k = OpFunction %void None %function
        %out = OpFunctionParameter %global
      %entry = OpLabel
     %a_record = OpVariable %records Function
     %a_vector = OpVariable %vectors Function
    %a_pointer = OpVariable %pointers Function
      %size0 = OpSizeOf %int %local
      %size1 = OpSizeOf %int %a_record
      %size2 = OpSizeOf %int %a_vector
      %size3 = OpSizeOf %int %a_pointer
     %place1 = OpPtrAccessChain %global %out %one
     %place2 = OpPtrAccessChain %global %out %two
     %place3 = OpPtrAccessChain %global %out %three
               OpStore %out %size0 Aligned 4
               OpStore %place1 %size1 Aligned 4
               OpStore %place2 %size2 Aligned 4
               OpStore %place3 %size3 Aligned 4
DIFFERENCE
               OpReturn
               OpFunctionEnd
)";
  const std::string difference = R"(
     %far = OpPtrAccessChain %records %a_record %three
     %diff = OpPtrDiff %int %far %a_record
     %place4 = OpPtrAccessChain %global %out %four
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
