// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rewrites instructions of SPIR-V 1.4 to 1.6 one by one.
#include "spirv/lower/downgrade.h"

#include "spirv/module/types.h"

#include <algorithm>
#include <functional>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

// The last minor version that the translator reads completely.
constexpr unsigned kTargetMinor = 3;

struct Typed {
  uint32_t type, value;
};

// Writes the module again instruction by instruction.
class Downgrade {
public:
  explicit Downgrade(Module &module) : module(module), types(module) {}

  void run() {
    for (const Instruction &instruction : module.instructions())
      add(instruction);
    code.insert(code.begin() + ptrdiff_t(functions), declarations.begin(), declarations.end());
    module.replace(std::move(code));
    module.setMinorVersion(std::min(module.minorVersion(), kTargetMinor));
  }

private:
  // Adds the instruction, or what expresses it in SPIR-V 1.3.
  void add(const Instruction &instruction) {
    switch (instruction.op) {
    case spv::Op::OpCapability:
      if (spv::Capability(instruction[0]) != spv::Capability::UniformDecoration)
        keep(instruction);
      break;
    case spv::Op::OpEntryPoint: addEntryPoint(instruction); break;
    case spv::Op::OpDecorateString: // these only inform tools
    case spv::Op::OpMemberDecorateString: break;
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId: addDecoration(instruction); break;
    case spv::Op::OpFunction:
      if (!inside_functions)
        functions = code.size();
      inside_functions = true;
      keep(instruction);
      break;
    case spv::Op::OpCopyLogical: addCopyLogical(instruction); break;
    case spv::Op::OpSelect: addSelect(instruction); break;
    case spv::Op::OpPtrEqual: addPointerComparison(instruction, spv::Op::OpIEqual); break;
    case spv::Op::OpPtrNotEqual: addPointerComparison(instruction, spv::Op::OpINotEqual); break;
    case spv::Op::OpPtrDiff: addPointerDifference(instruction); break;
    case spv::Op::OpBitcast: addBitcast(instruction); break;
    case spv::Op::OpCopyMemorySized: addSizedCopy(instruction); break;
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageRead: addImageAccess(instruction, 4); break;
    case spv::Op::OpImageWrite: addImageAccess(instruction, 3); break;
    case spv::Op::OpLoopMerge: addLoopMerge(instruction); break;
    default: keep(instruction);
    }
  }

  void emit(spv::Op op, std::span<const uint32_t> operands) { code.push_back(encode(op, operands)); }
  void emit(spv::Op op, std::initializer_list<uint32_t> operands) { code.push_back(encode(op, operands)); }
  void keep(const Instruction &instruction) { emit(instruction.op, instruction.operands); }

  // Drops the decorations that promise a uniform value, which the vectorizer does not need.
  void addDecoration(const Instruction &instruction) {
    const auto decoration = spv::Decoration(instruction[1]);
    if (decoration != spv::Decoration::Uniform && decoration != spv::Decoration::UniformId)
      keep(instruction);
  }

