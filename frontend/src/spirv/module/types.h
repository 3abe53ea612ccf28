// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The types of a module and of its values.
#pragma once

#include "spirv/module/module.h"

#include <optional>

namespace lanecl::frontend::spirv {

// Numbers that the headers of SPIR-V may be too old for.
inline constexpr auto kOpConvertFToBF16 = spv::Op(6116), kOpConvertBF16ToF = spv::Op(6117), kOpFSigmoid = spv::Op(6168),
                      kOpSubgroupBlockPrefetch = spv::Op(6221), kOpBlock2DLoad = spv::Op(6231),
                      kOpBlock2DLoadTransform = spv::Op(6232), kOpBlock2DLoadTranspose = spv::Op(6233),
                      kOpBlock2DPrefetch = spv::Op(6234), kOpBlock2DStore = spv::Op(6235),
                      kOpMatrixMultiplyAccumulate = spv::Op(6237), kOpRoundFToTF32 = spv::Op(6426);
inline constexpr auto kFastMathDefault = spv::ExecutionMode(6028);

// The first operand is the type of the second one.
bool hasResultType(spv::Op op);

class Types {
public:
  explicit Types(const Module &module);

  // 0: the value has none, or does not exist.
  uint32_t typeOf(uint32_t value) const;
  // Bits of a scalar; 0 for all else.
  uint32_t width(uint32_t type) const;
  bool isFloat(uint32_t type) const { return opOf(type) == spv::Op::OpTypeFloat; }
  bool isInteger(uint32_t type) const { return opOf(type) == spv::Op::OpTypeInt; }
  bool isBoolean(uint32_t type) const { return opOf(type) == spv::Op::OpTypeBool; }
  bool isNamedBarrier(uint32_t type) const { return opOf(type) == spv::Op::OpTypeNamedBarrier; }
  bool isVector(uint32_t type) const { return opOf(type) == spv::Op::OpTypeVector; }
  // Of a vector. Those that are longer than vectors can be have no components.
  uint32_t componentType(uint32_t type) const { return isVector(type) ? (*find(type))[1] : 0; }
  uint32_t componentCount(uint32_t type) const;
  // The type itself, or that of its components.
  uint32_t scalarOf(uint32_t type) const { return isVector(type) ? componentType(type) : type; }
  bool isPointer(uint32_t type) const { return opOf(type) == spv::Op::OpTypePointer; }
  // Of a pointer; Max of all else.
  spv::StorageClass storageClass(uint32_t type) const;
  uint32_t pointee(uint32_t type) const { return isPointer(type) ? (*find(type))[2] : 0; }
  // Of a structure or an array; 0 for all else.
  uint32_t memberCount(uint32_t type) const;
  uint32_t memberType(uint32_t type, uint32_t index) const;
  // The integer type and the IEEE 754 type of so many bits, the vector type, and the type without values; 0: the module
  // has none.
  uint32_t integer(uint32_t bits) const;
  uint32_t floating(uint32_t bits) const;
  uint32_t vector(uint32_t component, uint32_t count) const;
  uint32_t none() const;
  // Of a constant integer or truth value, computed from specialization constants if need be; and its low word.
  std::optional<uint64_t> value(uint32_t id) const;
  std::optional<uint32_t> constant(uint32_t id) const;
  // Of a constant vector, array or structure; 0: there is none.
  uint32_t constituent(uint32_t composite, uint32_t index) const;

  // As it appears in the mangled name of an OpenCL C function; empty when there is no name for it.
  std::string mangled(uint32_t type, bool is_unsigned = false) const;
  // The address space of a pointer to memory that work-items share, likewise.
  std::string mangledSpace(uint32_t pointer_type) const;
  // The function type with these result and parameter types; 0: the module has none.
  uint32_t function(const std::vector<uint32_t> &types) const;

private:
  spv::Op opOf(uint32_t type) const;
  const Instruction *find(uint32_t id) const;

  std::map<uint32_t, const Instruction *> definitions; // types and constants
  std::map<uint32_t, uint32_t> value_types;
  std::map<uint32_t, uint64_t> values; // of constants
  std::map<std::vector<uint32_t>, uint32_t> functions;
};

} // namespace lanecl::frontend::spirv
