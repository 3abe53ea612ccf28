// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate.h"

#include "builder.h"
#include "image_accesses.h"
#include "support/bfloat16.hpp"

#include <algorithm>
#include <optional>

namespace lanecl::modules {
namespace {

constexpr unsigned kWidths[] = {8, 16, 32, 64};

struct Binary {
  const char *name;
  uint64_t (*apply)(uint64_t a, uint64_t b, unsigned bits);
};

constexpr Binary kBinaries[] = {
    {"OpIAdd", [](uint64_t a, uint64_t b, unsigned) { return a + b; }},
    {"OpISub", [](uint64_t a, uint64_t b, unsigned) { return a - b; }},
    {"OpIMul", [](uint64_t a, uint64_t b, unsigned) { return a * b; }},
    {"OpBitwiseAnd", [](uint64_t a, uint64_t b, unsigned) { return a & b; }},
    {"OpBitwiseOr", [](uint64_t a, uint64_t b, unsigned) { return a | b; }},
    {"OpBitwiseXor", [](uint64_t a, uint64_t b, unsigned) { return a ^ b; }},
};

constexpr Binary kFunctions[] = {
    // of OpenCL.std
    {"u_max", [](uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }},
    {"u_min", [](uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }},
    {"s_max", [](uint64_t a, uint64_t b, unsigned n) { return uint64_t(std::max(extended(a, n), extended(b, n))); }},
    {"s_min", [](uint64_t a, uint64_t b, unsigned n) { return uint64_t(std::min(extended(a, n), extended(b, n))); }},
    {"u_abs_diff", [](uint64_t a, uint64_t b, unsigned) { return a > b ? a - b : b - a; }},
    {"rotate",
     [](uint64_t a, uint64_t b, unsigned n) {
       const unsigned by = unsigned(b % n);
       return by == 0 ? a : a << by | narrowed(a, n) >> (n - by);
     }},
};

constexpr Binary kComparisons[] = {
    {"OpIEqual", [](uint64_t a, uint64_t b, unsigned) { return uint64_t(a == b); }},
    {"OpINotEqual", [](uint64_t a, uint64_t b, unsigned) { return uint64_t(a != b); }},
    {"OpULessThan", [](uint64_t a, uint64_t b, unsigned) { return uint64_t(a < b); }},
    {"OpSGreaterThan", [](uint64_t a, uint64_t b, unsigned n) { return uint64_t(extended(a, n) > extended(b, n)); }},
};

struct OfBfloat16 {
  const char *name;
  float (*apply)(float a, float b);
};

constexpr OfBfloat16 kOfBfloat16[] = {
    {"OpFAdd", [](float a, float b) { return a + b; }},
    {"OpFSub", [](float a, float b) { return a - b; }},
    {"OpFMul", [](float a, float b) { return a * b; }},
    {"OpFDiv", [](float a, float b) { return a / b; }},
};

struct Group {
  const char *name;
  uint64_t (*apply)(uint64_t a, uint64_t b);
  uint64_t identity;
};

constexpr Group kGroups[] = {
    {"OpGroupIAdd", [](uint64_t a, uint64_t b) { return a + b; }, 0},
    {"OpGroupIMulKHR", [](uint64_t a, uint64_t b) { return a * b; }, 1},
    {"OpGroupBitwiseAndKHR", [](uint64_t a, uint64_t b) { return a & b; }, UINT64_MAX},
    {"OpGroupBitwiseOrKHR", [](uint64_t a, uint64_t b) { return a | b; }, 0},
    {"OpGroupBitwiseXorKHR", [](uint64_t a, uint64_t b) { return a ^ b; }, 0},
};

class Generator : public Builder {
public:
  explicit Generator(Random &random) : Builder(random) {}

