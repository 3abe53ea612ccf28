// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Modules with the type bfloat16 (SPV_KHR_bfloat16, SPV_INTEL_bfloat16_arithmetic), compared with the host.
#include "spirv/module.hpp"
#include "support/bfloat16.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <random>

using namespace lanecl::test;

namespace {

// Kernel k(bfloat16 *xs, bfloat16 *ys, bfloat16 *out, uint *flags): BODY computes %r and %flag from %x and %y.
// Instructions that the assembler does not know are written as words, each after an exclamation mark.
const char *const kModule = R"(
               CAPABILITIES
               OpExtension "SPV_KHR_bfloat16"
               OpExtension "SPV_INTEL_bfloat16_arithmetic"
        %std = OpExtInstImport "OpenCL.std"
               OpEntryPoint Kernel %k "k" %GlobalLinearId
               OpName %ushort "ushort"
               OpName %bf "bf"
               OpName %bfs "bfs"
               OpDecorate %special SpecId 7
               DECORATIONS
TYPES
      %slots = OpTypePointer Function %bf
   %function = OpTypeFunction %void %bfs %bfs %bfs %_ptr_CrossWorkgroup_uint
     %mapping = OpTypeFunction %bf %bf
      %third = OpConstant %float 0.333
    %seventh = OpConstant %double 0.143
               !0x0004002b %bf %c !0x3fc0
               !0x00040032 %bf %special !0x4000
       %null = OpConstantNull %bf
      %twice = OpFunction %bf None %mapping
     %single = OpFunctionParameter %bf
 %twice_body = OpLabel
               TWICE
               OpReturnValue %doubled
               OpFunctionEnd
          %k = OpFunction %void None %function
         %xs = OpFunctionParameter %bfs
         %ys = OpFunctionParameter %bfs
        %out = OpFunctionParameter %bfs
      %flags = OpFunctionParameter %_ptr_CrossWorkgroup_uint
      %entry = OpLabel
       %slot = OpVariable %slots Function %c
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
    %x_place = OpInBoundsPtrAccessChain %bfs %xs %id
    %y_place = OpInBoundsPtrAccessChain %bfs %ys %id
  %out_place = OpInBoundsPtrAccessChain %bfs %out %id
 %flag_place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %flags %id
          %x = OpLoad %bf %x_place Aligned 2
          %y = OpLoad %bf %y_place Aligned 2
BODY
     %number = OpSelect %uint %flag %uint_1 %uint_0
               OpStore %out_place %r Aligned 2
               OpStore %flag_place %number Aligned 4
               OpReturn
               OpFunctionEnd
)";

const char *const kBfloat16 = R"(
               !0x00040016 %bf !16 !0
        %bf2 = OpTypeVector %bf 2
        %bfs = OpTypePointer CrossWorkgroup %bf
)";
const char *const kShort = R"(
     %ushort = OpTypeInt 16 0
    %ushort2 = OpTypeVector %ushort 2
    %ushorts = OpTypePointer CrossWorkgroup %ushort
)";
const char *const kType = "OpCapability !5116\n", *const kDot = "OpCapability !5117\n",
                  *const kArithmetic = "OpCapability !6226\n";
const std::string kAll = std::string(kType) + kDot + kArithmetic;

constexpr float kC = 1.5f;

std::string module(const std::string &body, const std::string &capabilities, bool short_first = false,
                   const std::string &decorations = "") {
  const bool has_result = body.find("%r =") != std::string::npos;
  const bool has_flag = body.find("%flag =") != std::string::npos;
  const bool computes = capabilities.find("6226") != std::string::npos;
  const std::string whole = body + (has_result ? "" : "\n%r = OpCopyObject %bf %x") +
                            (has_flag ? "\n" : "\n%flag = OpCopyObject %bool %true\n");
  return replaced(
      kModule, {{"BODY", whole},
                {"CAPABILITIES", capabilities},
                {"DECORATIONS", decorations},
                {"TYPES", std::string(short_first ? kShort : kBfloat16) + (short_first ? kBfloat16 : kShort)},
                {"TWICE", computes ? "%doubled = OpFAdd %bf %single %single" : "%doubled = OpCopyObject %bf %single"}});
}

