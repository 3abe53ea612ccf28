// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers one instruction after the other.
#include "spirv/lower/lower.h"

#include "program/device_functions.h"
#include "spirv/lower/builtin_call.h"
#include "spirv/lower/mangling.h"
#include "spirv/lower/new_declarations.h"
#include "spirv/module/instruction_names.h"

#include <algorithm>
#include <set>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

// Extensions and capabilities whose instructions are all lowered, so that their declarations are dropped, too.
constexpr std::string_view kLoweredExtensions[] = {
#define SPIRV_LOWERED_EXTENSION(name, needs) name,
#define SPIRV_LOWERED_CAPABILITY(name, number, needs)
#include "spirv/accept/environment.def"
};
constexpr uint32_t kLoweredCapabilities[] = {
#define SPIRV_LOWERED_EXTENSION(name, needs)
#define SPIRV_LOWERED_CAPABILITY(name, number, needs) number,
#include "spirv/accept/environment.def"
};

// Writes the module again instruction by instruction.
class Lowering {
public:
  Lowering(Module &module, const LanguageTraits &traits, std::string &error)
      : module(module), types(module), declarations(module, types), traits(traits), error(error) {}

  bool run() {
    findProgramVariables();
    for (const Instruction &instruction : module.instructions())
      if (!add(instruction))
        return false;
    declarations.insertInto(code);
    module.replace(std::move(code));
    return true;
  }

private:
  bool fail(std::string message) {
    error = "error: " + std::move(message) + "\n";
    return false;
  }

  // Collects the variables that are declared before the first function.
  void findProgramVariables() {
    for (const Instruction &instruction : module.instructions())
      if (instruction.op == spv::Op::OpFunction)
        return;
      else if (instruction.op == spv::Op::OpVariable)
        program_variables.push_back(instruction[1]);
  }

  // Adds the instruction or its replacement. Returns false with a message if it has no replacement.
  bool add(const Instruction &instruction) {
    declarations.note(instruction, code.size());
    if (instruction.op != spv::Op::OpVariable && instruction.op != spv::Op::OpLine)
      initializeVariables();
    switch (instruction.op) {
    case spv::Op::OpCapability: return contains(kLoweredCapabilities, instruction[0]) || keep(instruction);
    case spv::Op::OpExtension: return contains(kLoweredExtensions, literalString(instruction, 0)) || keep(instruction);
    case spv::Op::OpConstantNull: return addNull(instruction);
    case spv::Op::OpCompositeConstruct: return addComposite(instruction);
    case spv::Op::OpVectorShuffle: return addShuffle(instruction);
    case spv::Op::OpVariable: return addVariable(instruction);
    case spv::Op::OpDecorate:
      if (const auto what = spv::Decoration(instruction[1]);
          what == spv::Decoration::LinkageAttributes || what == spv::Decoration::BuiltIn)
        imported.insert(instruction[0]);
      return keep(instruction);
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert: // some compilers write conversions to the same type
      if (types.typeOf(instruction[2]) != instruction[0])
        return keep(instruction);
      code.push_back(encode(spv::Op::OpCopyObject, instruction.upTo(3)));
      return true;
    case spv::Op::OpCopyMemory: return addCopyMemory(instruction);
    case spv::Op::OpIAddCarry: return addPair(instruction, spv::Op::OpIAdd, "__lanecl_carry", true);
    case spv::Op::OpISubBorrow: return addPair(instruction, spv::Op::OpISub, "__lanecl_borrow", true);
    case spv::Op::OpUMulExtended: return addPair(instruction, spv::Op::OpIMul, "mul_hi", true);
    case spv::Op::OpSMulExtended: return addPair(instruction, spv::Op::OpIMul, "mul_hi", false);
    case spv::Op::OpEntryPoint: return addEntryPoint(instruction);
    case spv::Op::OpExecutionModeId: return addModeId(instruction);
    case spv::Op::OpExtInstImport:
      if (literalString(instruction, 1) == "OpenCL.std")
        opencl = instruction[0];
      return keep(instruction);
    case spv::Op::OpExtInst: return addExtended(instruction);
    // SPIR-V 1.4 dropped the weak form, but compilers still write it. The strong form may take its place.
    case spv::Op::OpAtomicCompareExchangeWeak:
      return addOther({spv::Op::OpAtomicCompareExchange, instruction.operands});
    case spv::Op::OpSizeOf: return addSizeOf(instruction);
    case spv::Op::OpTypeNamedBarrier: return addNamedBarrierType(instruction);
    case spv::Op::OpAny:
    case spv::Op::OpAll: return addAnyOrAll(instruction);
    // An arrival becomes the barrier's fence. Work-items wait only in OpControlBarrierWaitINTEL.
    case spv::Op::OpControlBarrierArriveINTEL:
      code.push_back(encode(spv::Op::OpMemoryBarrier, {instruction[1], instruction[2]}));
      return true;
    case spv::Op::OpControlBarrierWaitINTEL:
      code.push_back(encode(spv::Op::OpControlBarrier, instruction.operands));
      return true;
    case kOpSubgroupBlockPrefetch: // hints without a result
    case kOpBlock2DPrefetch:
    case spv::Op::OpAssumeTrueKHR: return true;
    case spv::Op::OpExpectKHR: code.push_back(encode(spv::Op::OpCopyObject, instruction.upTo(3))); return true;
    default: return addOther(instruction);
    }
  }