  Sample generate() {
    hinted = below(2) == 0;
    bfloat16 = below(2) == 0;
    Sample sample;
    sample.minor = below(7);
    width = sample.minor == 0 ? 0 : 8u << below(3); // 1.0 cannot ask for a sub-group size
    for (size_t i = 0; i < kItems; ++i)
      sample.input.push_back(below(3) == 0 ? below(5) : uint32_t(random()));
    Value in{"%loaded", 32, {}}, id{"%id", 64, {}};
    for (size_t i = 0; i < kItems; ++i)
      in.lanes[i] = sample.input[i], id.lanes[i] = i;
    values = {in, id, constant(32, uint32_t(random())), constant(8, 3)};
    block = "%entry";
    if (below(2) == 0)
      images.emplace(*this, sample.minor);
    statements(4 + below(12), 0);
    store(sample);
    sample.text = module();
    if (images)
      sample.images = images->results(), sample.sampler = images->samplerArgument();
    return sample;
  }

private:
  unsigned anyWidth() { return kWidths[below(4)]; }

  Value binary(const Binary &operation, unsigned bits, unsigned result, const std::string &prefix = "") {
    const Value a = take(bits), b = take(bits);
    const std::string name = prefix.empty() ? std::string(operation.name) + " " + type(result)
                                            : "OpExtInst " + type(result) + prefix + operation.name;
    return each(name + " " + a.name + " " + b.name, result,
                [&](size_t i) { return operation.apply(a.lanes[i], b.lanes[i], bits); });
  }

  Value comparison() { return binary(kComparisons[below(std::size(kComparisons))], anyWidth(), 1); }
  Value arithmetic(unsigned bits) { return binary(kBinaries[below(std::size(kBinaries))], bits, bits); }

  Value shift(unsigned bits) {
    const Value a = take(bits), by = constant(bits, below(bits));
    const unsigned kind = below(3);
    const char *const name[] = {"OpShiftLeftLogical ", "OpShiftRightLogical ", "OpShiftRightArithmetic "};
    return each(name[kind] + type(bits) + " " + a.name + " " + by.name, bits, [&](size_t i) {
      const uint64_t x = a.lanes[i], n = by.lanes[i];
      return kind == 0 ? x << n : kind == 1 ? x >> n : uint64_t(extended(x, bits) >> n);
    });
  }

  Value division(unsigned bits) {
    const Value a = take(bits), b = take(bits), one = constant(bits, 1);
    const Value odd = each("OpBitwiseOr " + type(bits) + " " + b.name + " " + one.name, bits,
                           [&](size_t i) { return b.lanes[i] | 1; });
    const bool rest = below(2) == 0;
    return each(std::string(rest ? "OpUMod " : "OpUDiv ") + type(bits) + " " + a.name + " " + odd.name, bits,
                [&](size_t i) { return rest ? a.lanes[i] % odd.lanes[i] : a.lanes[i] / odd.lanes[i]; });
  }

  Value selection(unsigned bits) {
    const Value condition = comparison(), a = take(bits), b = take(bits);
    return each("OpSelect " + type(bits) + " " + condition.name + " " + a.name + " " + b.name, bits,
                [&](size_t i) { return condition.lanes[i] ? a.lanes[i] : b.lanes[i]; });
  }

  struct Vector {
    std::string name;
    std::array<Value, 4> numbers;
  };
  Vector four() {
    Vector vector{fresh(), {}};
    std::string components;
    for (Value &number : vector.numbers)
      number = take(32), components += " " + number.name;
    line(vector.name + " = OpCompositeConstruct %u32x4" + components);
    return vector;
  }

  Value belowFour() {
    const Value any = take(32), mask = constant(32, 3);
    return each("OpBitwiseAnd %u32 " + any.name + " " + mask.name, 32, [&](size_t i) { return any.lanes[i] & 3; });
  }

  // Four components are made, combined with others or exchanged, and one is taken.
  Value vector() {
    const auto [x, a] = four();
    const auto [y, b] = four();
    const std::string z = fresh();
    const unsigned which = below(4);
    const std::string taken = "OpCompositeExtract %u32 " + z + " " + std::to_string(which);
    if (below(2) == 0) {
      const Binary &operation = kBinaries[below(std::size(kBinaries))];
      line(z + " = " + operation.name + " %u32x4 " + x + " " + y);
      return each(taken, 32, [&](size_t i) { return operation.apply(a[which].lanes[i], b[which].lanes[i], 32); });
    }
    std::string numbers;
    std::array<unsigned, 4> order;
    for (unsigned &number : order)
      numbers += " " + std::to_string(number = below(8));
    line(z + " = OpVectorShuffle %u32x4 " + x + " " + y + numbers);
    const Lanes &source = order[which] < 4 ? a[order[which]].lanes : b[order[which] - 4].lanes;
    return each(taken, 32, [&](size_t i) { return source[i]; });
  }

