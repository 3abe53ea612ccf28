// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions that compute, compare and convert, for every type and for vectors, compared with the host.
#include "spirv/numbers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

using namespace lanecl::test;

namespace {

using half = _Float16;

template <class T> constexpr unsigned kBits = 8 * sizeof(T);
template <class T> constexpr bool kIsFloat = !std::is_integral_v<T>;

template <class T> std::string nameOf() {
  return (kIsFloat<T> ? "%f" : "%u") + std::to_string(kBits<T>);
}
std::string vectorOf(const std::string &scalar, unsigned components) {
  return components == 1 ? scalar : scalar + "x" + std::to_string(components);
}

// Kernel k(T *in, R *out): work-item i reads the T at 2 i and at 2 i + 1, and writes all results of BODY.
const char *const kKernel = R"(
TYPES
   %function = OpTypeFunction %void IN_POINTER OUT_POINTER
NUMBERS
          %k = OpFunction %void None %function
         %in = OpFunctionParameter IN_POINTER
        %out = OpFunctionParameter OUT_POINTER
      %entry = OpLabel
         %id = OpLoad %u64 %id_variable Aligned 8
      %first = OpIMul %u64 %id %two
     %second = OpIAdd %u64 %first %one
      %begin = OpIMul %u64 %id %count
    %a_place = OpInBoundsPtrAccessChain IN_POINTER %in %first
    %b_place = OpInBoundsPtrAccessChain IN_POINTER %in %second
          %a = OpLoad IN %a_place Aligned 1
          %b = OpLoad IN %b_place Aligned 1
BODY
               OpReturn
               OpFunctionEnd
)";

// An instruction that makes an R from one or two T. `host` returns nothing if the result is undefined.
template <class T, class R> struct Instruction {
  const char *name;
  bool has_two_operands = false;
  bool is_question = false; // the result is 1 or 0 in R
  std::function<std::optional<R>(T, T)> host;
  const char *decoration = "";
};

template <class T, class R>
std::string moduleOf(const std::vector<Instruction<T, R>> &instructions, unsigned components) {
  const std::string in = vectorOf(nameOf<T>(), components), out = vectorOf(nameOf<R>(), components),
                    answer = vectorOf("%bool", components);
  std::string types, numbers, body, decorations;
  const auto line = [](std::string &text, const std::string &result, const std::string &rest) {
    text += result + " = " + rest + "\n";
  };
  const std::string length = std::to_string(components);
  if (components != 1) {
    line(types, in, "OpTypeVector " + nameOf<T>() + " " + length);
    if (out != in)
      line(types, out, "OpTypeVector " + nameOf<R>() + " " + length);
    line(types, answer, "OpTypeVector %bool " + length);
  }
  line(types, "%in_pointer", "OpTypePointer CrossWorkgroup " + in);
  if (out != in)
    line(types, "%out_pointer", "OpTypePointer CrossWorkgroup " + out);
  line(numbers, "%count", "OpConstant %u64 " + std::to_string(instructions.size()));
  line(numbers, "%no", "OpConstantNull " + out);
  line(numbers, components == 1 ? "%yes" : "%yes_scalar", "OpConstant " + nameOf<R>() + " 1");
  if (components != 1) {
    std::string all;
    for (unsigned i = 0; i < components; ++i)
      all += " %yes_scalar";
    line(numbers, "%yes", "OpConstantComposite " + out + all);
  }
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction<T, R> &instruction = instructions[i];
    const std::string number = std::to_string(i), result = "%r" + number, place = "%place" + number;
    const std::string call = std::string(instruction.name) + " " + (instruction.is_question ? answer : out) + " %a" +
                             (instruction.has_two_operands ? " %b" : "");
    line(body, instruction.is_question ? "%question" + number : result, call);
    if (instruction.is_question)
      line(body, result, "OpSelect " + out + " %question" + number + " %yes %no");
    line(numbers, "%number" + number, "OpConstant %u64 " + number);
    line(body, "%index" + number, "OpIAdd %u64 %begin %number" + number);
    line(body, place, "OpInBoundsPtrAccessChain OUT_POINTER %out %index" + number);
    body += "OpStore " + place + " " + result + " Aligned 1\n";
    if (*instruction.decoration != 0)
      decorations += "OpDecorate " + result + " " + instruction.decoration + "\n";
  }
  return moduleOfNumbers(replaced(kKernel, {{"TYPES", types},
                                            {"NUMBERS", numbers},
                                            {"BODY", body},
                                            {"IN_POINTER", "%in_pointer"},
                                            {"OUT_POINTER", out == in ? "%in_pointer" : "%out_pointer"},
                                            {"IN ", in + " "}}),
                         decorations);
}

