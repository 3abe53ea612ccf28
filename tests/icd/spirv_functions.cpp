// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of OpenCL.std are those of OpenCL C, whose results other tests check. Here the same kernel runs in both
// languages.
#include "spirv/numbers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <type_traits>

using namespace lanecl::test;

namespace {

// What a function takes and returns, one letter for each:
//   a b c  operands of the kernel's type      i  as many components of int      u  b as an unsigned number
//   p q    pointers to the former and to int, through which the function writes
// After a colon comes the result, if it has another type: i, s for a single component, w for numbers of twice the
// width.
struct Function {
  const char *spirv;
  const char *shape;
  const char *opencl_c = nullptr; // the name in OpenCL C, if it is another one

  std::string name() const { return opencl_c ? opencl_c : spirv; }
  std::string operands() const { return std::string(shape).substr(0, std::string(shape).find(':')); }
  bool returns(char what) const { return std::string(shape).find(std::string(":") + what) != std::string::npos; }
  bool writes(char pointer) const { return operands().find(pointer) != std::string::npos; }
};

const std::vector<Function> kReal{{"acos", "a"},
                                  {"acosh", "a"},
                                  {"acospi", "a"},
                                  {"asin", "a"},
                                  {"asinh", "a"},
                                  {"asinpi", "a"},
                                  {"atan", "a"},
                                  {"atan2", "ab"},
                                  {"atanh", "a"},
                                  {"atanpi", "a"},
                                  {"atan2pi", "ab"},
                                  {"cbrt", "a"},
                                  {"ceil", "a"},
                                  {"copysign", "ab"},
                                  {"cos", "a"},
                                  {"cosh", "a"},
                                  {"cospi", "a"},
                                  {"erfc", "a"},
                                  {"erf", "a"},
                                  {"exp", "a"},
                                  {"exp2", "a"},
                                  {"exp10", "a"},
                                  {"expm1", "a"},
                                  {"fabs", "a"},
                                  {"fdim", "ab"},
                                  {"floor", "a"},
                                  {"fma", "abc"},
                                  {"fmax", "ab"},
                                  {"fmin", "ab"},
                                  {"fmod", "ab"},
                                  {"fract", "ap"},
                                  {"frexp", "aq"},
                                  {"hypot", "ab"},
                                  {"ilogb", "a:i"},
                                  {"ldexp", "ai"},
                                  {"lgamma", "a"},
                                  {"lgamma_r", "aq"},
                                  {"log", "a"},
                                  {"log2", "a"},
                                  {"log10", "a"},
                                  {"log1p", "a"},
                                  {"logb", "a"},
                                  {"mad", "abc"},
                                  {"maxmag", "ab"},
                                  {"minmag", "ab"},
                                  {"modf", "ap"},
                                  {"nextafter", "ab"},
                                  {"pow", "ab"},
                                  {"pown", "ai"},
                                  {"powr", "ab"},
                                  {"remainder", "ab"},
                                  {"remquo", "abq"},
                                  {"rint", "a"},
                                  {"rootn", "ai"},
                                  {"round", "a"},
                                  {"rsqrt", "a"},
                                  {"sin", "a"},
                                  {"sincos", "ap"},
                                  {"sinh", "a"},
                                  {"sinpi", "a"},
                                  {"sqrt", "a"},
                                  {"tan", "a"},
                                  {"tanh", "a"},
                                  {"tanpi", "a"},
                                  {"tgamma", "a"},
                                  {"trunc", "a"},
                                  {"degrees", "a"},
                                  {"radians", "a"},
                                  {"sign", "a"},
                                  {"step", "ab"},
                                  {"mix", "abc"},
                                  {"smoothstep", "abc"},
                                  {"fclamp", "abc", "clamp"},
                                  {"fmax_common", "ab", "max"},
                                  {"fmin_common", "ab", "min"}};
const std::vector<Function> kFloat{
    {"half_cos", "a"},         {"half_divide", "ab"},  {"half_exp", "a"},      {"half_exp2", "a"},
    {"half_exp10", "a"},       {"half_log", "a"},      {"half_log2", "a"},     {"half_log10", "a"},
    {"half_powr", "ab"},       {"half_recip", "a"},    {"half_rsqrt", "a"},    {"half_sin", "a"},
    {"half_sqrt", "a"},        {"half_tan", "a"},      {"native_cos", "a"},    {"native_divide", "ab"},
    {"native_exp", "a"},       {"native_exp2", "a"},   {"native_exp10", "a"},  {"native_log", "a"},
    {"native_log2", "a"},      {"native_log10", "a"},  {"native_powr", "ab"},  {"native_recip", "a"},
    {"native_rsqrt", "a"},     {"native_sin", "a"},    {"native_sqrt", "a"},   {"native_tan", "a"},
    {"fast_distance", "ab:s"}, {"fast_length", "a:s"}, {"fast_normalize", "a"}};
const std::vector<Function> kGeometric{{"distance", "ab:s"}, {"length", "a:s"}, {"normalize", "a"}};
const std::vector<Function> kCross{{"cross", "ab"}};
const std::vector<Function> kSigned{{"s_abs", "a", "abs"},
                                    {"s_abs_diff", "ab", "abs_diff"},
                                    {"s_add_sat", "ab", "add_sat"},
                                    {"s_hadd", "ab", "hadd"},
                                    {"s_rhadd", "ab", "rhadd"},
                                    {"s_clamp", "abc", "clamp"},
                                    {"s_mad_hi", "abc", "mad_hi"},
                                    {"s_mad_sat", "abc", "mad_sat"},
                                    {"s_max", "ab", "max"},
                                    {"s_min", "ab", "min"},
                                    {"s_mul_hi", "ab", "mul_hi"},
                                    {"s_sub_sat", "ab", "sub_sat"},
                                    {"clz", "a"},
                                    {"ctz", "a"},
                                    {"popcount", "a"},
                                    {"rotate", "ab"},
                                    {"bitselect", "abc"},
                                    {"select", "abc"}};
const std::vector<Function> kUnsigned{
    {"u_abs", "a", "abs"},         {"u_abs_diff", "ab", "abs_diff"}, {"u_add_sat", "ab", "add_sat"},
    {"u_hadd", "ab", "hadd"},      {"u_rhadd", "ab", "rhadd"},       {"u_clamp", "abc", "clamp"},
    {"u_mad_hi", "abc", "mad_hi"}, {"u_mad_sat", "abc", "mad_sat"},  {"u_max", "ab", "max"},
    {"u_min", "ab", "min"},        {"u_mul_hi", "ab", "mul_hi"},     {"u_sub_sat", "ab", "sub_sat"}};
const std::vector<Function> kSignedUpsample{{"s_upsample", "au:w", "upsample"}};
const std::vector<Function> kUnsignedUpsample{{"u_upsample", "ab:w", "upsample"}};
const std::vector<Function> kSigned24{{"s_mad24", "abc", "mad24"}, {"s_mul24", "ab", "mul24"}};
const std::vector<Function> kUnsigned24{{"u_mad24", "abc", "mad24"}, {"u_mul24", "ab", "mul24"}};

std::vector<Function> joined(std::vector<Function> functions, std::initializer_list<std::vector<Function>> others) {
  for (const std::vector<Function> &other : others)
    functions.insert(functions.end(), other.begin(), other.end());
  return functions;
}

// The types of the operands.
struct Types {
  bool is_real, is_signed;
  unsigned bits, components;