  // Four components from two vectors of two, or from one and two numbers.
  Value joined() {
    std::array<Value, 4> numbers;
    for (Value &number : numbers)
      number = take(32);
    const auto two = [&](size_t first) {
      const std::string pair = fresh();
      line(pair + " = OpCompositeConstruct %u32x2 " + numbers[first].name + " " + numbers[first + 1].name);
      return " " + pair;
    };
    std::string parts;
    switch (below(3)) {
    case 0: parts = two(0) + two(2); break;
    case 1: parts = " " + numbers[0].name + two(1) + " " + numbers[3].name; break;
    default: parts = two(0) + " " + numbers[2].name + " " + numbers[3].name; break;
    }
    const std::string whole = fresh();
    line(whole + " = OpCompositeConstruct %u32x4" + parts);
    const unsigned which = below(4);
    return each("OpCompositeExtract %u32 " + whole + " " + std::to_string(which), 32,
                [&](size_t i) { return numbers[which].lanes[i]; });
  }

  // Each work-item takes another component, or puts a number there before a certain one is taken.
  Value dynamicComponent() {
    const auto [whole, numbers] = four();
    const Value index = belowFour();
    const std::string changed = fresh();
    if (below(2) == 0)
      return each("OpVectorExtractDynamic %u32 " + whole + " " + index.name, 32,
                  [&](size_t i) { return numbers[index.lanes[i]].lanes[i]; });
    const Value put = take(32);
    const unsigned which = below(4);
    line(changed + " = OpVectorInsertDynamic %u32x4 " + whole + " " + put.name + " " + index.name);
    return each("OpCompositeExtract %u32 " + changed + " " + std::to_string(which), 32,
                [&](size_t i) { return (index.lanes[i] == which ? put : numbers[which]).lanes[i]; });
  }

  Value structure() {
    const Value a = take(32), b = take(64);
    const std::string whole = fresh(), changed = fresh();
    line(whole + " = OpCompositeConstruct %pair " + a.name + " " + b.name);
    const Value c = take(64);
    line(changed + " = OpCompositeInsert %pair " + c.name + " " + whole + " 1");
    if (below(2) == 0)
      return each("OpCompositeExtract %u64 " + changed + " 1", 64, [&](size_t i) { return c.lanes[i]; });
    return each("OpCompositeExtract %u32 " + changed + " 0", 32, [&](size_t i) { return a.lanes[i]; });
  }

  // Four numbers and a pair in one, whole or as one of two in an array.
  Value nested() {
    const auto [vector, numbers] = four();
    const Value first = take(32), second = take(64);
    const std::string two = fresh();
    line(two + " = OpCompositeConstruct %pair " + first.name + " " + second.name);
    std::string whole = fresh(), path;
    line(whole + " = OpCompositeConstruct %nested " + vector + " " + two);
    if (below(2) == 0) {
      const std::string array = fresh();
      const unsigned place = below(2);
      line(array + " = OpCompositeConstruct %array " + (place == 0 ? whole + " %none" : "%none " + whole));
      whole = array, path = " " + std::to_string(place);
    }
    const unsigned which = below(6);
    if (which == 5)
      return each("OpCompositeExtract %u64 " + whole + path + " 1 1", 64, [&](size_t i) { return second.lanes[i]; });
    const Value &taken = which == 4 ? first : numbers[which];
    path += which == 4 ? " 1 0" : " 0 " + std::to_string(which);
    return each("OpCompositeExtract %u32 " + whole + path, 32, [&](size_t i) { return taken.lanes[i]; });
  }

