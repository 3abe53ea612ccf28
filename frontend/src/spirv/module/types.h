// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals the types of a module's values, and the values of its constants.
#pragma once

#include "spirv/module/module.h"

#include <optional>

namespace lanecl::frontend::spirv {

// Opcodes and an execution mode that the installed headers of SPIR-V may be too old for.
inline constexpr auto kOpConvertFToBF16 = spv::Op(6116), kOpConvertBF16ToF = spv::Op(6117), kOpFSigmoid = spv::Op(6168),
                      kOpSubgroupBlockPrefetch = spv::Op(6221), kOpBlock2DLoad = spv::Op(6231),
                      kOpBlock2DLoadTransform = spv::Op(6232), kOpBlock2DLoadTranspose = spv::Op(6233),
                      kOpBlock2DPrefetch = spv::Op(6234), kOpBlock2DStore = spv::Op(6235),
                      kOpMatrixMultiplyAccumulate = spv::Op(6237), kOpRoundFToTF32 = spv::Op(6426);
inline constexpr auto kFastMathDefault = spv::ExecutionMode(6028);

// Whether the instruction's first operand is the type of its second operand, the result.
bool hasResultType(spv::Op op);

// Ids stand for types and values. The module may be invalid: every function accepts every id.
class Types {
public:
  explicit Types(const Module &module);

  // Returns the type of a value, or 0 when the value has none or does not exist.
  uint32_t typeOf(uint32_t value) const;
  // Returns the width of a scalar integer or floating-point type in bits, or 0 for other types.
  uint32_t width(uint32_t type) const;
  bool isFloat(uint32_t type) const { return opOf(type) == spv::Op::OpTypeFloat; }
  bool isInteger(uint32_t type) const { return opOf(type) == spv::Op::OpTypeInt; }
  bool isBoolean(uint32_t type) const { return opOf(type) == spv::Op::OpTypeBool; }
  bool isNamedBarrier(uint32_t type) const { return opOf(type) == spv::Op::OpTypeNamedBarrier; }
  bool isVector(uint32_t type) const { return opOf(type) == spv::Op::OpTypeVector; }
  // The type and number of a vector's components. Both are 0 for other types, and for vectors longer than OpenCL allows
  // (16).
  uint32_t componentType(uint32_t type) const { return isVector(type) ? (*find(type))[1] : 0; }
  uint32_t componentCount(uint32_t type) const;
  // Returns the component type of a vector, and every other type itself.
  uint32_t scalarOf(uint32_t type) const { return isVector(type) ? componentType(type) : type; }
  bool isPointer(uint32_t type) const { return opOf(type) == spv::Op::OpTypePointer; }
  // The storage class and the pointee of a pointer; Max and 0 for other types.
  spv::StorageClass storageClass(uint32_t type) const;
  uint32_t pointee(uint32_t type) const { return isPointer(type) ? (*find(type))[2] : 0; }
  // The members of a structure, or the elements of an array. The count is 0 for other types.
  uint32_t memberCount(uint32_t type) const;
  uint32_t memberType(uint32_t type, uint32_t index) const;
  // Return the integer type or IEEE 754 type of this width, the vector type, and OpTypeVoid; 0 if the module has no
  // such type.
  uint32_t integer(uint32_t bits) const;
  uint32_t floating(uint32_t bits) const;
  uint32_t vector(uint32_t component, uint32_t count) const;
  uint32_t none() const;
  // Return the value of a constant integer or boolean, computed from specialization constants if need be. constant()
  // returns the low word of an integer. The result is nothing if the value is not constant.
  std::optional<uint64_t> value(uint32_t id) const;
  std::optional<uint32_t> constant(uint32_t id) const;
  // Returns the id of a part of a constant vector, array or structure, or 0.
  uint32_t constituent(uint32_t composite, uint32_t index) const;

  // Returns the type as it appears in the mangled name of an OpenCL C function, such as "Dv4_f". The result is empty if
  // no built-in function takes this type.
  std::string mangled(uint32_t type, bool is_unsigned = false) const;
  // Returns the address space as it appears in the mangled type of a pointer to shared memory, such as "U3AS1".
  std::string mangledSpace(uint32_t pointer_type) const;
  // Returns the function type with this result type and these parameter types, or 0 if the module has no such type.
  uint32_t function(const std::vector<uint32_t> &types) const;

private:
  spv::Op opOf(uint32_t type) const;
  const Instruction *find(uint32_t id) const;

  std::map<uint32_t, const Instruction *> definitions; // types, constants and other results, by their ids
  // Result types by the ids of the results.
  std::map<uint32_t, uint32_t> value_types;
  std::map<uint32_t, uint64_t> values; // values of constants by their ids
  // Function types by their result type and parameter types.
  std::map<std::vector<uint32_t>, uint32_t> functions;
};

} // namespace lanecl::frontend::spirv