template <class R> bool isSame(R got, R want) {
  return got == want || (got != got && want != want);
}

// `operands` are pairs; their number is a multiple of 16.
template <class T, class R>
void check(const Session &cl, const std::vector<Instruction<T, R>> &instructions,
           const std::vector<std::pair<T, T>> &operands, const std::vector<unsigned> &lengths) {
  for (const unsigned components : lengths) {
    std::vector<T> in;
    for (size_t begin = 0; begin < operands.size(); begin += components) {
      for (unsigned c = 0; c < components; ++c)
        in.push_back(operands[begin + c].first);
      for (unsigned c = 0; c < components; ++c)
        in.push_back(operands[begin + c].second);
    }
    const size_t count = instructions.size();
    const Memory source = cl.buffer(in), target = cl.bytes(operands.size() * count * sizeof(R));
    const Program program = buildIl(cl, createWithIl(cl, assemble(moduleOf(instructions, components), 2)));
    cl.run(cl.kernel(program, "k"), {operands.size() / components}, {}, source, target);
    const std::vector<R> results = cl.read<R>(target);
    for (size_t i = 0; i < count; ++i) {
      const Instruction<T, R> &instruction = instructions[i];
      const auto got = [&](size_t at) { return results[(at / components * count + i) * components + at % components]; };
      size_t at = 0;
      std::optional<R> want;
      const auto isRight = [&] {
        want = instruction.host(operands[at].first, operands[at].second);
        return !want || isSame(got(at), *want);
      };
      while (at < operands.size() && isRight())
        ++at;
      if (at == operands.size()) {
        SUCCEED();
        continue;
      }
      INFO(instruction.name << " " << instruction.decoration << " of " << nameOf<T>() << " x " << components << " to "
                            << nameOf<R>() << ": " << double(operands[at].first) << ", "
                            << double(operands[at].second));
      CHECK(double(got(at)) == double(*want));
    }
  }
}

// Returns each of these numbers paired with each other.
template <class T> std::vector<std::pair<T, T>> pairsOf(std::vector<T> numbers) {
  while (numbers.size() % 4 != 0)
    numbers.push_back(numbers.front());
  std::vector<std::pair<T, T>> pairs;
  for (const T a : numbers)
    for (const T b : numbers)
      pairs.emplace_back(a, b);
  return pairs;
}

template <class T> std::vector<T> wholeNumbers() {
  return {0,
          1,
          2,
          3,
          7,
          T(100),
          T(-1),
          T(-2),
          T(-3),
          T(-7),
          T(-100),
          T(T(1) << (kBits<T> - 1)),
          T(5),
          T(-5),
          T(kBits<T>),
          T(0x5A3C96),
          T(~T(0) / 2),
          T(kBits<T> - 1)};
}

// The greatest finite number, the smallest normal one and the smallest one. Not every library provides those of half.
template <class T> struct Limits {
  static constexpr T greatest = std::numeric_limits<T>::max(), normal = std::numeric_limits<T>::min(),
                     smallest = std::numeric_limits<T>::denorm_min();
};
template <> struct Limits<half> {
  static constexpr half greatest = half(0x1.ffcp15f), normal = half(0x1p-14f), smallest = half(0x1p-24f);
};