  // Work-items come by one of two blocks with a pair of each.
  Value chosenStructure() {
    const Value condition = comparison();
    const std::string end = fresh(), chosen = fresh();
    const std::array<std::string, 2> labels{fresh(), fresh()};
    line("OpSelectionMerge " + end + " None");
    line("OpBranchConditional " + condition.name + " " + labels[0] + " " + labels[1]);
    std::array<Value, 2> firsts, seconds;
    std::string sources;
    for (size_t arm = 0; arm < 2; ++arm) {
      const size_t outside = values.size();
      enter(labels[arm]);
      firsts[arm] = take(32), seconds[arm] = take(64);
      const std::string pair = fresh();
      line(pair + " = OpCompositeConstruct %pair " + firsts[arm].name + " " + seconds[arm].name);
      sources += " " + pair + " " + block;
      line("OpBranch " + end);
      values.resize(outside);
    }
    enter(end);
    line(chosen + " = OpPhi %pair" + sources);
    const auto ofArm = [&](const std::array<Value, 2> &both, size_t i) {
      return both[condition.lanes[i] ? 0 : 1].lanes[i];
    };
    if (below(2) == 0)
      return each("OpCompositeExtract %u64 " + chosen + " 1", 64, [&](size_t i) { return ofArm(seconds, i); });
    return each("OpCompositeExtract %u32 " + chosen + " 0", 32, [&](size_t i) { return ofArm(firsts, i); });
  }

  // A function takes a pair and gives one that holds the numbers' sum twice.
  Value calledWithStructure() {
    const Value a = take(32), b = take(64);
    const std::string given = fresh(), got = fresh();
    line(given + " = OpCompositeConstruct %pair " + a.name + " " + b.name);
    line(got + " = OpFunctionCall %pair %add_pair " + given);
    const unsigned bits = below(2) == 0 ? 32 : 64;
    return each("OpCompositeExtract " + type(bits) + " " + got + (bits == 32 ? " 0" : " 1"), bits,
                [&](size_t i) { return narrowed(a.lanes[i] + b.lanes[i], bits); });
  }

  Value composite() {
    switch (below(6)) {
    case 0: return nested();
    case 1: return chosenStructure();
    case 2: return calledWithStructure();
    case 3: return joined();
    case 4: return dynamicComponent();
    default: return structure();
    }
  }

  // Selects bits of two numbers by those of a third one. There are many NaN, and one is as good as another.
  Value ofBfloat16() {
    const OfBfloat16 &operation = kOfBfloat16[below(std::size(kOfBfloat16))];
    const Value a = take(16), b = take(16), nan = constant(16, 0x7fc0);
    const std::string x = fresh(), y = fresh(), result = fresh(), is_nan = fresh(), bits = fresh();
    line(x + " = OpBitcast %bf " + a.name);
    line(y + " = OpBitcast %bf " + b.name);
    line(result + " = " + operation.name + " %bf " + x + " " + y);
    line(is_nan + " = OpIsNan %bool " + result);
    line(bits + " = OpBitcast %u16 " + result);
    return each("OpSelect %u16 " + is_nan + " " + nan.name + " " + bits, 16, [&](size_t i) -> uint64_t {
      const float number =
          operation.apply(test::fromBfloat16(uint16_t(a.lanes[i])), test::fromBfloat16(uint16_t(b.lanes[i])));
      return std::isnan(number) ? 0x7fc0 : test::toBfloat16(number);
    });
  }

  // What a hint about aliasing adds to memory operands.
  std::string access(unsigned alignment) {
    const std::string mask = below(2) == 0 ? "Aligned" : "Aligned|Volatile";
    if (!hinted || below(2) == 0)
      return " " + mask + " " + std::to_string(alignment);
    return " " + mask + "|AliasScopeINTELMask|NoAliasINTELMask " + std::to_string(alignment) + " %scopes %scopes";
  }

  // A variable that is a structure: a member, or a component of a vector in it, is written, and all of it read.
  Value memoryOfStructure() {
    const Value a = take(32), b = take(32), zero = constant(32, 0), one = constant(32, 1);
    const std::string variable = fresh(), component = fresh(), member = fresh(), whole = fresh();
    const unsigned which = below(4);
    const Value number = constant(32, which);
    variables += variable + " = OpVariable %private_nested Function\n";
    line("OpStore " + variable + " %none" + access(16));
    line(component + " = OpInBoundsAccessChain %private " + variable + " " + zero.name + " " + number.name);
    line(member + " = OpInBoundsAccessChain %private " + variable + " " + one.name + " " + zero.name);
    line("OpStore " + component + " " + a.name + access(4));
    line("OpStore " + member + " " + b.name + access(4));
    line(whole + " = OpLoad %nested " + variable + access(16));
    if (below(2) == 0)
      return each("OpCompositeExtract %u32 " + whole + " 0 " + std::to_string(which), 32,
                  [&](size_t i) { return a.lanes[i]; });
    return each("OpCompositeExtract %u32 " + whole + " 1 0", 32, [&](size_t i) { return b.lanes[i]; });
  }