// Returns zeros, the smallest and the largest numbers, infinities, a NaN, and others of all kinds.
std::vector<uint16_t> numbers(unsigned seed) {
  std::vector<uint16_t> result{0,      0x8000, 1,      0x8001, 0x7f,   0x80,  0x3f80,
                               0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> moderate(-300, 300);
  while (result.size() < 500) {
    result.push_back(uint16_t(random()));
    result.push_back(toBfloat16(moderate(random)));
  }
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

struct Run {
  std::vector<uint16_t> results;
  std::vector<cl_uint> flags;
};

Run run(const Session &cl, const Program &program, const std::vector<uint16_t> &x, const std::vector<uint16_t> &y) {
  const Memory out = cl.bytes(x.size() * sizeof(uint16_t)), flags = cl.bytes(x.size() * sizeof(cl_uint));
  cl.run(cl.kernel(program, "k"), {x.size()}, {}, cl.buffer(x), cl.buffer(y), out, flags);
  return {cl.read<uint16_t>(out), cl.read<cl_uint>(flags)};
}

Program build(const Session &cl, const std::string &text) {
  return buildIl(cl, createWithIl(cl, assemble(text, 2)));
}

struct Case {
  const char *body;
  std::function<float(float, float)> host; // its result is rounded afterwards
};

void check(const Session &cl, const Case &a_case, const std::string &capabilities) {
  const std::vector<uint16_t> x = numbers(1), y = numbers(2);
  for (const bool short_first : {false, true}) {
    const Run got = run(cl, build(cl, module(a_case.body, capabilities, short_first)), x, y);
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const uint16_t want = toBfloat16(a_case.host(fromBfloat16(x[i]), fromBfloat16(y[i])));
      const bool both_nan = std::isnan(fromBfloat16(want)) && std::isnan(fromBfloat16(got.results[i]));
      wrong += got.results[i] != want && !both_nan;
    }
    INFO(a_case.body);
    CHECK(wrong == 0);
  }
}

std::string logOf(const Session &cl, const std::string &text) {
  try {
    build(cl, text);
  } catch (const BuildError &error) {
    return error.what();
  }
  return "no error";
}

void checkRefused(const Session &cl, const std::string &text, const std::string &why) {
  CHECK_THAT(logOf(cl, text), Catch::Matchers::Contains(why));
}

} // namespace

TEST_CASE("bfloat16 is moved and converted", "[spirv_bfloat16]") {
  const Session cl;
  const Case cases[] = {
      {"%r = OpCopyObject %bf %y", [](float, float y) { return y; }},
      {"%r = OpSelect %bf %true %c %x", [](float, float) { return kC; }},
      {"%r = OpCopyObject %bf %null", [](float, float) { return 0.0f; }},
      {"%v = OpCompositeConstruct %bf2 %x %y\n%w = OpVectorShuffle %bf2 %v %v 1 0\n%r = OpCompositeExtract %bf %w 0",
       [](float, float y) { return y; }},
      {"%first = OpLoad %bf %slot\nOpStore %slot %y\n%r = OpLoad %bf %slot", [](float, float y) { return y; }},
      {"%r = OpFunctionCall %bf %twice %y", [](float, float y) { return y; }},
      {"%bits = OpBitcast %ushort %x\n%r = OpBitcast %bf %bits", [](float x, float) { return x; }},
      {"%f = OpFConvert %float %x\n%g = OpFMul %float %f %third\n%r = OpFConvert %bf %g",
       [](float x, float) { return x * 0.333f; }},
      {"%h = OpFConvert %half %x\n%r = OpFConvert %bf %h", [](float x, float) { return float(_Float16(x)); }},
      {"%d = OpFConvert %double %x\n%e = OpFMul %double %d %seventh\n%r = OpFConvert %bf %e",
       [](float x, float) { return float(double(x) * 0.143); }}};
  for (const Case &a_case : cases)
    check(cl, a_case, kType);
}

TEST_CASE("bfloat16 is converted to integers and back", "[spirv_bfloat16]") {
  const Session cl;
  std::vector<uint16_t> x;
  for (int number = -300; number <= 300; ++number)
    x.push_back(toBfloat16(float(number) + 0.75f));
  const char *const body = "%i = OpConvertFToS %uint %x\n%square = OpIMul %uint %i %i\n%r = OpConvertUToF %bf %square\n"
                           "%s = OpConvertSToF %bf %i\n%t = OpConvertFToS %uint %s\n%flag = OpIEqual %bool %i %t";
  const Run got = run(cl, build(cl, module(body, kType)), x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    const int whole = int(fromBfloat16(x[i]));
    CHECK(got.results[i] == toBfloat16(float(whole * whole)));
    CHECK(got.flags[i] == cl_uint(fromBfloat16(toBfloat16(float(whole))) == float(whole)));
  }
}