  // Since SPIR-V 1.4 an entry point names all the variables that it uses; before, only those of the storage classes
  // Input and Output.
  void addEntryPoint(const Instruction &instruction) {
    Code operands{instruction[0], instruction[1]};
    const Code name = literalWords(literalString(instruction, 2));
    operands.insert(operands.end(), name.begin(), name.end());
    for (uint32_t variable : instruction.from(operands.size())) {
      const auto storage = types.storageClass(types.typeOf(variable));
      if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output)
        operands.push_back(variable);
    }
    emit(instruction.op, operands);
  }

  // Copies each innermost member. Operands: %type %result %operand.
  void addCopyLogical(const Instruction &instruction) {
    const uint32_t operand = instruction[2];
    compose({instruction[0], instruction[1]}, {{types.typeOf(operand), operand}},
            [](uint32_t, const std::vector<Typed> &sources) { return sources[0].value; });
  }

  // Since SPIR-V 1.4 OpSelect also selects structures and arrays. Vectors, which can now have a scalar condition, are
  // kept.
  void addSelect(const Instruction &instruction) {
    const uint32_t type = instruction[0], condition = instruction[2];
    if (types.memberCount(type) == 0) {
      keep(instruction);
      return;
    }
    compose({type, instruction[1]}, {{type, instruction[3]}, {type, instruction[4]}},
            [&](uint32_t member, const std::vector<Typed> &sources) {
              const uint32_t selected = module.newId();
              emit(spv::Op::OpSelect, {member, selected, condition, sources[0].value, sources[1].value});
              return selected;
            });
  }

  // Makes one innermost member of the result from those of the sources.
  using Leaf = std::function<uint32_t(uint32_t type, const std::vector<Typed> &sources)>;

  // Composes a structure or an array by applying `leaf` to each innermost member of the sources.
  void compose(Typed result, const std::vector<Typed> &sources, const Leaf &leaf) {
    uint32_t composite = module.newId();
    emit(spv::Op::OpUndef, {result.type, composite});
    const uint32_t count = types.memberCount(result.type);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t part = member({types.memberType(result.type, i), 0}, sources, i, leaf);
      const uint32_t next = i + 1 < count ? module.newId() : result.value;
      emit(spv::Op::OpCompositeInsert, {result.type, next, part, composite, i});
      composite = next;
    }
  }

  // Extracts member `index` of the sources, and returns that member of the result.
  uint32_t member(Typed result, const std::vector<Typed> &sources, uint32_t index, const Leaf &leaf) {
    std::vector<Typed> members;
    for (const Typed &source : sources) {
      members.push_back({types.memberType(source.type, index), module.newId()});
      emit(spv::Op::OpCompositeExtract, {members.back().type, members.back().value, source.value, index});
    }
    if (types.memberCount(result.type) == 0)
      return leaf(result.type, members);
    result.value = module.newId();
    compose(result, members, leaf);
    return result.value;
  }

  // Returns the pointer's address as a 64-bit integer.
  uint32_t address(uint32_t pointer) {
    const uint32_t result = module.newId();
    emit(spv::Op::OpConvertPtrToU, {longType(), result, pointer});
    return result;
  }

  // Compares addresses. Operands: %type %result %a %b.
  void addPointerComparison(const Instruction &instruction, spv::Op op) {
    const uint32_t a = address(instruction[2]), b = address(instruction[3]);
    emit(op, {instruction[0], instruction[1], a, b});
  }

  // The difference counts elements. Their size is the address of element 1 of a null pointer.
  void addPointerDifference(const Instruction &instruction) {
    const uint32_t pointer = types.typeOf(instruction[2]), second = module.newId();
    const uint32_t a = address(instruction[2]), b = address(instruction[3]), bytes = module.newId();
    emit(spv::Op::OpISub, {longType(), bytes, a, b});
    emit(spv::Op::OpPtrAccessChain, {pointer, second, nullPointer(pointer), one()});
    const uint32_t size = address(second), width = types.width(instruction[0]);
    const uint32_t elements = width == 64 ? instruction[1] : module.newId();
    emit(spv::Op::OpSDiv, {longType(), elements, bytes, size});
    if (width != 64)
      emit(spv::Op::OpSConvert, {instruction[0], instruction[1], elements});
  }

  // LLVM has other instructions than bitcast for casts between pointers and integers. Since SPIR-V 1.5 pointers can
  // also be cast to vectors of integers.
  void addBitcast(const Instruction &instruction) {
    const uint32_t type = instruction[0], result = instruction[1], operand = instruction[2];
    const bool from = types.isPointer(types.typeOf(operand)), to = types.isPointer(type);
    if (from == to) {
      keep(instruction);
    } else if (from) {
      const uint32_t number = types.isInteger(type) ? result : module.newId();
      emit(spv::Op::OpConvertPtrToU, {longType(), number, operand});
      if (number != result)
        emit(spv::Op::OpBitcast, {type, result, number});
    } else {
      uint32_t number = operand;
      if (!types.isInteger(types.typeOf(operand)))
        emit(spv::Op::OpBitcast, {longType(), number = module.newId(), operand});
      emit(spv::Op::OpConvertUToPtr, {type, result, number});
    }
  }

  // Operands: %target %source %size, then, since SPIR-V 1.4, memory operands of the target and of the source. The
  // single set of memory operands that is left has the smaller alignment, and is volatile if one of the two is.
  void addSizedCopy(const Instruction &instruction) {
    uint32_t access = 0, alignment = 0;
    bool aligned = instruction.operands.size() > 3;
    for (size_t at = 3; at < instruction.operands.size();) {
      const uint32_t mask = instruction[at++];
      access |= mask & uint32_t(spv::MemoryAccessMask::Volatile);
      if ((mask & uint32_t(spv::MemoryAccessMask::Aligned)) == 0)
        aligned = false;
      else if (const uint32_t bytes = instruction[at++]; alignment == 0 || bytes < alignment)
        alignment = bytes;
    }
    Code operands(instruction.upTo(3).begin(), instruction.upTo(3).end());
    if (aligned)
      operands.insert(operands.end(), {access | uint32_t(spv::MemoryAccessMask::Aligned), alignment});
    else if (access != 0)
      operands.push_back(access);
    emit(instruction.op, operands);
  }

  // Drops the hint of SPIR-V 1.6, in the operand `mask`, that the element is not used again.
  void addImageAccess(const Instruction &instruction, size_t mask) {
    Code operands(instruction.operands.begin(), instruction.operands.end());
    if (mask < operands.size()) {
      operands[mask] &= ~uint32_t(spv::ImageOperandsMask::Nontemporal);
      if (operands[mask] == 0)
        operands.pop_back();
    }
    emit(instruction.op, operands);
  }

  // Drops the hints of SPIR-V 1.4 about the number of iterations, each of which has a literal. The literal of
  // DependencyLength comes before theirs.
  void addLoopMerge(const Instruction &instruction) {
    constexpr auto kDependencyLength = uint32_t(spv::LoopControlMask::DependencyLength);
    const uint32_t control = instruction[2] & (2 * kDependencyLength - 1);
    Code operands{instruction[0], instruction[1], control};
    if (control & kDependencyLength)
      operands.push_back(instruction[3]);
    emit(instruction.op, operands);
  }

  // Returns the 64-bit integer type, and declares it if the module does not have it.
  uint32_t longType() {
    if (long_type == 0)
      long_type = types.integer(64);
    if (long_type == 0) {
      long_type = module.newId();
      declarations.insert(declarations.begin(), encode(spv::Op::OpTypeInt, {long_type, 64, 0}));
    }
    return long_type;
  }

  uint32_t one() {
    if (one_value == 0) {
      const uint32_t type = longType();
      one_value = module.newId();
      declarations.push_back(encode(spv::Op::OpConstant, {type, one_value, 1, 0}));
    }
    return one_value;
  }

  uint32_t nullPointer(uint32_t type) {
    uint32_t &null = nulls[type];
    if (null == 0) {
      null = module.newId();
      declarations.push_back(encode(spv::Op::OpConstantNull, {type, null}));
    }
    return null;
  }

  Module &module;
  const Types types;
  std::vector<Code> code;
  size_t functions = 0; // where the functions start in `code`
  bool inside_functions = false;
  // Constants and types that are missing in the module. They are inserted before the functions.
  std::vector<Code> declarations;
  uint32_t long_type = 0, one_value = 0;
  std::map<uint32_t, uint32_t> nulls; // null pointers by their types
};

} // namespace

void downgrade(Module &module) {
  Downgrade(module).run();
}

} // namespace lanecl::frontend::spirv