  Value memory() {
    if (below(2) == 0)
      return memoryOfStructure();
    const Value a = take(32);
    const std::string variable = fresh();
    variables += variable + " = OpVariable %private Function\n";
    line("OpStore " + variable + " " + a.name + access(4));
    return each("OpLoad %u32 " + variable + access(4), 32, [&](size_t i) { return a.lanes[i]; });
  }

  Value call() {
    const Value a = take(32), b = take(32);
    return each("OpFunctionCall %u32 %helper " + a.name + " " + b.name, 32,
                [&](size_t i) { return narrowed(a.lanes[i] * 3, 32) ^ narrowed(b.lanes[i] - a.lanes[i], 32); });
  }

  // Only where all work-items come by.
  Value group() {
    const Group &operation = kGroups[below(std::size(kGroups))];
    const unsigned bits = 32 << below(2), kind = below(3);
    const bool of_sub_group = width != 0 && below(2) == 0;
    const Value x = take(bits);
    const size_t limit = of_sub_group ? width : kItems;
    Lanes lanes;
    for (size_t begin = 0; begin < kItems; begin += limit) {
      uint64_t total = operation.identity;
      for (size_t i = begin; i < std::min(begin + limit, kItems); ++i) {
        lanes[i] = total;
        total = operation.apply(total, x.lanes[i]);
        if (kind == 1)
          lanes[i] = total;
      }
      for (size_t i = begin; kind == 0 && i < std::min(begin + limit, kItems); ++i)
        lanes[i] = total;
    }
    const char *const kinds[] = {" Reduce ", " InclusiveScan ", " ExclusiveScan "};
    return each(operation.name + std::string(" ") + type(bits) + (of_sub_group ? " %sub_group" : " %work_group") +
                    kinds[kind] + x.name,
                bits, [&](size_t i) { return lanes[i]; });
  }

  // Two arms, of which each work-item takes one, or a switch with three.
  void branches(unsigned depth) {
    const bool is_switch = below(3) == 0;
    const Value chosen = is_switch ? division(anyWidth()) : comparison();
    const size_t arms = is_switch ? 3 : 2;
    const std::string end = fresh();
    std::vector<std::string> labels;
    for (size_t arm = 0; arm < arms; ++arm)
      labels.push_back(fresh());
    line("OpSelectionMerge " + end + " None");
    if (is_switch)
      line("OpSwitch " + chosen.name + " " + labels[2] + " 0 " + labels[0] + " 1 " + labels[1]);
    else
      line("OpBranchConditional " + chosen.name + " " + labels[0] + " " + labels[1]);
    const auto armOf = [&](size_t i) -> size_t {
      return is_switch ? std::min<uint64_t>(chosen.lanes[i], 2) : chosen.lanes[i] ? 0 : 1;
    };
    const unsigned bits = anyWidth();
    const auto all = active;
    std::vector<Value> results;
    std::string sources;
    for (size_t arm = 0; arm < arms; ++arm) {
      const size_t outside = values.size();
      for (size_t i = 0; i < kItems; ++i)
        active[i] = all[i] && armOf(i) == arm;
      enter(labels[arm]);
      statements(1 + below(3), depth + 1);
      results.push_back(arithmetic(bits));
      sources += " " + results.back().name + " " + block;
      line("OpBranch " + end);
      values.resize(outside);
    }
    active = all;
    enter(end);
    values.push_back(each("OpPhi " + type(bits) + sources, bits, [&](size_t i) { return results[armOf(i)].lanes[i]; }));
  }