TEST_CASE("arithmetic with bfloat16", "[spirv_bfloat16]") {
  const Session cl;
  const auto compared = [](auto comparison) { return [=](float x, float y) { return comparison(x, y) ? x : y; }; };
  const Case cases[] = {
      {"%r = OpFAdd %bf %x %y", [](float x, float y) { return x + y; }},
      {"%r = OpFSub %bf %x %y", [](float x, float y) { return x - y; }},
      {"%r = OpFMul %bf %x %y", [](float x, float y) { return x * y; }},
      {"%r = OpFDiv %bf %x %y", [](float x, float y) { return x / y; }},
      {"%r = OpFRem %bf %x %y", [](float x, float y) { return std::fmod(x, y); }},
      {"%r = OpFNegate %bf %x", [](float x, float) { return -x; }},
      {"%r = OpExtInst %bf %std fma %x %y %c", [](float x, float y) { return std::fma(x, y, kC); }},
      {"%r = OpExtInst %bf %std fmax %x %y", [](float x, float y) { return std::fmax(x, y); }},
      {"%r = OpExtInst %bf %std rint %x", [](float x, float) { return std::nearbyint(x); }},
      {"%r = OpExtInst %bf %std copysign %x %y", [](float x, float y) { return std::copysign(x, y); }},
      {"%r = OpFunctionCall %bf %twice %y", [](float, float y) { return 2 * y; }},
      {"%first = OpLoad %bf %slot\nOpStore %slot %y\n%second = OpLoad %bf %slot\n%r = OpFMul %bf %first %second",
       [](float, float y) { return kC * y; }},
      {"%v = OpCompositeConstruct %bf2 %x %y\n%w = OpCompositeConstruct %bf2 %y %c\n%r = OpDot %bf %v %w",
       [](float x, float y) { return x * y + y * kC; }},
      {"%v = OpCompositeConstruct %bf2 %x %y\n%w = OpVectorTimesScalar %bf2 %v %c\n%r = OpCompositeExtract %bf %w 1",
       [](float, float y) { return y * kC; }},
      {"%less = OpFOrdLessThan %bool %x %y\n%r = OpSelect %bf %less %x %y", compared(std::less<>())},
      {"%more = OpFUnordGreaterThanEqual %bool %x %y\n%r = OpSelect %bf %more %x %y",
       compared([](float x, float y) { return !(x < y); })},
      {"%same = OpFOrdEqual %bool %x %y\n%r = OpSelect %bf %same %x %y", compared(std::equal_to<>())},
      {"%nan = OpIsNan %bool %x\n%r = OpSelect %bf %nan %x %y", compared([](float x, float) { return std::isnan(x); })},
      {"%normal = OpIsNormal %bool %x\n%r = OpSelect %bf %normal %x %y",
       compared([](float x, float) { return std::isnormal(x); })}};
  for (const Case &a_case : cases)
    check(cl, a_case, kAll);
}