template <class T> std::vector<T> realNumbers() {
  using Known = Limits<T>;
  std::vector<T> numbers{T(0.001),        T(65000),    Known::greatest, Known::normal,
                         Known::smallest, T(INFINITY), T(NAN),          T(0)};
  for (const double number : {0.5, 1.0, 1.5, 2.5, 3.0, 7.25, 1000.5})
    numbers.push_back(T(number));
  for (size_t i = numbers.size(); i-- > 0;)
    numbers.push_back(-numbers[i]);
  return numbers;
}

template <class T> void checkWhole(const Session &cl) {
  using S = std::make_signed_t<T>;
  using Host = std::function<std::optional<T>(T, T)>;
  const auto overflows = [](T a, T b) { return S(b) == -1 && S(a) == std::numeric_limits<S>::min(); };
  const auto divided = [](auto divide) {
    return Host([=](T a, T b) { return b == 0 ? std::nullopt : std::optional<T>(divide(a, b)); });
  };
  const auto divided_signed = [&](auto divide) {
    return Host(
        [=](T a, T b) { return b == 0 || overflows(a, b) ? std::nullopt : std::optional<T>(T(divide(S(a), S(b)))); });
  };
  const auto shifted = [](auto shift) {
    return Host([=](T a, T b) { return b >= kBits<T> ? std::nullopt : std::optional<T>(T(shift(a, b))); });
  };
  check<T, T>(cl,
              {{"OpSNegate", false, false, [](T a, T) { return T(-a); }},
               {"OpNot", false, false, [](T a, T) { return T(~a); }},
               {"OpBitCount", false, false, [](T a, T) { return T(std::popcount(a)); }},
               {"OpIAdd", true, false, [](T a, T b) { return T(a + b); }},
               {"OpISub", true, false, [](T a, T b) { return T(a - b); }},
               {"OpIMul", true, false, [](T a, T b) { return T(uint64_t(a) * b); }},
               {"OpUDiv", true, false, divided([](T a, T b) { return T(a / b); })},
               {"OpUMod", true, false, divided([](T a, T b) { return T(a % b); })},
               {"OpSDiv", true, false, divided_signed([](S a, S b) { return a / b; })},
               {"OpSRem", true, false, divided_signed([](S a, S b) { return a % b; })},
               // The result has the sign of the divisor.
               {"OpSMod", true, false,
                divided_signed([](S a, S b) { return a % b == 0 || (a < 0) == (b < 0) ? a % b : a % b + b; })},
               {"OpShiftLeftLogical", true, false, shifted([](T a, T b) { return a << b; })},
               {"OpShiftRightLogical", true, false, shifted([](T a, T b) { return a >> b; })},
               {"OpShiftRightArithmetic", true, false, shifted([](T a, T b) { return S(a) >> b; })},
               {"OpBitwiseAnd", true, false, [](T a, T b) { return T(a & b); }},
               {"OpBitwiseOr", true, false, [](T a, T b) { return T(a | b); }},
               {"OpBitwiseXor", true, false, [](T a, T b) { return T(a ^ b); }},
               {"OpIEqual", true, true, [](T a, T b) { return T(a == b); }},
               {"OpINotEqual", true, true, [](T a, T b) { return T(a != b); }},
               {"OpUGreaterThan", true, true, [](T a, T b) { return T(a > b); }},
               {"OpUGreaterThanEqual", true, true, [](T a, T b) { return T(a >= b); }},
               {"OpULessThan", true, true, [](T a, T b) { return T(a < b); }},
               {"OpULessThanEqual", true, true, [](T a, T b) { return T(a <= b); }},
               {"OpSGreaterThan", true, true, [](T a, T b) { return T(S(a) > S(b)); }},
               {"OpSGreaterThanEqual", true, true, [](T a, T b) { return T(S(a) >= S(b)); }},
               {"OpSLessThan", true, true, [](T a, T b) { return T(S(a) < S(b)); }},
               {"OpSLessThanEqual", true, true, [](T a, T b) { return T(S(a) <= S(b)); }}},
              pairsOf(wholeNumbers<T>()), {1, 16});
}