  // sum = operation(sum, addend), as often as the work-item's count says.
  void loop() {
    const Value zero = constant(32, 0), one = constant(32, 1), count = belowFour();
    const Value begin = take(32), addend = take(32);
    const Binary &operation = kBinaries[below(std::size(kBinaries))];
    const std::string head = fresh(), inside = fresh(), end = fresh(), number = fresh(), next = fresh(),
                      changed = fresh(), more = fresh(), before = block;
    line("OpBranch " + head);
    enter(head);
    line(number + " = OpPhi %u32 " + zero.name + " " + before + " " + next + " " + inside);
    const Value sum = each("OpPhi %u32 " + begin.name + " " + before + " " + changed + " " + inside, 32, [&](size_t i) {
      uint64_t total = begin.lanes[i];
      for (uint64_t turn = 0; turn < count.lanes[i]; ++turn)
        total = narrowed(operation.apply(total, addend.lanes[i], 32), 32);
      return total;
    });
    line(more + " = OpULessThan %bool " + number + " " + count.name);
    const char *const controls[] = {" None", " Unroll", " DontUnroll"};
    line("OpLoopMerge " + end + " " + inside + controls[below(3)]);
    line("OpBranchConditional " + more + " " + inside + " " + end);
    enter(inside);
    line(changed + " = " + operation.name + " %u32 " + sum.name + " " + addend.name);
    line(next + " = OpIAdd %u32 " + number + " " + one.name);
    line("OpBranch " + head);
    enter(end);
    values.push_back(sum);
  }

  void enter(const std::string &label) {
    line(label + " = OpLabel");
    block = label;
  }

  void statements(unsigned count, unsigned depth) {
    for (; count > 0; --count)
      statement(depth);
  }

  void statement(unsigned depth) {
    const unsigned bits = anyWidth(), kind = below(images ? 18 : 14);
    switch (kind) {
    case 0: values.push_back(shift(bits)); break;
    case 1: values.push_back(division(bits)); break;
    case 2: values.push_back(selection(bits)); break;
    case 3: values.push_back(vector()); break;
    case 4: values.push_back(composite()); break;
    case 5: values.push_back(memory()); break;
    case 6: values.push_back(call()); break;
    case 7: values.push_back(binary(kFunctions[below(std::size(kFunctions))], bits, bits, " %opencl ")); break;
    case 8: depth == 0 ? values.push_back(group()) : loop(); break;
    case 9: depth < 3 ? branches(depth) : loop(); break;
    case 10: loop(); break;
    case 11: values.push_back(bfloat16 ? ofBfloat16() : arithmetic(16)); break;
    case 14:
    case 15:
    case 16: values.push_back(images->read()); break;
    case 17: images->write(); break;
    default: values.push_back(arithmetic(bits)); break;
    }
  }

  // All values, so that none is dead.
  void store(Sample &sample) {
    Value total = constant(64, 0);
    for (const Value &value : std::vector<Value>(values)) {
      const Value wide = value.bits == 64
                             ? value
                             : each("OpUConvert %u64 " + value.name, 64, [&](size_t i) { return value.lanes[i]; });
      const Value factor = constant(64, 0x9E3779B97F4A7C15u);
      const Value spread = each("OpIMul %u64 " + total.name + " " + factor.name, 64,
                                [&](size_t i) { return total.lanes[i] * factor.lanes[i]; });
      total = each("OpIAdd %u64 " + spread.name + " " + wide.name, 64,
                   [&](size_t i) { return spread.lanes[i] + wide.lanes[i]; });
    }
    line("%target = OpInBoundsPtrAccessChain %u64_global %out %id");
    line("OpStore %target " + total.name + access(8));
    sample.output.assign(total.lanes.begin(), total.lanes.end());
  }