TEST_CASE("predicates of bfloat16", "[spirv_bfloat16]") {
  const Session cl;
  const std::vector<uint16_t> x = numbers(1);
  std::vector<uint16_t> y = numbers(2);
  std::copy(x.begin(), x.begin() + 50, y.begin());
  const auto unordered = [](float a, float b) { return std::isnan(a) || std::isnan(b); };
  const std::pair<const char *, std::function<bool(float, float)>> questions[] = {
      {"OpFOrdEqual %bool %x %y", [](float a, float b) { return a == b; }},
      {"OpFUnordEqual %bool %x %y", [=](float a, float b) { return unordered(a, b) || a == b; }},
      {"OpFOrdNotEqual %bool %x %y", [](float a, float b) { return a < b || a > b; }},
      {"OpFUnordNotEqual %bool %x %y", [](float a, float b) { return a != b; }},
      {"OpFOrdLessThan %bool %x %y", [](float a, float b) { return a < b; }},
      {"OpFUnordLessThan %bool %x %y", [](float a, float b) { return !(a >= b); }},
      {"OpFOrdGreaterThan %bool %x %y", [](float a, float b) { return a > b; }},
      {"OpFUnordGreaterThan %bool %x %y", [](float a, float b) { return !(a <= b); }},
      {"OpFOrdLessThanEqual %bool %x %y", [](float a, float b) { return a <= b; }},
      {"OpFUnordLessThanEqual %bool %x %y", [](float a, float b) { return !(a > b); }},
      {"OpFOrdGreaterThanEqual %bool %x %y", [](float a, float b) { return a >= b; }},
      {"OpFUnordGreaterThanEqual %bool %x %y", [](float a, float b) { return !(a < b); }},
      {"OpLessOrGreater %bool %x %y", [](float a, float b) { return a < b || a > b; }},
      {"OpOrdered %bool %x %y", [=](float a, float b) { return !unordered(a, b); }},
      {"OpUnordered %bool %x %y", unordered},
      {"OpIsNan %bool %x", [](float a, float) { return std::isnan(a); }},
      {"OpIsInf %bool %x", [](float a, float) { return std::isinf(a); }},
      {"OpIsFinite %bool %x", [](float a, float) { return std::isfinite(a); }},
      {"OpIsNormal %bool %x", [](float a, float) { return std::isnormal(a); }},
      {"OpSignBitSet %bool %x", [](float a, float) { return std::signbit(a); }}};
  for (const auto &[question, host] : questions) {
    const Run got = run(cl, build(cl, module(std::string("%flag = ") + question, kAll)), x, y);
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i)
      wrong += got.flags[i] != cl_uint(host(fromBfloat16(x[i]), fromBfloat16(y[i])));
    INFO(question);
    CHECK(wrong == 0);
  }
}

TEST_CASE("specialization constants of bfloat16 have two bytes", "[spirv_bfloat16]") {
  const Session cl;
  const Program program = createWithIl(cl, assemble(module("%r = OpCopyObject %bf %special", kType), 2));
  const cl_ushort value = 0xc0a0;
  CHECK(clSetProgramSpecializationConstant(program, 7, sizeof(cl_uint), &value) == CL_INVALID_VALUE);
  CHECK(clSetProgramSpecializationConstant(program, 7, sizeof value, &value) == CL_SUCCESS);
  const std::vector<uint16_t> x = numbers(1);
  CHECK(run(cl, buildIl(cl, program), x, x).results == std::vector<uint16_t>(x.size(), value));
}

TEST_CASE("decorations that inexact arithmetic may have", "[spirv_bfloat16]") {
  const Session cl;
  const std::vector<uint16_t> x = numbers(1), y = numbers(2);
  const char *const body = "%f = OpFConvert %float %x\n%r = OpFConvert %bf %f";
  const std::string nearest = "OpDecorate %f FPRoundingMode RTE\nOpDecorate %r FPRoundingMode RTE";
  CHECK(run(cl, build(cl, module(body, kType, false, nearest)), x, y).results == x);
  checkRefused(cl, module(body, kType, false, "OpDecorate %r FPRoundingMode RTZ"), "other than to nearest even");
  const std::string fast = "OpDecorate %r FPFastMathMode NotNaN";
  CHECK_NOTHROW(build(cl, module("%r = OpFAdd %bf %x %y", kAll, false, fast)));
}

TEST_CASE("unsupported uses of bfloat16 are refused", "[spirv_bfloat16]") {
  const Session cl;
  checkRefused(cl, module("", ""), "BFloat16TypeKHR");
  checkRefused(cl, module("%r = OpFAdd %bf %x %y", std::string(kType) + kDot), "BFloat16ArithmeticINTEL");
  checkRefused(cl, module("%r = OpExtInst %bf %std exp %x", kType), "BFloat16ArithmeticINTEL");
  const char *const dot = "%v = OpCompositeConstruct %bf2 %x %y\n%r = OpDot %bf %v %v";
  checkRefused(cl, module(dot, kType), "BFloat16DotProductKHR");
  const std::string not_taken = "does not take bfloat16 values";
  checkRefused(cl, module("%r = OpExtInst %bf %std nextafter %x %y", kAll), not_taken);
  checkRefused(cl, module("%r = OpAtomicLoad %bf %x_place %uint_1 %uint_0", kAll), not_taken);
  checkRefused(cl, module("%r = OpExtInst %bf %std fract %x %slot", kAll), "compute it in float");
}
