// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every integer function of every type and width against exact arithmetic on the host: every pair of bytes, and of the
// other types the edges with one another and random numbers.
#include "runner.hpp"
#include "types.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

using namespace lanecl::test;

namespace {

// One component's operands, and what the functions that take scalars beside vectors get: the first component's.
struct Operands {
  const IntegerType &type;
  Wide x, y, z;
  Wide first_y, first_z;

  UnsignedWide bitsOf(Wide v) const { return UnsignedWide(v) & ((UnsignedWide(1) << type.bits) - 1); }
};

enum class Result { Same, Unsigned, Twice };

struct Function {
  const char *name;
  // OpenCL C, of the vectors x, y, z of type TN and the scalars sy and sz; UN and U are the unsigned types.
  const char *call;
  Result result;
  std::function<Wide(const Operands &)> expected;
  bool (*has)(const IntegerType &, unsigned width) = [](const IntegerType &, unsigned) { return true; };
};

bool isVector(const IntegerType &, unsigned width) {
  return width > 1;
}
bool isInt(const IntegerType &type, unsigned) {
  return type.bits == 32;
}
bool isScalar(const IntegerType &, unsigned width) {
  return width == 1;
}
bool isScalarInt(const IntegerType &type, unsigned width) {
  return type.bits == 32 && width == 1;
}
bool isBelowLong(const IntegerType &type, unsigned) {
  return type.bits < 64;
}

Wide highHalf(const Operands &o) {
  return o.type.is_signed ? o.x * o.y >> o.type.bits : Wide(UnsignedWide(o.x) * UnsignedWide(o.y) >> o.type.bits);
}

Wide madSat(const Operands &o) {
  if (o.type.is_signed)
    return o.type.saturate(o.x * o.y + o.z);
  const UnsignedWide sum = UnsignedWide(o.x) * UnsignedWide(o.y) + UnsignedWide(o.z); // fits exactly
  return sum > UnsignedWide(o.type.max()) ? o.type.max() : Wide(sum);
}

Wide rotated(const Operands &o) {
  const unsigned by = unsigned(o.bitsOf(o.y) % o.type.bits);
  const UnsignedWide x = o.bitsOf(o.x);
  return Wide(x << by | x >> (o.type.bits - by));
}

Wide leadingZeros(const Operands &o) {
  Wide count = 0;
  while (count < o.type.bits && (o.bitsOf(o.x) >> (o.type.bits - 1 - unsigned(count)) & 1) == 0)
    ++count;
  return count;
}

Wide trailingZeros(const Operands &o) {
  Wide count = 0;
  while (count < o.type.bits && (o.bitsOf(o.x) >> count & 1) == 0)
    ++count;
  return count;
}

Wide reversed(const Operands &o) {
  UnsignedWide result = 0;
  for (unsigned bit = 0; bit < o.type.bits; ++bit)
    result |= (o.bitsOf(o.x) >> bit & 1) << (o.type.bits - 1 - bit);
  return Wide(result);
}

// A field of bits: its place and its length, which leave it inside of the type. FIELD says the same in OpenCL C.
struct Field {
  unsigned offset, count;
};
Field fieldOf(const Operands &o) {
  const unsigned offset = unsigned(o.bitsOf(o.first_y) % o.type.bits);
  return {offset, unsigned(o.bitsOf(o.first_z) % (o.type.bits - offset + 1))};
}
#define FIELD "(uint)((U)sy % BITS), (uint)((U)sz % (BITS - (uint)((U)sy % BITS) + 1))"

Wide extracted(const Operands &o, bool is_signed) {
  const Field field = fieldOf(o);
  const UnsignedWide value = o.bitsOf(o.x) >> field.offset & ((UnsignedWide(1) << field.count) - 1);
  const bool negative = is_signed && field.count != 0 && (value >> (field.count - 1) & 1) != 0;
  return Wide(value) - (negative ? Wide(1) << field.count : 0);
}

Wide inserted(const Operands &o) {
  const Field field = fieldOf(o);
  const UnsignedWide mask = ((UnsignedWide(1) << field.count) - 1) << field.offset;
  return Wide((o.bitsOf(o.x) & ~mask) | (o.bitsOf(o.y) << field.offset & mask));
}

Wide low24(const Operands &o, Wide x) {
  return o.type.is_signed ? Wide(int32_t(uint32_t(o.bitsOf(x)) << 8) >> 8) : Wide(o.bitsOf(x) & 0xffffff);
}
#define LOW_24(x) "((" x " << 8) >> 8)"

Wide maskBit(const Operands &o, bool is_scalar) {
  return is_scalar ? Wide(o.z != 0) : Wide(o.bitsOf(o.z) >> (o.type.bits - 1));
}

const std::vector<Function> &functions() {
  static const std::vector<Function> table = {
      {"abs", "abs(x)", Result::Unsigned, [](const Operands &o) { return o.x < 0 ? -o.x : o.x; }},
      {"abs_diff", "abs_diff(x, y)", Result::Unsigned,
       [](const Operands &o) { return o.x > o.y ? o.x - o.y : o.y - o.x; }},
      {"add_sat", "add_sat(x, y)", Result::Same, [](const Operands &o) { return o.type.saturate(o.x + o.y); }},
      {"sub_sat", "sub_sat(x, y)", Result::Same, [](const Operands &o) { return o.type.saturate(o.x - o.y); }},
      {"hadd", "hadd(x, y)", Result::Same, [](const Operands &o) { return (o.x + o.y) >> 1; }},
      {"rhadd", "rhadd(x, y)", Result::Same, [](const Operands &o) { return (o.x + o.y + 1) >> 1; }},
      {"clamp", "clamp(x, min(y, z), max(y, z))", Result::Same,
       [](const Operands &o) { return std::clamp(o.x, std::min(o.y, o.z), std::max(o.y, o.z)); }},
      {"clamp_scalars", "clamp(x, sy < sz ? sy : sz, sy < sz ? sz : sy)", Result::Same,
       [](const Operands &o) {
         return std::clamp(o.x, std::min(o.first_y, o.first_z), std::max(o.first_y, o.first_z));
       },
       isVector},
      {"min", "min(x, y)", Result::Same, [](const Operands &o) { return std::min(o.x, o.y); }},
      {"max", "max(x, y)", Result::Same, [](const Operands &o) { return std::max(o.x, o.y); }},
      {"min_scalar", "min(x, sy)", Result::Same, [](const Operands &o) { return std::min(o.x, o.first_y); }, isVector},
      {"max_scalar", "max(x, sy)", Result::Same, [](const Operands &o) { return std::max(o.x, o.first_y); }, isVector},
      {"clz", "clz(x)", Result::Same, leadingZeros},
      {"ctz", "ctz(x)", Result::Same, trailingZeros},
      {"popcount", "popcount(x)", Result::Same,
       [](const Operands &o) { return Wide(std::popcount(uint64_t(o.bitsOf(o.x)))); }},
      {"mul_hi", "mul_hi(x, y)", Result::Same, highHalf},
      {"mad_hi", "mad_hi(x, y, z)", Result::Same, [](const Operands &o) { return highHalf(o) + o.z; }},
      {"mad_sat", "mad_sat(x, y, z)", Result::Same, madSat},
      {"rotate", "rotate(x, y)", Result::Same, rotated},
      {"upsample", "upsample(x, as_UN(y))", Result::Twice,
       [](const Operands &o) { return Wide(o.bitsOf(o.x) << o.type.bits | o.bitsOf(o.y)); }, isBelowLong},
      {"mul24", "mul24(" LOW_24("x") ", " LOW_24("y") ")", Result::Same,
       [](const Operands &o) { return low24(o, o.x) * low24(o, o.y); }, isInt},
      {"mad24", "mad24(" LOW_24("x") ", " LOW_24("y") ", z)", Result::Same,
       [](const Operands &o) { return low24(o, o.x) * low24(o, o.y) + o.z; }, isInt},
      // What a compiler makes of them that believes that nothing overflows.
      {"mad_hi_compared", "mad_hi(x, y, z) > mul_hi(x, y)", Result::Same,
       [](const Operands &o) { return Wide(o.type.wrap(highHalf(o) + o.z) > highHalf(o)); }, isScalar},
      {"mul24_extended", "mul24(" LOW_24("x") ", " LOW_24("y") ")", Result::Twice,
       [](const Operands &o) { return o.type.wrap(low24(o, o.x) * low24(o, o.y)); }, isScalarInt},
      {"mad24_compared", "mad24(" LOW_24("x") ", " LOW_24("y") ", z) > mul24(" LOW_24("x") ", " LOW_24("y") ")",
       Result::Same,
       [](const Operands &o) {
         const Wide product = o.type.wrap(low24(o, o.x) * low24(o, o.y));
         return Wide(o.type.wrap(product + o.z) > product);
       },
       isScalarInt},
      {"select_scalar", "select(x, y, z)", Result::Same, [](const Operands &o) { return maskBit(o, true) ? o.y : o.x; },
       isScalar},
      {"select_vector", "select(x, y, z)", Result::Same,
       [](const Operands &o) { return maskBit(o, false) ? o.y : o.x; }, isVector},
      {"select_unsigned", "select(x, y, as_UN(z))", Result::Same,
       [](const Operands &o) { return maskBit(o, false) ? o.y : o.x; }, isVector},
      {"bitselect", "bitselect(x, y, z)", Result::Same, [](const Operands &o) { return (o.x & ~o.z) | (o.y & o.z); }},
      {"bit_reverse", "bit_reverse(x)", Result::Same, reversed},
      {"bitfield_insert", "bitfield_insert(x, y, " FIELD ")", Result::Same, inserted},
      {"bitfield_extract_signed", "as_TN(bitfield_extract_signed(x, " FIELD "))", Result::Same,
       [](const Operands &o) { return extracted(o, true); }},
      {"bitfield_extract_unsigned", "as_TN(bitfield_extract_unsigned(x, " FIELD "))", Result::Same,
       [](const Operands &o) { return extracted(o, false); }},
  };
  return table;
}

IntegerType resultType(const IntegerType &type, Result result) {
  if (result == Result::Same)
    return type;
  if (result == Result::Unsigned)
    return {type.unsigned_name, type.unsigned_name, type.bits, false};
  for (const IntegerType &twice : kIntegerTypes)
    if (twice.bits == 2 * type.bits && twice.is_signed == type.is_signed)
      return twice;
  throw std::logic_error("no type of twice the width");
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// As parts of words, too.
std::string withTypes(const Function &function, const IntegerType &type, unsigned width) {
  const std::string n = width == 1 ? "" : std::to_string(width), t = type.name, u = type.unsigned_name;
  std::string call = replaced(replaced(function.call, "as_UN", "as_" + u + n), "as_TN", "as_" + t + n);
  call = replaced(replaced(call, "(U)", "(" + u + ")"), "BITS", std::to_string(type.bits));
  return call;
}

TableFunction tableFunction(const Function &function, const IntegerType &type, unsigned width) {
  const std::string n = width == 1 ? "" : std::to_string(width), t = type.name,
                    first = "[i * " + std::to_string(width) + "]";
  return {std::string(function.name) + std::to_string(width),
          {t, t, t},
          resultType(type, function.result).name,
          "  " + t + n + " x = " + loaded(width, "in0") + ", y = " + loaded(width, "in1") +
              ", z = " + loaded(width, "in2") + ";\n  " + t + " sy = in1" + first + ", sz = in2" + first + ";\n  " +
              stored(width, withTypes(function, type, width), "i")};
}

struct Inputs {
  std::vector<Wide> x, y, z;
  void add(Wide a, Wide b, Wide c) {
    x.push_back(a);
    y.push_back(b);
    z.push_back(c);
  }
};

Inputs inputsOf(const IntegerType &type, unsigned width) {
  Inputs inputs;
  const std::vector<Wide> edges = edgesOf(type);
  for (const Wide x : edges)
    for (const Wide y : edges)
      for (const Wide z : edges)
        inputs.add(x, y, z);
  if (type.bits == 8 && width == 1)
    for (const Wide z : edges)
      for (unsigned pair = 0; pair < 65536; ++pair)
        inputs.add(type.wrap(pair >> 8), type.wrap(pair & 255), z);
  std::mt19937_64 random(type.bits * 17 + width);
  for (int i = 0; i < 20000; ++i) { // of any magnitude
    const auto next = [&] { return type.wrap(Wide(int64_t(random()) >> random() % 64)); };
    inputs.add(next(), next(), next());
  }
  while (inputs.x.size() % 48 != 0)
    inputs.add(0, 0, 0);
  return inputs;
}

Bytes bytesOf(const std::vector<Wide> &values, const IntegerType &type) {
  Bytes bytes;
  for (const Wide value : values)
    appendValue(bytes, value, type.bytes());
  return bytes;
}

// The first wrong component, in words; empty when there is none.
std::string firstWrong(const std::vector<uint8_t> &got, const Function &function, const IntegerType &type,
                       unsigned width, const Inputs &inputs) {
  const IntegerType result = resultType(type, function.result);
  for (size_t i = 0; i < inputs.x.size(); ++i) {
    const size_t first = i - i % width;
    const Wide want =
        result.wrap(function.expected({type, inputs.x[i], inputs.y[i], inputs.z[i], inputs.y[first], inputs.z[first]}));
    if (valueAt(got, i, result) != want)
      return std::string(function.name) + " of " + decimal(inputs.x[i]) + ", " + decimal(inputs.y[i]) + ", " +
             decimal(inputs.z[i]) + " (scalars " + decimal(inputs.y[first]) + ", " + decimal(inputs.z[first]) +
             ") is " + decimal(valueAt(got, i, result)) + ", not " + decimal(want);
  }
  return "";
}

void checkWidth(Runner &runner, const IntegerType &type, unsigned width) {
  const Inputs inputs = inputsOf(type, width);
  const std::vector<Bytes> bytes{bytesOf(inputs.x, type), bytesOf(inputs.y, type), bytesOf(inputs.z, type)};
  for (const Function &function : functions()) {
    if (!function.has(type, width))
      continue;
    const Bytes got = runner.run(function.name + std::to_string(width), inputs.x.size() / width, bytes,
                                 inputs.x.size() * resultType(type, function.result).bytes());
    INFO(type.name << width);
    CHECK(firstWrong(got, function, type, width, inputs) == "");
  }
}

} // namespace

TEST_CASE("integer functions of every type and width", "[integers]") {
  const std::unique_ptr<Runner> runner = makeRunner();
  for (const IntegerType &type : kIntegerTypes) {
    std::vector<TableFunction> all;
    for (const unsigned width : runner->widths())
      for (const Function &function : functions())
        if (function.has(type, width))
          all.push_back(tableFunction(function, type, width));
    runner->build(all);
    for (const unsigned width : runner->widths())
      checkWidth(*runner, type, width);
  }
}

namespace {

// Dot products of four bytes of each signedness, as vectors and packed.
struct Dot {
  const char *left, *right, *result, *packed;
  bool left_signed, right_signed;
};
const Dot kDots[] = {{"uchar4", "uchar4", "uint", "uu_uint", false, false},
                     {"char4", "char4", "int", "ss_int", true, true},
                     {"uchar4", "char4", "int", "us_int", false, true},
                     {"char4", "uchar4", "int", "su_int", true, false}};

Wide dotOf(const Dot &dot, uint32_t x, uint32_t y) {
  const auto byte = [](uint32_t v, unsigned i, bool is_signed) {
    return is_signed ? Wide(int8_t(v >> 8 * i)) : Wide(uint8_t(v >> 8 * i));
  };
  Wide sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    sum += byte(x, i, dot.left_signed) * byte(y, i, dot.right_signed);
  return sum;
}

struct DotInputs {
  std::vector<uint32_t> x, y, sum;
};

DotInputs dotInputs(const IntegerType &type) {
  DotInputs in;
  const auto add = [&](uint32_t x, uint32_t y, Wide sum) {
    in.x.push_back(x);
    in.y.push_back(y);
    in.sum.push_back(uint32_t(sum));
  };
  for (const uint32_t x : {0u, 0xffffffffu, 0x80808080u, 0x7f7f7f7fu, 0x807fff01u})
    for (const uint32_t y : {0u, 0xffffffffu, 0x80808080u, 0x7f7f7f7fu, 0xff80017fu})
      for (const Wide sum : edgesOf(type))
        add(x, y, sum);
  std::mt19937 random(3);
  for (int i = 0; i < 50000; ++i) {
    const auto x = uint32_t(random()), y = uint32_t(random());
    add(x, y, i % 3 == 0 ? type.max() - random() % 200000 : i % 3 == 1 ? type.min() + random() % 200000 : Wide(x ^ y));
  }
  return in;
}

Bytes bytesOf(const std::vector<uint32_t> &values) {
  Bytes bytes;
  for (const uint32_t value : values)
    appendValue(bytes, Wide(value), 4);
  return bytes;
}

TableFunction tableFunction(const Dot &dot) {
  const std::string left = dot.left, right = dot.right, packed = dot.packed;
  return {"dot_" + packed,
          {"uint", "uint", dot.result},
          dot.result,
          "  " + left + " a = as_" + left + "(in0[i]);\n  " + right + " b = as_" + right + "(in1[i]);\n" +
              "  out[4 * i] = dot(a, b);\n  out[4 * i + 1] = dot_acc_sat(a, b, in2[i]);\n" +
              "  out[4 * i + 2] = dot_4x8packed_" + packed + "(in0[i], in1[i]);\n" +
              "  out[4 * i + 3] = dot_acc_sat_4x8packed_" + packed + "(in0[i], in1[i], in2[i]);\n"};
}

void checkDot(Runner &runner, const Dot &dot) {
  const IntegerType type = kIntegerTypes[dot.result[0] == 'u' ? 5 : 4];
  const DotInputs in = dotInputs(type);
  const Bytes got = runner.run("dot_" + std::string(dot.packed), in.x.size(),
                               {bytesOf(in.x), bytesOf(in.y), bytesOf(in.sum)}, 16 * in.x.size());
  size_t wrong = 0;
  for (size_t i = 0; i < in.x.size(); ++i) {
    const Wide product = dotOf(dot, in.x[i], in.y[i]), sum = type.saturate(product + type.wrap(in.sum[i]));
    for (size_t k = 0; k < 4; ++k)
      wrong += valueAt(got, 4 * i + k, type) != (k % 2 == 0 ? product : sum);
  }
  INFO(dot.left << " and " << dot.right);
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("dot products of bytes", "[integers]") {
  const std::unique_ptr<Runner> runner = makeRunner();
  std::vector<TableFunction> all;
  for (const Dot &dot : kDots)
    all.push_back(tableFunction(dot));
  runner->build(all);
  for (const Dot &dot : kDots)
    checkDot(*runner, dot);
}
