// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The type bfloat16 becomes the integer type of 16 bits. Computations convert their operands to float and their result
// back:
//
//   %r = OpFAdd %bf16 %a %b    ->    %x = OpConvertBF16ToF %float %a
//                                    %y = OpConvertBF16ToF %float %b
//                                    %s = OpFAdd %float %x %y
//                                    %r = OpConvertFToBF16 %ushort %s
#include "spirv/lower/bfloat16.h"

#include "spirv/module/instruction_names.h"
#include "spirv/module/types.h"

#include <set>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

// Capabilities that the installed headers of SPIR-V may be too old for.
enum BFloat16Capability : uint32_t { Type = 5116, DotProduct = 5117, Arithmetic = 6226 };
constexpr uint32_t kWithType[] = {Type, DotProduct, Arithmetic};

// The way in which an instruction with bfloat16 values is lowered.
enum class Way {
  Move,    // copies values, whatever they are
  Convert, // converts between bfloat16 and other types
  // A dot product, which needs a capability of its own.
  Dot,
  Compute,
  Refuse // not allowed by the extensions
};

// Returns the way of an instruction. Instructions that are not listed here are refused.
Way wayOf(spv::Op op) {
  switch (op) {
  case spv::Op::OpUndef:
  case spv::Op::OpConstant:
  case spv::Op::OpConstantNull:
  case spv::Op::OpConstantComposite:
  case spv::Op::OpSpecConstant:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpVariable:
  case spv::Op::OpLoad:
  case spv::Op::OpStore:
  case spv::Op::OpFunction:
  case spv::Op::OpFunctionParameter:
  case spv::Op::OpFunctionCall:
  case spv::Op::OpBitcast:
  case spv::Op::OpVectorExtractDynamic:
  case spv::Op::OpVectorInsertDynamic:
  case spv::Op::OpVectorShuffle:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpCopyObject:
  case spv::Op::OpSelect:
  case spv::Op::OpPhi: return Way::Move;
  case spv::Op::OpFConvert:
  case spv::Op::OpConvertFToU:
  case spv::Op::OpConvertFToS:
  case spv::Op::OpConvertUToF:
  case spv::Op::OpConvertSToF: return Way::Convert;
  case spv::Op::OpDot: return Way::Dot;
  case spv::Op::OpFNegate:
  case spv::Op::OpFAdd:
  case spv::Op::OpFSub:
  case spv::Op::OpFMul:
  case spv::Op::OpFDiv:
  case spv::Op::OpFRem:
  case spv::Op::OpFMod:
  case spv::Op::OpVectorTimesScalar:
  case spv::Op::OpIsNan:
  case spv::Op::OpIsInf:
  case spv::Op::OpIsFinite:
  case spv::Op::OpIsNormal:
  case spv::Op::OpSignBitSet:
  case spv::Op::OpLessOrGreater:
  case spv::Op::OpOrdered:
  case spv::Op::OpUnordered:
  case spv::Op::OpFOrdEqual:
  case spv::Op::OpFUnordEqual:
  case spv::Op::OpFOrdNotEqual:
  case spv::Op::OpFUnordNotEqual:
  case spv::Op::OpFOrdLessThan:
  case spv::Op::OpFUnordLessThan:
  case spv::Op::OpFOrdGreaterThan:
  case spv::Op::OpFUnordGreaterThan:
  case spv::Op::OpFOrdLessThanEqual:
  case spv::Op::OpFUnordLessThanEqual:
  case spv::Op::OpFOrdGreaterThanEqual:
  case spv::Op::OpFUnordGreaterThanEqual: return Way::Compute;
  default: return Way::Refuse;
  }
}

// Returns the way of an instruction of the set OpenCL.std.
Way wayOfFunction(uint32_t number) {
  enum : uint32_t { Nan = 46, Nextafter = 47, LastOfFloats = 110, Vload = 171, Vstore = 172 };
  enum : uint32_t { Shuffle = 182, Shuffle2 = 183, Bitselect = 186, Select = 187 };
  switch (number) {
  case Nan:       // takes an integer of the same width
  case Nextafter: // the neighbor in bfloat16 differs from that in float
    return Way::Refuse;
  case Vload:
  case Vstore:
  case Shuffle:
  case Shuffle2:
  case Bitselect:
  case Select: return Way::Move;
  default: return number <= LastOfFloats ? Way::Compute : Way::Refuse;
  }
}