  bool addOther(const Instruction &instruction) {
    const auto call = builtinCall(instruction, types);
    return call ? addCall(instruction, *call) : keep(instruction);
  }

  template <class List, class Value> static bool contains(const List &list, const Value &value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
  }

  bool keep(const Instruction &instruction) {
    code.push_back(encode(instruction.op, instruction.operands));
    return true;
  }

  // Names all program scope variables. Since SPIR-V 1.4 an entry point must name those that it uses, and may name
  // others; some compilers forget some.
  bool addEntryPoint(const Instruction &instruction) {
    constexpr unsigned kNamesAll = 4;
    Code operands(instruction.operands.begin(), instruction.operands.end());
    const size_t interface = 2 + literalWords(literalString(instruction, 2)).size();
    if (module.minorVersion() >= kNamesAll)
      for (uint32_t variable : program_variables)
        if (!contains(instruction.from(interface), variable))
          operands.push_back(variable);
    code.push_back(encode(instruction.op, operands));
    return true;
  }

  // Compilers write OpAny and OpAll also for one boolean, and for integers, of which OpenCL C tests the highest bit.
  // The translator only knows vectors of booleans.
  bool addAnyOrAll(const Instruction &instruction) {
    const uint32_t type = types.typeOf(instruction[2]), count = types.componentCount(type);
    Code operands(instruction.upTo(3).begin(), instruction.upTo(3).end());
    if (types.isInteger(types.scalarOf(type))) {
      const uint32_t truth = instruction[0], known = types.vector(truth, count);
      const uint32_t truths = count == 0 ? truth
                              : known    ? known
                                         : declarations.type(spv::Op::OpTypeVector, {truth, count});
      operands[2] = module.newId();
      code.push_back(encode(spv::Op::OpSLessThan, {truths, operands[2], instruction[2], zeroOf(type)}));
    }
    code.push_back(encode(count == 0 ? spv::Op::OpCopyObject : instruction.op, operands));
    return true;
  }

  // Returns a zero of an integer type or of a vector of integers.
  uint32_t zeroOf(uint32_t type) {
    if (types.isVector(type))
      return declarations.value(spv::Op::OpConstantNull, type, {});
    return declarations.value(spv::Op::OpConstant, type, types.width(type) > 32 ? Code{0, 0} : Code{0});
  }

