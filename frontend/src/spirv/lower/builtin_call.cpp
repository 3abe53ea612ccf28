// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One function for each group of instructions. The operands that it reads are listed above it, in the order of the
// instruction.
#include "spirv/lower/builtin_call.h"

#include "spirv/lower/mangling.h"
#include "spirv/lower/matrix_call.h"

namespace lanecl::frontend::spirv {
namespace {

enum class Sign { Signed, Unsigned };

// Returns the call for a rotation within a sub-group or within clusters of its lanes. Operands:
//   result_type result scope value delta [cluster_size]
BuiltinCall rotate(const Instruction &instruction, const Types &types) {
  const std::string value = types.mangled(instruction[0]);
  if (instruction.operands.size() == 5)
    return {mangle("sub_group_rotate", {value, "i"}), {instruction[3], instruction[4]}};
  return {mangle("sub_group_clustered_rotate", {value, "i", "j"}), {instruction[3], instruction[4], instruction[5]}};
}

std::string integerName(uint32_t bits, bool is_unsigned) {
  const char *const name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  return (is_unsigned ? "u" : "") + std::string(name);
}

struct Dot {
  Sign a, b;
  bool saturates;
};

// Returns the call for a reduction or scan over a whole work-group or sub-group. OpenCL C does not declare all of these
// functions, but the library has them. Operands:
//   result_type result scope operation value
BuiltinCall uniformGroup(const char *function, const Instruction &instruction, const Types &types) {
  const auto scope = types.constant(instruction[2]);
  const bool of_work_group = scope == uint32_t(spv::Scope::Workgroup);
  if (!of_work_group && scope != uint32_t(spv::Scope::Subgroup))
    return {};
  std::string name = of_work_group ? "work_group" : "sub_group";
  switch (spv::GroupOperation(instruction[3])) {
  case spv::GroupOperation::Reduce: name += "_reduce"; break;
  case spv::GroupOperation::InclusiveScan: name += "_scan_inclusive"; break;
  case spv::GroupOperation::ExclusiveScan: name += "_scan_exclusive"; break;
  default: return {};
  }
  const std::string value = types.isBoolean(instruction[0]) ? "b" : types.mangled(instruction[0]);
  return {mangle(name + function, {value}), {instruction[4]}};
}

// Returns the call for a dot product of vectors of bytes or of packed bytes. Operands:
//   result_type result a b [accumulator] [format]
BuiltinCall dot(const Instruction &instruction, const Types &types, Dot form) {
  const auto letter = [](Sign sign) { return sign == Sign::Signed ? "s" : "u"; };
  const bool is_unsigned = form.a == Sign::Unsigned && form.b == Sign::Unsigned;
  const std::string accumulator = types.mangled(instruction[0], is_unsigned);
  const std::string signs = std::string("_") + letter(form.a) + letter(form.b);
  std::string name = form.saturates ? "dot_acc_sat" : "dot", a, b;
  BuiltinCall call{{}, {instruction[2], instruction[3]}};
  if (form.saturates)
    call.arguments.push_back(instruction[4]);
  const uint32_t type = types.typeOf(instruction[2]);
  const bool packed = !types.isVector(type);
  if (packed) {
    a = b = "j";
  } else {
    a = types.mangled(type, form.a == Sign::Unsigned);
    b = types.mangled(type, form.b == Sign::Unsigned);
  }
  if (types.width(instruction[0]) != 32) // not an OpenCL C function, but the library has it
    name = "__lanecl_" + name + signs + "_" + integerName(types.width(instruction[0]), is_unsigned);
  else if (packed)
    name += "_4x8packed" + signs + (is_unsigned ? "_uint" : "_int");
  call.name = form.saturates ? mangle(name, {a, b, accumulator}) : mangle(name, {a, b});
  return call;
}

std::string suffix(uint32_t components) {
  return components == 0 ? "" : std::to_string(components);
}

BuiltinCall toBfloat16(const Instruction &instruction, const Types &types) {
  const std::string n = suffix(types.componentCount(instruction[0]));
  return {mangle("intel_convert_bfloat16" + n + "_as_ushort" + n, {types.mangled(types.typeOf(instruction[2]))}),
          {instruction[2]}};
}

BuiltinCall fromBfloat16(const Instruction &instruction, const Types &types) {
  const std::string n = suffix(types.componentCount(instruction[0]));
  return {mangle("intel_convert_as_bfloat16" + n + "_float" + n, {types.mangled(types.typeOf(instruction[2]), true)}),
          {instruction[2]}};
}

// Returns the call for the insertion or extraction of a bit field. Operands:
//   result_type result base [insert] offset count
BuiltinCall bitField(const char *name, const Instruction &instruction, const Types &types) {
  const std::string base = types.mangled(instruction[0]);
  const std::vector<uint32_t> arguments(instruction.from(2).begin(), instruction.from(2).end());
  if (instruction.op == spv::Op::OpBitFieldInsert)
    return {mangle(name, {base, base, "j", "j"}), arguments, 2};
  return {mangle(name, {base, "j", "j"}), arguments, 2};
}

// Returns the call for the rounding of float to tf32. Operands:
//   result_type result value
BuiltinCall toTf32(const Instruction &instruction, const Types &types) {
  const std::string n = suffix(types.componentCount(instruction[0]));
  return {mangle("intel_convert_tfloat32" + n + "_as_float" + n, {types.mangled(types.typeOf(instruction[2]))}),
          {instruction[2]}};
}

// Returns the call for the sigmoid, which the extension has for half and float. Operands:
//   result_type result value
BuiltinCall sigmoid(const Instruction &instruction, const Types &types) {
  const uint32_t type = types.scalarOf(instruction[0]);
  if (!types.isFloat(type) || types.width(type) > 32 || types.typeOf(instruction[2]) != instruction[0])
    return {};
  return {mangle("intel_sigmoid", {types.mangled(instruction[0])}), {instruction[2]}};
}

// Returns the call for the reading of a clock. All scopes have the same clock. Operands:
//   result_type result scope
BuiltinCall readClock(const Instruction &instruction, const Types &types) {
  return {mangle(types.isVector(instruction[0]) ? "clock_read_hilo_device" : "clock_read_device", {"v"}), {}};
}

// Returns the call for an atomic operation on a floating-point number. The function without an order and a scope has
// the strictest ones, which are no slower on x86. Operands:
//   result_type result pointer scope semantics value
BuiltinCall atomic(const char *name, const Instruction &instruction, const Types &types) {
  const std::string value = types.mangled(instruction[0]);
  const std::string space = types.mangledSpace(types.typeOf(instruction[2]));
  if (value.empty() || space.empty())
    return {};
  return {mangle(name, {"P" + space + "VU7_Atomic" + value, value}), {instruction[2], instruction[5]}};
}

// Returns the call for the creation of a named barrier. Operands:
//   result_type result sub_groups
BuiltinCall initializeBarrier(const Instruction &instruction, const Types &types) {
  const bool is_barrier = types.isNamedBarrier(instruction[0]);
  return {is_barrier ? mangle("__lanecl_named_barrier_initialize", {"j"}) : "", {instruction[2]}, 1};
}

// Returns the call for the wait at a named barrier. The library's function is as strict as any semantics. Operands:
//   barrier scope semantics
BuiltinCall waitAtBarrier(const Instruction &instruction, const Types &types) {
  const bool is_barrier = types.isNamedBarrier(types.typeOf(instruction[0]));
  return {is_barrier ? mangle("__lanecl_named_barrier_wait", {"PU3AS3h"}) : "", {instruction[0]}, 0, false};
}

// Returns the type that an atomic instruction computes with: the type of its result, or of what it stores.
uint32_t atomicType(const Instruction &instruction, const Types &types) {
  return instruction.op == spv::Op::OpAtomicStore ? types.typeOf(instruction[3]) : instruction[0];
}

// Returns the call for an atomic operation on 16-bit integers. The library has functions of its own for these, since
// OpenCL C has none. Their order is the strictest one. Integers of 8 bits have no atomic instructions. Returns nothing
// for wider integers, which the translator handles. Operands:
//   [result_type result] pointer scope semantics operands
std::optional<BuiltinCall> narrowAtomic(const char *name, const Instruction &instruction, const Types &types) {
  const uint32_t type = atomicType(instruction, types), bits = types.isInteger(type) ? types.width(type) : 0;
  if (bits == 0 || bits > 16)
    return std::nullopt;
  const bool is_store = instruction.op == spv::Op::OpAtomicStore;
  const uint32_t pointer = instruction[is_store ? 0 : 2];
  const std::string space = types.mangledSpace(types.typeOf(pointer));
  if (bits != 16 || space.empty())
    return BuiltinCall{};
  BuiltinCall call{{}, {pointer}, 0, !is_store};
  if (instruction.op == spv::Op::OpAtomicCompareExchange)
    // The functions take the comparator first.
    call.arguments.insert(call.arguments.end(), {instruction[7], instruction[6]});
  else if (const size_t value = is_store ? 3 : 5; instruction.operands.size() > value)
    call.arguments.push_back(instruction[value]);
  const bool is_unsigned = instruction.op == spv::Op::OpAtomicUMin || instruction.op == spv::Op::OpAtomicUMax;
  const std::string value = is_unsigned ? "t" : "s";
  std::vector<std::string> parameters(call.arguments.size(), value);
  parameters[0] = "P" + space + "V" + value;
  call.name = mangle(std::string("__lanecl_atomic_") + name, parameters);
  return call;
}

} // namespace

// Instructions without an entry here are known to the translator, or the module is refused later.
std::optional<BuiltinCall> builtinCall(const Instruction &instruction, const Types &types) {
  constexpr auto S = Sign::Signed, U = Sign::Unsigned;
  switch (instruction.op) {
  case spv::Op::OpGroupNonUniformRotateKHR: return rotate(instruction, types);
  case spv::Op::OpGroupIMulKHR:
  case spv::Op::OpGroupFMulKHR: return uniformGroup("_mul", instruction, types);
  case spv::Op::OpGroupBitwiseAndKHR: return uniformGroup("_and", instruction, types);
  case spv::Op::OpGroupBitwiseOrKHR: return uniformGroup("_or", instruction, types);
  case spv::Op::OpGroupBitwiseXorKHR: return uniformGroup("_xor", instruction, types);
  case spv::Op::OpGroupLogicalAndKHR: return uniformGroup("_logical_and", instruction, types);
  case spv::Op::OpGroupLogicalOrKHR: return uniformGroup("_logical_or", instruction, types);
  case spv::Op::OpGroupLogicalXorKHR: return uniformGroup("_logical_xor", instruction, types);
  case spv::Op::OpSDotKHR: return dot(instruction, types, {S, S, false});
  case spv::Op::OpUDotKHR: return dot(instruction, types, {U, U, false});
  case spv::Op::OpSUDotKHR: return dot(instruction, types, {S, U, false});
  case spv::Op::OpSDotAccSatKHR: return dot(instruction, types, {S, S, true});
  case spv::Op::OpUDotAccSatKHR: return dot(instruction, types, {U, U, true});
  case spv::Op::OpSUDotAccSatKHR: return dot(instruction, types, {S, U, true});
  case spv::Op::OpBitFieldInsert: return bitField("bitfield_insert", instruction, types);
  case spv::Op::OpBitFieldSExtract: return bitField("bitfield_extract_signed", instruction, types);
  case spv::Op::OpBitFieldUExtract: return bitField("bitfield_extract_unsigned", instruction, types);
  case spv::Op::OpBitReverse:
    return BuiltinCall{mangle("bit_reverse", {types.mangled(instruction[0])}), {instruction[2]}};
  case spv::Op::OpNamedBarrierInitialize: return initializeBarrier(instruction, types);
  case spv::Op::OpMemoryNamedBarrier: return waitAtBarrier(instruction, types);
  case spv::Op::OpReadClockKHR: return readClock(instruction, types);
  case spv::Op::OpAtomicFAddEXT: return atomic("atomic_fetch_add", instruction, types);
  case spv::Op::OpAtomicFMinEXT: return atomic("atomic_fetch_min", instruction, types);
  case spv::Op::OpAtomicFMaxEXT: return atomic("atomic_fetch_max", instruction, types);
  case spv::Op::OpAtomicLoad: return narrowAtomic("load", instruction, types);
  case spv::Op::OpAtomicStore: return narrowAtomic("store", instruction, types);
  case spv::Op::OpAtomicExchange: return narrowAtomic("exchange", instruction, types);
  case spv::Op::OpAtomicCompareExchange: return narrowAtomic("compare_exchange", instruction, types);
  case spv::Op::OpAtomicIIncrement: return narrowAtomic("increment", instruction, types);
  case spv::Op::OpAtomicIDecrement: return narrowAtomic("decrement", instruction, types);
  case spv::Op::OpAtomicIAdd: return narrowAtomic("add", instruction, types);
  case spv::Op::OpAtomicISub: return narrowAtomic("sub", instruction, types);
  case spv::Op::OpAtomicSMin:
  case spv::Op::OpAtomicUMin: return narrowAtomic("min", instruction, types);
  case spv::Op::OpAtomicSMax:
  case spv::Op::OpAtomicUMax: return narrowAtomic("max", instruction, types);
  case spv::Op::OpAtomicAnd: return narrowAtomic("and", instruction, types);
  case spv::Op::OpAtomicOr: return narrowAtomic("or", instruction, types);
  case spv::Op::OpAtomicXor: return narrowAtomic("xor", instruction, types);
  case kOpConvertFToBF16: return toBfloat16(instruction, types);
  case kOpConvertBF16ToF: return fromBfloat16(instruction, types);
  case kOpFSigmoid: return sigmoid(instruction, types);
  case kOpRoundFToTF32: return toTf32(instruction, types);
  case kOpMatrixMultiplyAccumulate: return matrixMultiply(instruction, types);
  case kOpBlock2DLoad: return blockAccess("read_", instruction, types);
  case kOpBlock2DLoadTransform: return blockAccess("read_transform_", instruction, types);
  case kOpBlock2DLoadTranspose: return blockAccess("read_transpose_", instruction, types);
  case kOpBlock2DStore: return blockAccess("write_", instruction, types);
  default: return std::nullopt;
  }
}

} // namespace lanecl::frontend::spirv