// Writes the module again, with every use of the type replaced.
class Bfloat16Lowering {
public:
  Bfloat16Lowering(Module &module, std::string &error) : module(module), types(module), error(error) {}

  bool run() {
    for (const Instruction &instruction : module.instructions())
      note(instruction);
    if (bfloat16.empty())
      return true;
    if (!std::any_of(std::begin(kWithType), std::end(kWithType),
                     [this](uint32_t c) { return capabilities.contains(c); })) {
      error = "error: the module uses the type bfloat16, but does not declare capability BFloat16TypeKHR\n";
      return false;
    }
    for (const Instruction &instruction : module.instructions())
      if (!add(instruction))
        return false;
    code.insert(code.begin() + ptrdiff_t(std::min(functions, code.size())), new_types.begin(), new_types.end());
    code.insert(code.begin(), encode(spv::Op::OpCapability, {uint32_t(spv::Capability::Int16)}));
    module.replace(std::move(code));
    return true;
  }

private:
  bool fail(const Instruction &instruction, const std::string &why) {
    error = "error: instruction " + nameOf(instruction.op) + " " + why + "\n";
    return false;
  }

  static bool isBfloat16(const Instruction &type) {
    constexpr uint32_t kBits = 16, kEncoding = 0;
    return type.op == spv::Op::OpTypeFloat && type.operands.size() == 3 && type[1] == kBits && type[2] == kEncoding;
  }
  bool isOfBfloat16(uint32_t type) const { return bfloat16.contains(types.scalarOf(type)); }
  bool isValue(uint32_t id) const { return isOfBfloat16(types.typeOf(id)); }
  bool isFloat(uint32_t type) const {
    return types.isFloat(types.scalarOf(type)) && types.width(types.scalarOf(type)) == 32;
  }

  Way wayOf(const Instruction &instruction) const {
    const bool is_function = instruction.op == spv::Op::OpExtInst;
    if (is_function && instruction[2] != opencl)
      return Way::Move;
    return is_function ? wayOfFunction(instruction[3]) : spirv::wayOf(instruction.op);
  }
  // Returns the number of the first operand from which on all operands are values.
  static size_t firstValue(spv::Op op) {
    switch (op) {
    case spv::Op::OpExtInst: return 4;
    case spv::Op::OpSpecConstantOp:
    case spv::Op::OpGroupNonUniformAllEqual: return 3;
    default: return 2;
    }
  }

  // Whether the result is a bfloat16 value.
  bool gives(const Instruction &instruction) const {
    return hasResultType(instruction.op) && isOfBfloat16(instruction[0]);
  }
  // Whether the instruction computes with bfloat16 values. Among the refused instructions only two can take bfloat16
  // and give another type: OpSpecConstantOp and OpGroupNonUniformAllEqual.
  bool takes(const Instruction &instruction) const {
    const Way way = wayOf(instruction);
    if (way == Way::Move || (way == Way::Refuse && firstValue(instruction.op) != 3))
      return false;
    const auto values = instruction.from(firstValue(instruction.op));
    return std::any_of(values.begin(), values.end(), [this](uint32_t id) { return isValue(id); });
  }
  // Whether a conversion function, in place of the instruction or after it, gives the result.
  bool isComputed(const Instruction &instruction) const {
    const Way way = wayOf(instruction);
    if (way == Way::Move || way == Way::Refuse)
      return false;
    return gives(instruction) ||
           (instruction.op == spv::Op::OpFConvert && isFloat(instruction[0]) && isValue(instruction[2]));
  }

  static bool isType(const Instruction &instruction) {
    return instruction.op >= spv::Op::OpTypeVoid && instruction.op <= spv::Op::OpTypeForwardPointer;
  }