  // The translator treats a function's variable with an initializer as a program scope variable, so the initializer
  // becomes a store.
  bool addVariable(const Instruction &instruction) {
    if (spv::StorageClass(instruction[2]) == spv::StorageClass::UniformConstant && instruction.operands.size() == 3)
      return addConstant(instruction);
    if (spv::StorageClass(instruction[2]) != spv::StorageClass::Function || instruction.operands.size() < 4)
      return keep(instruction);
    code.push_back(encode(instruction.op, instruction.upTo(3)));
    initializations.push_back(encode(spv::Op::OpStore, {instruction[1], instruction[3]}));
    return true;
  }

  // Gives constant memory without an initializer zeros, because the translator requires an initializer unless the
  // variable is imported.
  bool addConstant(const Instruction &instruction) {
    const uint32_t type = types.pointee(instruction[0]);
    const bool is_data = types.memberCount(type) != 0 || types.width(types.scalarOf(type)) != 0;
    if (!is_data || imported.contains(instruction[1]))
      return keep(instruction);
    const uint32_t zeros = module.newId();
    code.push_back(encode(spv::Op::OpConstantNull, {type, zeros}));
    code.push_back(encode(instruction.op, {instruction[0], instruction[1], instruction[2], zeros}));
    return true;
  }

  // Stores the initial values after the function's variables, which are its first instructions.
  void initializeVariables() {
    code.insert(code.end(), initializations.begin(), initializations.end());
    initializations.clear();
  }

  // Replaces the copy by a load and a store, because the translator's copy requires memory operands. Operands: %target
  // %source, then one set of memory operands for both, or one for the target and one for the source.
  bool addCopyMemory(const Instruction &instruction) {
    const std::span<const uint32_t> access = instruction.from(2);
    const size_t first = !access.empty() && (access[0] & uint32_t(spv::MemoryAccessMask::Aligned)) ? 2 : 1;
    const auto of_target = access.first(std::min(first, access.size()));
    const auto of_source = access.size() > first ? access.subspan(first) : of_target;
    const uint32_t value = module.newId();
    Code load{types.pointee(types.typeOf(instruction[1])), value, instruction[1]}, store{instruction[0], value};
    load.insert(load.end(), of_source.begin(), of_source.end());
    store.insert(store.end(), of_target.begin(), of_target.end());
    code.push_back(encode(spv::Op::OpLoad, load));
    code.push_back(encode(spv::Op::OpStore, store));
    return true;
  }

  // The translator only supports OpConstantNull for composites and pointers.
  bool addNull(const Instruction &instruction) {
    const uint32_t type = instruction[0], result = instruction[1];
    if (types.isBoolean(type))
      code.push_back(encode(spv::Op::OpConstantFalse, {type, result}));
    else if (types.width(type) > 32)
      code.push_back(encode(spv::Op::OpConstant, {type, result, 0, 0}));
    else if (types.width(type) != 0)
      code.push_back(encode(spv::Op::OpConstant, {type, result, 0}));
    else
      return keep(instruction);
    return true;
  }

  // The translator crashes on vectors of values that are not constant, and does not know vectors made of vectors. Each
  // component is inserted on its own.
  bool addComposite(const Instruction &instruction) {
    if (instruction.operands.size() <= 2)
      return keep(instruction);
    const uint32_t type = instruction[0];
    std::vector<uint32_t> parts;
    for (uint32_t part : instruction.from(2))
      addParts(type, part, parts);
    assemble(type, instruction[1], parts);
    return true;
  }