  std::string inC(unsigned width, bool real, bool with_sign) const {
    const std::string whole = width == 8 ? "char" : width == 16 ? "short" : width == 32 ? "int" : "long";
    const std::string scalar = real ? width == 16   ? "half"
                                      : width == 32 ? "float"
                                                    : "double"
                                    : (with_sign ? "" : "u") + whole;
    return components == 1 ? scalar : scalar + std::to_string(components);
  }
  std::string inC() const { return inC(bits, is_real, is_signed); }
  std::string wideInC() const { return is_real ? "int" : inC(std::min(2 * bits, 64u), false, is_signed); }
  std::string inSpirv(unsigned width, bool real) const {
    const std::string scalar = (real ? "%f" : "%u") + std::to_string(width);
    return components == 1 ? scalar : scalar + "x" + std::to_string(components);
  }
  std::string inSpirv() const { return inSpirv(bits, is_real); }
  std::string wideInSpirv() const { return is_real ? "%u32" : inSpirv(std::min(2 * bits, 64u), false); }
};

// Kernel k(T *in, int *whole, T *out, int *out_whole, W *out_wide): each work-item reads three T and an int. For each
// function it writes two T, an int and a number of twice the width.
std::string kernelInC(const std::vector<Function> &functions, const Types &types) {
  const std::string type = types.inC(), whole = types.inC(32, false, true);
  std::ostringstream text;
  text << "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
       << "kernel void k(global " << type << " *in, global " << whole << " *whole, global " << type << " *out, global "
       << whole << " *out_whole, global " << types.wideInC() << " *out_wide) {\n"
       << "  size_t id = get_global_linear_id(), at = id * " << functions.size() << ";\n  " << type
       << " a = in[3 * id], b = in[3 * id + 1], c = in[3 * id + 2], p;\n  " << whole << " i = whole[id], q;\n";
  for (const Function &function : functions) {
    std::string call;
    for (const char operand : function.operands()) {
      const std::string name(1, operand);
      call += call.empty() ? "" : ", ";
      call += operand == 'p' || operand == 'q' ? "&" + name
              : operand == 'u'                 ? "as_" + types.inC(types.bits, false, false) + "(b)"
                                               : name;
    }
    call = function.name() + "(" + call + ")";
    if (function.returns('w'))
      text << "  out_wide[at] = " << call << ";\n";
    else if (function.returns('i'))
      text << "  out_whole[at] = " << call << ";\n";
    else if (types.is_real)
      text << "  out[2 * at] = " << call << ";\n";
    else // abs() and similar functions return unsigned numbers
      text << "  out[2 * at] = as_" << type << "(" << call << ");\n";
    if (function.writes('p'))
      text << "  out[2 * at + 1] = p;\n";
    if (function.writes('q'))
      text << "  out_whole[at] = q;\n";
    text << "  ++at;\n";
  }
  return text.str() + "}\n";
}

const char *const kKernel = R"(
TYPES
   %function = OpTypeFunction %void T_POINTER I_POINTER T_POINTER I_POINTER W_POINTER
      %three = OpConstant %u64 3
      %count = OpConstant %u64 COUNT
          %k = OpFunction %void None %function
         %in = OpFunctionParameter T_POINTER
      %whole = OpFunctionParameter I_POINTER
        %out = OpFunctionParameter T_POINTER
  %out_whole = OpFunctionParameter I_POINTER
   %out_wide = OpFunctionParameter W_POINTER
      %entry = OpLabel
          %p = OpVariable T_SLOT Function
          %q = OpVariable I_SLOT Function
         %id = OpLoad %u64 %id_variable Aligned 8
    %a_index = OpIMul %u64 %id %three
    %b_index = OpIAdd %u64 %a_index %one
    %c_index = OpIAdd %u64 %a_index %two
    %a_place = OpInBoundsPtrAccessChain T_POINTER %in %a_index
    %b_place = OpInBoundsPtrAccessChain T_POINTER %in %b_index
    %c_place = OpInBoundsPtrAccessChain T_POINTER %in %c_index
    %i_place = OpInBoundsPtrAccessChain I_POINTER %whole %id
          %a = OpLoad T_TYPE %a_place Aligned 1
          %b = OpLoad T_TYPE %b_place Aligned 1
          %c = OpLoad T_TYPE %c_place Aligned 1
          %i = OpLoad I_TYPE %i_place Aligned 1
        %at0 = OpIMul %u64 %id %count
BODY
               OpReturn
               OpFunctionEnd
)";