  // Notes types and results beforehand, because names and decorations come before what they refer to.
  void note(const Instruction &instruction) {
    if (instruction.op == spv::Op::OpCapability)
      capabilities.insert(instruction[0]);
    if (isBfloat16(instruction))
      bfloat16.insert(instruction[0]);
    if (isType(instruction))
      noteType(lowered(instruction));
    if (instruction.op == spv::Op::OpExtInstImport && literalString(instruction, 1) == "OpenCL.std")
      opencl = instruction[0];
    if (isComputed(instruction))
      computed.insert(instruction[1]);
  }

  // Adds the instruction, or the instructions that replace it. Returns false with a message if the instruction is
  // refused.
  bool add(const Instruction &instruction) {
    if (hasResultType(instruction.op) && instruction.operands.size() < 2)
      return fail(instruction, "has too few operands");
    if (isType(instruction)) {
      if (!same.contains(instruction[0]))
        code.push_back(lowered(instruction));
      return true;
    }
    if (instruction.op == spv::Op::OpFunction)
      functions = std::min(functions, code.size());
    if (instruction.op == spv::Op::OpName && same.contains(instruction[0]))
      return true;
    if (instruction.op == spv::Op::OpDecorate && computed.contains(instruction[0]))
      return addDecoration(instruction);
    return gives(instruction) || takes(instruction) ? addWithValues(instruction) : keep(instruction);
  }

  // Adds an instruction that has bfloat16 values, in the way that its kind needs.
  bool addWithValues(const Instruction &instruction) {
    constexpr auto kWithoutCapability = "has bfloat16 values, but the module does not declare capability ";
    switch (wayOf(instruction)) {
    case Way::Move: return keep(instruction);
    case Way::Dot:
      if (!capabilities.contains(DotProduct))
        return fail(instruction, kWithoutCapability + std::string("BFloat16DotProductKHR"));
      return addInFloat(instruction);
    case Way::Compute:
      if (!capabilities.contains(Arithmetic))
        return fail(instruction, kWithoutCapability + std::string("BFloat16ArithmeticINTEL"));
      return addInFloat(instruction);
    case Way::Convert:
      return instruction.op == spv::Op::OpFConvert ? addConversion(instruction) : addInFloat(instruction);
    case Way::Refuse: break;
    }
    return fail(instruction, "does not take bfloat16 values; convert them to float");
  }

  // Operands: %type %result %value
  bool addConversion(const Instruction &instruction) {
    const uint32_t to = instruction[0], result = instruction[1], value = instruction[2];
    if (isOfBfloat16(to) && isFloat(types.typeOf(value)))
      return addNarrow(to, result, value);
    if (isValue(value) && isFloat(to)) {
      code.push_back(encode(kOpConvertBF16ToF, {to, result, value}));
      return true;
    }
    return addInFloat(instruction);
  }

  // Computes in float: widens bfloat16 operands, and narrows a bfloat16 result.
  bool addInFloat(const Instruction &instruction) {
    Code operands(instruction.operands.begin(), instruction.operands.end());
    for (size_t i = firstValue(instruction.op); i < operands.size(); ++i) {
      if (isOfBfloat16(types.pointee(types.typeOf(operands[i]))))
        return fail(instruction, "stores a bfloat16 result to memory; compute it in float");
      if (isValue(operands[i]))
        operands[i] = widened(operands[i]);
    }
    if (!isOfBfloat16(operands[0])) {
      operands[0] = first(operands[0]);
      code.push_back(encode(instruction.op, operands));
      return true;
    }
    operands[0] = floatLike(instruction[0]);
    operands[1] = module.newId();
    code.push_back(encode(instruction.op, operands));
    return addNarrow(instruction[0], instruction[1], operands[1]);
  }

  bool addNarrow(uint32_t type, uint32_t result, uint32_t value) {
    code.push_back(encode(kOpConvertFToBF16, {first(type), result, value}));
    return true;
  }

  uint32_t widened(uint32_t value) {
    const uint32_t result = module.newId();
    code.push_back(encode(kOpConvertBF16ToF, {floatLike(types.typeOf(value)), result, value}));
    return result;
  }