// The result has the sign of the divisor. SPIR-V does not define it for an infinite divisor.
template <class T> std::optional<T> floorModulo(T a, T b) {
  if (std::isinf(b))
    return std::nullopt;
  const T rest = T(std::fmod(a, b));
  return rest == 0 || std::signbit(rest) == std::signbit(b) ? rest : T(rest + b);
}

template <class T> void checkReal(const Session &cl) {
  // The host's functions do not take half, but every half is a float.
  using H = std::conditional_t<sizeof(T) == 2, float, T>;
  const auto ordered = [](auto holds) { return [=](T a, T b) { return T(a == a && b == b && holds(a, b)); }; };
  const auto unordered = [](auto holds) { return [=](T a, T b) { return T(a != a || b != b || holds(a, b)); }; };
  check<T, T>(cl,
              {{"OpFNegate", false, false, [](T a, T) { return T(-a); }},
               {"OpFAdd", true, false, [](T a, T b) { return T(a + b); }},
               {"OpFSub", true, false, [](T a, T b) { return T(a - b); }},
               {"OpFMul", true, false, [](T a, T b) { return T(a * b); }},
               {"OpFRem", true, false, [](T a, T b) { return T(std::fmod(H(a), H(b))); }},
               {"OpFMod", true, false, [](T a, T b) { return floorModulo<H>(H(a), H(b)); }},
               {"OpIsNan", false, true, [](T a, T) { return T(std::isnan(H(a))); }},
               {"OpIsInf", false, true, [](T a, T) { return T(std::isinf(H(a))); }},
               {"OpIsFinite", false, true, [](T a, T) { return T(std::isfinite(H(a))); }},
               {"OpIsNormal", false, true,
                [](T a, T) { return T(std::isfinite(H(a)) && std::fabs(H(a)) >= H(Limits<T>::normal)); }},
               {"OpSignBitSet", false, true, [](T a, T) { return T(std::signbit(H(a))); }},
               {"OpOrdered", true, true, ordered([](T, T) { return true; })},
               {"OpUnordered", true, true, unordered([](T, T) { return false; })},
               {"OpFOrdEqual", true, true, ordered(std::equal_to<>())},
               {"OpFUnordEqual", true, true, unordered(std::equal_to<>())},
               {"OpFOrdNotEqual", true, true, ordered(std::not_equal_to<>())},
               {"OpFUnordNotEqual", true, true, unordered(std::not_equal_to<>())},
               {"OpFOrdLessThan", true, true, ordered(std::less<>())},
               {"OpFUnordLessThan", true, true, unordered(std::less<>())},
               {"OpFOrdGreaterThan", true, true, ordered(std::greater<>())},
               {"OpFUnordGreaterThan", true, true, unordered(std::greater<>())},
               {"OpFOrdLessThanEqual", true, true, ordered(std::less_equal<>())},
               {"OpFUnordLessThanEqual", true, true, unordered(std::less_equal<>())},
               {"OpFOrdGreaterThanEqual", true, true, ordered(std::greater_equal<>())},
               {"OpFUnordGreaterThanEqual", true, true, unordered(std::greater_equal<>())}},
              pairsOf(realNumbers<T>()), {1, 16});
}

// Scalars for some types and vectors for the others, because modules take long to build.
template <class T> std::vector<unsigned> lengthsOf() {
  return {sizeof(T) == 4 ? 1u : 4u};
}