class Lines {
public:
  void add(const std::string &line) { text_ += line + "\n"; }
  // For a type, which a module must declare only once.
  void addOnce(const std::string &line) {
    if (text_.find(line + "\n") == std::string::npos)
      add(line);
  }
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

std::string pointerTo(const std::string &type, const char *where) {
  return type + "_" + where;
}

void declare(Lines &types, const std::string &type, unsigned components) {
  if (const size_t end = type.find('x'); end != std::string::npos)
    types.addOnce(type + " = OpTypeVector " + type.substr(0, end) + " " + std::to_string(components));
  for (const char *where : {"CrossWorkgroup", "Function"})
    types.addOnce(pointerTo(type, where) + " = OpTypePointer " + where + " " + type);
}

void callFunction(Lines &body, const Function &function, const Types &types, const std::string &number,
                  const std::string &next) {
  const std::string scalar = types.inSpirv().substr(0, types.inSpirv().find('x')), whole = types.inSpirv(32, false);
  const auto store = [&](const char *array, const std::string &type, const std::string &index,
                         const std::string &value) {
    const std::string place = std::string("%place_") + (array + 1) + index.substr(1);
    body.add(place + " = OpInBoundsPtrAccessChain " + pointerTo(type, "CrossWorkgroup") + " " + array + " " + index);
    body.add("OpStore " + place + " " + value + " Aligned 1");
  };
  const std::string result = "%r" + number, at = "%at" + number, first = "%first" + number, second = "%second" + number;
  const std::string returned = function.returns('i')   ? whole
                               : function.returns('s') ? scalar
                               : function.returns('w') ? types.wideInSpirv()
                                                       : types.inSpirv();
  std::string call = result + " = OpExtInst " + returned + " %std " + function.spirv;
  for (const char operand : function.operands())
    call += std::string(" %") + (operand == 'u' ? 'b' : operand);
  body.add(call);
  body.add(first + " = OpIMul %u64 " + at + " %two");
  body.add(second + " = OpIAdd %u64 " + first + " %one");
  std::string value = result;
  if (function.returns('s') && types.components != 1) {
    value = "%splat" + number;
    std::string splat = value + " = OpCompositeConstruct " + types.inSpirv();
    for (unsigned c = 0; c < types.components; ++c)
      splat += " " + result;
    body.add(splat);
  }
  if (function.returns('i'))
    store("%out_whole", whole, at, value);
  else if (function.returns('w'))
    store("%out_wide", types.wideInSpirv(), at, value);
  else
    store("%out", types.inSpirv(), first, value);
  const auto storeWritten = [&](const char *slot, const std::string &type, const char *array,
                                const std::string &index) {
    const std::string written = "%written" + number;
    body.add(written + " = OpLoad " + type + " " + slot + " Aligned 1");
    store(array, type, index, written);
  };
  if (function.writes('p'))
    storeWritten("%p", types.inSpirv(), "%out", second);
  if (function.writes('q'))
    storeWritten("%q", whole, "%out_whole", at);
  body.add(next + " = OpIAdd %u64 " + at + " %one");
}

std::string kernelInSpirv(const std::vector<Function> &functions, const Types &types) {
  Lines declared, body;
  for (const std::string &type : {types.inSpirv(), types.inSpirv(32, false), types.wideInSpirv()})
    declare(declared, type, types.components);
  for (size_t i = 0; i < functions.size(); ++i)
    callFunction(body, functions[i], types, std::to_string(i), "%at" + std::to_string(i + 1));
  const std::string type = types.inSpirv(), whole = types.inSpirv(32, false);
  return moduleOfNumbers(replaced(kKernel, {{"TYPES", declared.text()},
                                            {"BODY", body.text()},
                                            {"COUNT", std::to_string(functions.size())},
                                            {"T_POINTER", pointerTo(type, "CrossWorkgroup")},
                                            {"I_POINTER", pointerTo(whole, "CrossWorkgroup")},
                                            {"W_POINTER", pointerTo(types.wideInSpirv(), "CrossWorkgroup")},
                                            {"T_SLOT", pointerTo(type, "Function")},
                                            {"I_SLOT", pointerTo(whole, "Function")},
                                            {"T_TYPE", type},
                                            {"I_TYPE", whole}}));
}

// Returns moderate numbers, and some of any kind.
template <class T> std::vector<T> operandsOf(size_t count) {
  std::mt19937_64 random(7);
  std::vector<T> operands;
  for (size_t i = 0; i < count; ++i)
    if constexpr (std::is_integral_v<T>)
      operands.push_back(i % 3 == 0 ? T(random() % 7) : T(random()));
    else if (i % 16 == 5)
      operands.push_back(T(i % 3 == 0 ? INFINITY : i % 3 == 1 ? 0.0 : NAN));
    else
      operands.push_back(T(std::uniform_real_distribution<double>(i % 2 == 0 ? -1 : -20, i % 2 == 0 ? 1 : 20)(random)));
  return operands;
}

template <class T> std::string textOf(T value) {
  std::ostringstream text;
  text << std::hexfloat;
  if constexpr (std::is_integral_v<T>)
    text << +value;
  else
    text << double(value);
  return text.str();
}

template <class T>
void check(const Session &cl, const std::vector<Function> &functions, unsigned components, bool is_signed = false) {
  constexpr size_t kItems = 24;
  const Types types{!std::is_integral_v<T>, is_signed, 8 * sizeof(T), components};
  const size_t results = kItems * functions.size() * components, wide_bytes = types.is_real ? 4 : 2 * sizeof(T);
  std::vector<int> whole;
  for (size_t i = 0; i < kItems * components; ++i)
    whole.push_back(int(i % 9) - 4);
  const Memory in = cl.buffer(operandsOf<T>(3 * kItems * components)), numbers = cl.buffer(whole);
  const Program programs[] = {
      cl.build(kernelInC(functions, types), "-cl-std=CL3.0 -cl-opt-disable"),
      buildIl(cl, createWithIl(cl, assemble(kernelInSpirv(functions, types), 2)), "-cl-opt-disable")};
  std::vector<T> values[2];
  std::vector<int> ints[2];
  std::vector<uint8_t> wides[2];
  for (int i = 0; i < 2; ++i) {
    const Memory out = cl.buffer(std::vector<T>(2 * results)), out_whole = cl.buffer(std::vector<int>(results)),
                 out_wide = cl.buffer(std::vector<uint8_t>(results * wide_bytes));
    cl.run(cl.kernel(programs[i], "k"), {kItems}, {}, in, numbers, out, out_whole, out_wide);
    values[i] = cl.read<T>(out), ints[i] = cl.read<int>(out_whole), wides[i] = cl.read<uint8_t>(out_wide);
  }
  const auto functionOf = [&](size_t element) -> const Function & {
    return functions[element / components % functions.size()];
  };
  size_t written = 0;
  for (size_t i = 0; i < 2 * results; ++i) {
    const T c = values[0][i], spirv = values[1][i];
    written += c != 0;
    if (c != spirv && (c == c || spirv == spirv)) {
      INFO(functionOf(i / components / 2 * components).spirv << " x " << components << " of " << types.inC());
      CHECK(textOf(spirv) == textOf(c));
    }
  }
  for (size_t i = 0; i < results; ++i)
    if (ints[0][i] != ints[1][i]) {
      INFO(functionOf(i).spirv << " x " << components << " of " << types.inC());
      CHECK(ints[1][i] == ints[0][i]);
    }
  CHECK(wides[0] == wides[1]);
  CHECK(written > results / 4);
}

} // namespace

TEST_CASE("functions of floating-point numbers", "[spirv_functions]") {
  const Session cl;
  check<float>(cl, joined(kReal, {kFloat, kGeometric}), 2);
  check<double>(cl, joined(kReal, {kGeometric}), 1);
  check<_Float16>(cl, joined(kReal, {kGeometric}), 2);
  check<float>(cl, kCross, 4);
}

TEST_CASE("functions of integers", "[spirv_functions]") {
  const Session cl;
  for (const bool is_signed : {false, true}) {
    const std::vector<Function> functions = is_signed ? kSigned : kUnsigned,
                                upsample = is_signed ? kSignedUpsample : kUnsignedUpsample,
                                products = is_signed ? kSigned24 : kUnsigned24;
    check<uint8_t>(cl, joined(functions, {upsample}), 4, is_signed);
    check<uint16_t>(cl, joined(functions, {upsample}), 1, is_signed);
    check<uint32_t>(cl, joined(functions, {upsample, products}), 2, is_signed);
    check<uint64_t>(cl, functions, 1, is_signed);
  }
}