  // Makes a composite of its parts by inserting one after the other. Parts with the id 0 stay undefined.
  void assemble(uint32_t type, uint32_t result, const std::vector<uint32_t> &parts) {
    uint32_t composite = module.newId();
    code.push_back(encode(spv::Op::OpUndef, {type, composite}));
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == 0)
        continue;
      const uint32_t next = module.newId();
      code.push_back(encode(spv::Op::OpCompositeInsert, {type, next, parts[i], composite, uint32_t(i)}));
      composite = next;
    }
    code.push_back(encode(spv::Op::OpCopyObject, {type, result, composite}));
  }

  // The translator requires two vectors of the same length. Operands: %type %result %first %second numbers.
  bool addShuffle(const Instruction &instruction) {
    const uint32_t first = instruction[2], second = instruction[3];
    if (types.typeOf(first) == types.typeOf(second))
      return keep(instruction);
    const uint32_t count = types.componentCount(types.typeOf(first)), element = types.componentType(instruction[0]);
    std::vector<uint32_t> parts;
    for (uint32_t number : instruction.from(4)) {
      parts.push_back(number == UINT32_MAX ? 0 : module.newId());
      if (parts.back() == 0)
        continue;
      const bool of_first = number < count;
      code.push_back(encode(spv::Op::OpCompositeExtract,
                            {element, parts.back(), of_first ? first : second, of_first ? number : number - count}));
    }
    assemble(instruction[0], instruction[1], parts);
    return true;
  }

  // Appends the parts that a constituent contributes to a composite: the constituent itself, or, for a vector that is a
  // part of a vector, its components.
  void addParts(uint32_t composite, uint32_t constituent, std::vector<uint32_t> &parts) {
    const uint32_t type = types.typeOf(constituent);
    if (!types.isVector(composite) || !types.isVector(type)) {
      parts.push_back(constituent);
      return;
    }
    for (uint32_t i = 0; i < types.componentCount(type); ++i) {
      parts.push_back(module.newId());
      code.push_back(encode(spv::Op::OpCompositeExtract, {types.componentType(type), parts.back(), constituent, i}));
    }
  }

  // The translator crashes on OpSizeOf. The size of a pointer's target is the address of element 1 of a null pointer.
  // Operands: %type %result %pointer.
  bool addSizeOf(const Instruction &instruction) {
    const uint32_t integer = instruction[0], pointer = types.typeOf(instruction[2]), second = module.newId();
    if (!types.isPointer(pointer) || !types.isInteger(integer))
      return fail("instruction OpSizeOf needs a pointer as its operand and an integer as its result");
    const uint32_t null = declarations.value(spv::Op::OpConstantNull, pointer, {}),
                   one = declarations.value(spv::Op::OpConstant, integer, {1});
    code.push_back(encode(spv::Op::OpPtrAccessChain, {pointer, second, null, one}));
    code.push_back(encode(spv::Op::OpConvertPtrToU, {integer, instruction[1], second}));
    return true;
  }

  // A named barrier becomes a pointer to local memory, whose contents only the built-in library knows.
  bool addNamedBarrierType(const Instruction &instruction) {
    const uint32_t state = module.newId();
    code.push_back(encode(spv::Op::OpTypeStruct, {state}));
    code.push_back(encode(spv::Op::OpTypePointer, {instruction[0], uint32_t(spv::StorageClass::Workgroup), state}));
    return true;
  }

  // SPV_KHR_float_controls2 says which kinds of inexact arithmetic an entry point permits by default. Without this mode
  // contraction is permitted; with it only what decorations permit, so contraction is switched off.
  bool forbidContraction(uint32_t entry_point) {
    if (exact.insert(entry_point).second)
      code.push_back(encode(spv::Op::OpExecutionMode, {entry_point, uint32_t(spv::ExecutionMode::ContractionOff)}));
    return true;
  }

  // Replaces functions of OpenCL.std that the translator does not know, or of which compilers write forms that it does
  // not take.
  bool addExtended(const Instruction &instruction) {
    enum : uint32_t {
      Fmax = 27,
      Fmin = 28,
      Ldexp = 34,
      FmaxCommon = 97,
      FminCommon = 98,
      Vload = 171,
      Vstore = 172,
      Printf = 184
    };
    if (opencl == 0 || instruction[2] != opencl || instruction.operands.size() < 5)
      return keep(instruction);
    switch (instruction[3]) {
    case Printf: return addPrintf(instruction);
    case Ldexp: return addLdexp(instruction);
    case Vload: return addVectorAccess(instruction, 5, instruction[0]);
    case Vstore: return addVectorAccess(instruction, 6, types.typeOf(instruction[4]));
    // The results of these are undefined for NaN and infinity, so the functions for all numbers may replace them. The
    // translator does not know them.
    case FmaxCommon: return addInstead(instruction, Fmax);
    case FminCommon: return addInstead(instruction, Fmin);
    default: return keep(instruction);
    }
  }

  // Adds the instruction with another number of its set.
  bool addInstead(const Instruction &instruction, uint32_t number) {
    Code operands(instruction.operands.begin(), instruction.operands.end());
    operands[3] = number;
    code.push_back(encode(instruction.op, operands));
    return true;
  }

  // Repeats the exponent for each component, since compilers write one exponent for all. Operands: %type %result %set
  // ldexp %x %exponent.
  bool addLdexp(const Instruction &instruction) {
    const uint32_t count = types.componentCount(instruction[0]), exponent = instruction[5];
    const uint32_t integer = types.typeOf(exponent);
    if (count == 0 || !types.isInteger(integer))
      return keep(instruction);
    const uint32_t known = types.vector(integer, count);
    Code operands(instruction.operands.begin(), instruction.operands.end());
    operands[5] = module.newId();
    assemble(known ? known : declarations.type(spv::Op::OpTypeVector, {integer, count}), operands[5],
             std::vector<uint32_t>(count, exponent));
    code.push_back(encode(instruction.op, operands));
    return true;
  }

  // The format may be a pointer to an array, but the validator expects a pointer to characters.
  bool addPrintf(const Instruction &instruction) {
    const uint32_t pointer = types.typeOf(instruction[4]), target = types.pointee(pointer);
    if (types.memberCount(target) == 0)
      return keep(instruction);
    const uint32_t known = types.integer(8), character = known ? known : declarations.type(spv::Op::OpTypeInt, {8, 0});
    return addPointingTo(character, instruction, 4);
  }

  // vloadn and vstoren access components of their vector's type. Compilers also write them for pointers to whole
  // arrays.
  bool addVectorAccess(const Instruction &instruction, size_t place, uint32_t vector) {
    const uint32_t pointer = types.typeOf(instruction[place]), component = types.componentType(vector);
    if (!types.isPointer(pointer) || component == 0 || types.pointee(pointer) == component)
      return keep(instruction);
    return addPointingTo(component, instruction, place);
  }

  // Adds the instruction after a cast of its operand `place`, a pointer, to a pointer to this type.
  bool addPointingTo(uint32_t pointee, const Instruction &instruction, size_t place) {
    Code operands(instruction.operands.begin(), instruction.operands.end());
    const auto space = uint32_t(types.storageClass(types.typeOf(operands[place])));
    operands[place] = module.newId();
    const uint32_t type = declarations.type(spv::Op::OpTypePointer, {space, pointee});
    code.push_back(encode(spv::Op::OpBitcast, {type, operands[place], instruction[place]}));
    code.push_back(encode(instruction.op, operands));
    return true;
  }

  // Replaces execution modes whose operands are ids of constants by modes with literals.
  bool addModeId(const Instruction &instruction) {
    spv::ExecutionMode mode;
    switch (spv::ExecutionMode(instruction[1])) {
    case spv::ExecutionMode::LocalSizeId: mode = spv::ExecutionMode::LocalSize; break;
    case spv::ExecutionMode::LocalSizeHintId: mode = spv::ExecutionMode::LocalSizeHint; break;
    case kFastMathDefault: return forbidContraction(instruction[0]);
    case spv::ExecutionMode::SubgroupsPerWorkgroupId: mode = spv::ExecutionMode::SubgroupsPerWorkgroup; break;
    default: return fail("execution mode " + std::to_string(instruction[1]) + " of OpExecutionModeId is unknown");
    }
    Code operands{instruction[0], uint32_t(mode)};
    for (uint32_t id : instruction.from(2)) {
      const auto value = types.constant(id);
      if (!value)
        return fail("an operand of OpExecutionModeId is not a constant integer");
      operands.push_back(*value);
    }
    code.push_back(encode(spv::Op::OpExecutionMode, operands));
    return true;
  }

  // The result is a structure of the low bits and of what a function returns as the high bits, carry or borrow.
  // Operands: %pair %result %a %b.
  bool addPair(const Instruction &instruction, spv::Op op, const char *function, bool is_unsigned) {
    const uint32_t a = instruction[2], b = instruction[3], type = types.typeOf(a);
    const uint32_t low = module.newId(), high = module.newId();
    const std::string parameter = types.mangled(type, is_unsigned);
    code.push_back(encode(op, {type, low, a, b}));
    const Code typed{type, high};
    if (!addCall({instruction.op, typed}, {mangle(function, {parameter, parameter}), {a, b}}))
      return false;
    assemble(instruction[0], instruction[1], {low, high});
    return true;
  }

  // Adds a call of the built-in function, and declares the function.
  bool addCall(const Instruction &instruction, const BuiltinCall &builtin) {
    const uint32_t type = builtin.has_result ? instruction[0] : declarations.voidType();
    const uint32_t result = builtin.has_result ? instruction[1] : module.newId();
    Code signature{type}, arguments = builtin.arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const bool is_count = i + builtin.counts >= arguments.size();
      signature.push_back(is_count ? declarations.uintType() : types.typeOf(arguments[i]));
      if (is_count)
        arguments[i] = asUint(arguments[i]);
    }
    if (builtin.name.empty() || contains(signature, 0u))
      return fail("instruction " + nameOf(instruction.op) + " has operands that the device does not support");
    if (const std::string why = whyLacking(traits, builtin.name); !why.empty())
      return fail("instruction " + nameOf(instruction.op) + " " + why);
    const NewDeclarations::Function &function = declarations.function(builtin.name, signature);
    for (size_t i = 0; i < arguments.size(); ++i)
      arguments[i] = asPointer(function.signature[i + 1], signature[i + 1], arguments[i]);
    Code operands{type, result, function.id};
    operands.insert(operands.end(), arguments.begin(), arguments.end());
    code.push_back(encode(spv::Op::OpFunctionCall, operands));
    return true;
  }

  // Casts a pointer to the type that the function was declared with. A function that takes pointers to any type is
  // declared with the types of its first call.
  uint32_t asPointer(uint32_t wanted, uint32_t type, uint32_t pointer) {
    if (wanted == type || !types.isPointer(wanted))
      return pointer;
    const uint32_t cast = module.newId();
    code.push_back(encode(spv::Op::OpBitcast, {wanted, cast, pointer}));
    return cast;
  }

  uint32_t asUint(uint32_t integer) {
    if (types.width(types.typeOf(integer)) == 32)
      return integer;
    const uint32_t converted = module.newId();
    code.push_back(encode(spv::Op::OpUConvert, {declarations.uintType(), converted, integer}));
    return converted;
  }

  Module &module;
  const Types types;
  NewDeclarations declarations;
  const LanguageTraits &traits;
  std::string &error;
  std::vector<Code> code;
  uint32_t opencl = 0; // id of the instruction set OpenCL.std
  Code program_variables;
  std::set<uint32_t> imported;       // ids that are imported, exported or built in
  std::set<uint32_t> exact;          // entry points that forbid contraction
  std::vector<Code> initializations; // stores of initial values, for the variables of the current function
};

} // namespace

bool lower(Module &module, const LanguageTraits &traits, std::string &error) {
  return Lowering(module, traits, error).run();
}

} // namespace lanecl::frontend::spirv