// Which conversion applies depends on whether T and R are floating-point types, and on their widths.
template <class T, class R> void checkConversion(const Session &cl) {
  if constexpr (kIsFloat<T> && kIsFloat<R>) {
    if constexpr (sizeof(T) != sizeof(R))
      check<T, R>(cl, {{"OpFConvert", false, false, [](T a, T) { return R(a); }}}, pairsOf(realNumbers<T>()),
                  lengthsOf<T>());
  } else if constexpr (kIsFloat<R>) {
    check<T, R>(cl,
                {{"OpConvertSToF", false, false, [](T a, T) { return R(std::make_signed_t<T>(a)); }},
                 {"OpConvertUToF", false, false, [](T a, T) { return R(a); }}},
                pairsOf(wholeNumbers<T>()), lengthsOf<T>());
  } else if constexpr (kIsFloat<T>) {
    using S = std::make_signed_t<R>;
    // Truncates a value to an integer type. A value out of range gives nothing, or the nearest limit if the conversion
    // saturates.
    const auto converted = [](auto to, bool saturated) {
      return [=](T a, T) -> std::optional<R> {
        using Range = std::numeric_limits<decltype(to)>;
        const long double whole = std::trunc((long double)(a));
        if (a != a)
          return saturated ? std::optional<R>(0) : std::nullopt;
        if (whole < (long double)(Range::min()))
          return saturated ? std::optional<R>(R(Range::min())) : std::nullopt;
        if (whole > (long double)(Range::max()))
          return saturated ? std::optional<R>(R(Range::max())) : std::nullopt;
        return R(decltype(to)(whole));
      };
    };
    const char *const saturates = "SaturatedConversion";
    check<T, R>(cl,
                {{"OpConvertFToS", false, false, converted(S(), false)},
                 {"OpConvertFToU", false, false, converted(R(), false)},
                 {"OpConvertFToS", false, false, converted(S(), true), saturates},
                 {"OpConvertFToU", false, false, converted(R(), true), saturates}},
                pairsOf(realNumbers<T>()), lengthsOf<T>());
  } else {
    using Signed = std::make_signed_t<T>;
    const auto fitted = [](auto value, auto to) {
      using Range = std::numeric_limits<decltype(to)>;
      const __int128 wide = value;
      return R(std::clamp<__int128>(wide, Range::min(), Range::max()));
    };
    std::vector<Instruction<T, R>> instructions{
        {"OpSatConvertSToU", false, false, [=](T a, T) { return fitted(Signed(a), R()); }},
        {"OpSatConvertUToS", false, false, [=](T a, T) { return fitted(a, std::make_signed_t<R>()); }}};
    if (sizeof(T) != sizeof(R)) {
      instructions.push_back({"OpSConvert", false, false, [](T a, T) { return R(Signed(a)); }});
      instructions.push_back({"OpUConvert", false, false, [](T a, T) { return R(a); }});
    }
    check<T, R>(cl, instructions, pairsOf(wholeNumbers<T>()), lengthsOf<T>());
  }
}

template <class T> void checkConversions(const Session &cl) {
  checkConversion<T, uint8_t>(cl);
  checkConversion<T, uint16_t>(cl);
  checkConversion<T, uint32_t>(cl);
  checkConversion<T, uint64_t>(cl);
  checkConversion<T, half>(cl);
  checkConversion<T, float>(cl);
  checkConversion<T, double>(cl);
}

} // namespace

TEST_CASE("instructions on integers", "[spirv_instructions]") {
  const Session cl;
  checkWhole<uint8_t>(cl);
  checkWhole<uint16_t>(cl);
  checkWhole<uint32_t>(cl);
  checkWhole<uint64_t>(cl);
}

TEST_CASE("instructions on floating-point numbers", "[spirv_instructions]") {
  const Session cl;
  checkReal<half>(cl);
  checkReal<float>(cl);
  checkReal<double>(cl);
}

TEST_CASE("conversion instructions", "[spirv_instructions]") {
  const Session cl;
  checkConversions<uint8_t>(cl);
  checkConversions<uint16_t>(cl);
  checkConversions<uint32_t>(cl);
  checkConversions<uint64_t>(cl);
  checkConversions<half>(cl);
  checkConversions<float>(cl);
  checkConversions<double>(cl);
}