  // Returns the float type with as many components as `type`.
  uint32_t floatLike(uint32_t type) {
    const uint32_t count = types.componentCount(type), scalar = floatType();
    uint32_t &result = floats[count];
    if (result == 0)
      result = types.vector(scalar, count);
    if (result == 0) {
      result = module.newId();
      new_types.push_back(encode(spv::Op::OpTypeVector, {result, scalar, count}));
    }
    return result;
  }

  // Returns the scalar type float, and declares it if the module does not have it.
  uint32_t floatType() {
    constexpr uint32_t kBits = 32;
    uint32_t &scalar = floats[0];
    if (scalar == 0)
      scalar = types.floating(kBits);
    if (scalar == 0) {
      scalar = module.newId();
      new_types.push_back(encode(spv::Op::OpTypeFloat, {scalar, kBits}));
    }
    return scalar;
  }

  // Drops decorations that the conversion makes meaningless, and refuses a rounding other than to nearest even.
  bool addDecoration(const Instruction &instruction) {
    switch (spv::Decoration(instruction[1])) {
    case spv::Decoration::FPRoundingMode:
      return spv::FPRoundingMode(instruction[2]) == spv::FPRoundingMode::RTE ||
             fail(instruction, "asks for a rounding mode of bfloat16 other than to nearest even");
    case spv::Decoration::FPFastMathMode:
    case spv::Decoration::NoContraction: return true;
    default: return keep(instruction);
    }
  }

  // Returns the first of several equal types. A module may not declare a type twice.
  uint32_t first(uint32_t type) const {
    const auto found = same.find(type);
    return found == same.end() ? type : found->second;
  }

  // Returns the lowered declaration of a type.
  Code lowered(const Instruction &type) const {
    if (isBfloat16(type))
      return encode(spv::Op::OpTypeInt, {type[0], 16, 0});
    Code operands(type.operands.begin(), type.operands.end());
    const auto rename = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < std::min(end, operands.size()); ++i)
        operands[i] = first(operands[i]);
    };
    switch (type.op) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeArray: rename(1, 2); break;
    case spv::Op::OpTypePointer: rename(2, 3); break;
    case spv::Op::OpTypeFunction:
    case spv::Op::OpTypeStruct: rename(1, operands.size()); break;
    default: break;
    }
    return encode(type.op, operands);
  }

  // Notes which types have become equal, for example vectors of bfloat16 and of 16-bit integers. Structures and arrays
  // may be declared twice.
  void noteType(const Code &type) {
    const auto op = spv::Op(type[0] & 0xffff);
    if (type.size() < 2 || op == spv::Op::OpTypeStruct || op == spv::Op::OpTypeArray ||
        op == spv::Op::OpTypeForwardPointer)
      return;
    Code description = type;
    description.erase(description.begin() + 1);
    if (const auto [known, is_new] = declared.try_emplace(description, type[1]); !is_new)
      same[type[1]] = known->second;
  }

  // Adds the instruction as it is, with the types that remain.
  bool keep(const Instruction &instruction) {
    constexpr size_t kFunctionType = 3;
    Code operands(instruction.operands.begin(), instruction.operands.end());
    if (hasResultType(instruction.op))
      operands[0] = first(operands[0]);
    if (instruction.op == spv::Op::OpFunction && operands.size() > kFunctionType)
      operands[kFunctionType] = first(operands[kFunctionType]);
    code.push_back(encode(instruction.op, operands));
    return true;
  }

  Module &module;
  const Types types;
  std::string &error;
  uint32_t opencl = 0; // id of the instruction set OpenCL.std
  std::set<uint32_t> capabilities;
  std::set<uint32_t> bfloat16; // bfloat16 types
  std::set<uint32_t> computed; // ids of results that a conversion function gives
  // Types by their lowered declarations without their ids.
  std::map<Code, uint32_t> declared;
  // Types by the type that they are equal to and that is declared before.
  std::map<uint32_t, uint32_t> same;
  std::map<uint32_t, uint32_t> floats; // float types by their number of components; 0: the scalar
  std::vector<Code> code, new_types;
  size_t functions = SIZE_MAX; // where the functions start in `code`
};

} // namespace

bool lowerBfloat16(Module &module, std::string &error) {
  return Bfloat16Lowering(module, error).run();
}

} // namespace lanecl::frontend::spirv