  std::string module() const {
    std::string text = "OpCapability Groups\nOpCapability GroupUniformArithmeticKHR\n";
    if (width != 0)
      text += "OpCapability SubgroupDispatch\n";
    if (hinted)
      text += "OpCapability MemoryAccessAliasingINTEL\nOpExtension \"SPV_INTEL_memory_access_aliasing\"\n";
    if (bfloat16) // the assembler may not know it
      text += "OpCapability !5116\nOpCapability !6226\nOpExtension \"SPV_KHR_bfloat16\"\n"
              "OpExtension \"SPV_INTEL_bfloat16_arithmetic\"\n";
    if (images)
      text += images->capabilities();
    text += "OpExtension \"SPV_KHR_uniform_group_instructions\"\n"
            "%opencl = OpExtInstImport \"OpenCL.std\"\n"
            "OpEntryPoint Kernel %k \"k\" %id_variable\n";
    text += width != 0 ? "OpExecutionMode %k SubgroupSize " + std::to_string(width) + "\n"
                       : "OpExecutionMode %k LocalSize " + std::to_string(kItems) + " 1 1\n";
    text += "OpDecorate %id_variable BuiltIn GlobalInvocationId\nOpDecorate %id_variable Constant\n"
            "%void = OpTypeVoid\n%bool = OpTypeBool\n";
    if (bfloat16)
      text += "!0x00040016 %bf !16 !0\n";
    for (unsigned bits : kWidths)
      text += type(bits) + " = OpTypeInt " + std::to_string(bits) + " 0\n";
    text += "%u32x4 = OpTypeVector %u32 4\n%u64x3 = OpTypeVector %u64 3\n%pair = OpTypeStruct %u32 %u64\n"
            "%nested = OpTypeStruct %u32x4 %pair\n%two = OpConstant %u32 2\n%array = OpTypeArray %nested %two\n"
            "%none = OpConstantNull %nested\n%pair_type = OpTypeFunction %pair %pair\n"
            "%u32x2 = OpTypeVector %u32 2\n%private_nested = OpTypePointer Function %nested\n"
            "%u64x3_input = OpTypePointer Input %u64x3\n%private = OpTypePointer Function %u32\n"
            "%u32_global = OpTypePointer CrossWorkgroup %u32\n%u64_global = OpTypePointer CrossWorkgroup %u64\n"
            "%helper_type = OpTypeFunction %u32 %u32 %u32\n"
            "%work_group = OpConstant %u32 2\n%sub_group = OpConstant %u32 3\n";
    if (images)
      text += images->types();
    text += "%k_type = OpTypeFunction %void %u32_global %u64_global" + (images ? images->parameterTypes() : "") + "\n";
    if (hinted)
      text += "%domain = OpAliasDomainDeclINTEL\n%scope = OpAliasScopeDeclINTEL %domain\n"
              "%scopes = OpAliasScopeListDeclINTEL %scope\n";
    text +=
        constants +
        "%id_variable = OpVariable %u64x3_input Input\n"
        "%helper = OpFunction %u32 None %helper_type\n%a = OpFunctionParameter %u32\n%b = OpFunctionParameter %u32\n"
        "%helper_entry = OpLabel\n%twice = OpIAdd %u32 %a %a\n%thrice = OpIAdd %u32 %twice %a\n"
        "%less = OpISub %u32 %b %a\n%mixed = OpBitwiseXor %u32 %thrice %less\nOpReturnValue %mixed\nOpFunctionEnd\n"
        "%add_pair = OpFunction %pair None %pair_type\n%given = OpFunctionParameter %pair\n%add_entry = OpLabel\n"
        "%short = OpCompositeExtract %u32 %given 0\n%long = OpCompositeExtract %u64 %given 1\n"
        "%short_long = OpUConvert %u64 %short\n%sum_long = OpIAdd %u64 %short_long %long\n"
        "%sum_short = OpUConvert %u32 %sum_long\n%sums = OpCompositeConstruct %pair %sum_short %sum_long\n"
        "OpReturnValue %sums\nOpFunctionEnd\n"
        "%k = OpFunction %void None %k_type\n%in = OpFunctionParameter %u32_global\n"
        "%out = OpFunctionParameter %u64_global\n" +
        (images ? images->parameters() : "") + "%entry = OpLabel\n" + variables +
        "%ids = OpLoad %u64x3 %id_variable Aligned 32\n%id = OpCompositeExtract %u64 %ids 0\n"
        "%source = OpInBoundsPtrAccessChain %u32_global %in %id\n%loaded = OpLoad %u32 %source Aligned 4\n" +
        body + "OpReturn\nOpFunctionEnd\n";
    return text;
  }

  unsigned width = 0;
  bool hinted = false, bfloat16 = false;
  std::optional<ImageAccesses> images;
  std::string block; // the label of the block that is being written
};

} // namespace

Sample generate(Random &random) {
  return Generator(random).generate();
}

} // namespace lanecl::modules
