// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The translator knows a load of a whole built-in variable, but no pointer into it:
//
//   %p = OpAccessChain %ptr %GlobalInvocationId %one    ->    %v = OpLoad %v3ulong %GlobalInvocationId
//   %x = OpLoad %ulong %p                                     %x = OpCompositeExtract %ulong %v 1
#include "spirv/lower/builtin_variables.h"

#include "spirv/module/instruction_names.h"
#include "spirv/module/types.h"

#include <list>
#include <set>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

// The place in a built-in variable that a computed pointer points at: `offset` bytes past its start, or the component
// with the number that is the value of the id `index` (0: none), which is not constant.
struct Place {
  uint32_t variable;
  uint64_t offset = 0;
  uint32_t index = 0;
};

// Whether the operands are ids of results only, which may be pointers.
bool takesPointers(spv::Op op) {
  switch (op) {
  case spv::Op::OpFunctionCall:
  case spv::Op::OpPhi:
  case spv::Op::OpSelect:
  case spv::Op::OpReturnValue:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpConvertPtrToU:
  case spv::Op::OpBitcast:
  case spv::Op::OpAccessChain:
  case spv::Op::OpInBoundsAccessChain:
  case spv::Op::OpPtrAccessChain:
  case spv::Op::OpInBoundsPtrAccessChain: return true;
  default: return false;
  }
}

// Finds the places of all computed pointers first, then replaces the loads and drops the pointers.
class BuiltinLoads {
public:
  BuiltinLoads(Module &module, std::string &error) : module(module), types(module), error(error) {}

  bool run() {
    for (const Instruction &instruction : module.instructions())
      note(instruction);
    if (variables.empty())
      return true;
    for (const Instruction &instruction : module.instructions())
      if (!add(instruction))
        return false;
    if (!places.empty())
      module.replace(std::move(code));
    return true;
  }

private:
  // Notes built-in variables, and pointers computed from them. Definitions come before uses, so one pass is enough.
  void note(const Instruction &instruction) {
    if (instruction.op == spv::Op::OpDecorate && spv::Decoration(instruction[1]) == spv::Decoration::BuiltIn)
      builtins.insert(instruction[0]);
    else if (instruction.op == spv::Op::OpVariable && builtins.contains(instruction[1]))
      variables.insert(instruction[1]);
    else if (instruction.op == spv::Op::OpSpecConstantOp && instruction.operands.size() > 3)
      note({spv::Op(instruction[2]), withoutOperation(instruction)});
    else if (const std::optional<Place> place = computedPlace(instruction))
      places[instruction[1]] = *place;
  }

  // Returns the operands of an OpSpecConstantOp without the operation: those of the instruction that would compute the
  // same.
  std::span<const uint32_t> withoutOperation(const Instruction &constant) {
    Code &operands = kept_operands.emplace_back(constant.operands.begin(), constant.operands.end());
    operands.erase(operands.begin() + 2);
    return operands;
  }

  // Returns the place that the pointer points at, or nothing when it does not point into a built-in variable.
  std::optional<Place> placeOf(uint32_t pointer) const {
    if (variables.contains(pointer))
      return Place{pointer};
    const auto place = places.find(pointer);
    return place == places.end() ? std::nullopt : std::optional(place->second);
  }

  // Returns the place that the instruction's result points at, if it is computed from a pointer into a built-in
  // variable.
  std::optional<Place> computedPlace(const Instruction &instruction) const {
    const std::optional<Place> base = placeOf(instruction[2]);
    if (!base)
      return std::nullopt;
    switch (instruction.op) {
    case spv::Op::OpBitcast: return types.isPointer(instruction[0]) ? base : std::nullopt;
    case spv::Op::OpPtrCastToGeneric:
    case spv::Op::OpGenericCastToPtr:
    case spv::Op::OpCopyObject: return base;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: return component(*base, pointeeOf(instruction), instruction.from(3));
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain: return element(*base, pointeeOf(instruction), instruction.from(3));
    default: return std::nullopt;
    }
  }

  uint32_t pointeeOf(const Instruction &chain) const { return types.pointee(types.typeOf(chain[2])); }

  // Moves by the first index in whole elements, as OpPtrAccessChain does, and by the second one to a component of that
  // element.
  std::optional<Place> element(const Place &base, uint32_t type, std::span<const uint32_t> indices) const {
    const uint32_t components =
        types.componentCount(type) == 3 ? 4 : types.componentCount(type); // vectors of 3 take the place of 4
    const uint64_t size = types.width(types.scalarOf(type)) / 8 * (types.isVector(type) ? components : 1);
    if (indices.empty() || size == 0)
      return std::nullopt;
    const std::optional<Place> place = moved(base, size, indices[0]);
    return place ? component(*place, type, indices.subspan(1)) : std::nullopt;
  }

  // Moves to a component, the number of which is the only index.
  std::optional<Place> component(const Place &base, uint32_t type, std::span<const uint32_t> indices) const {
    if (indices.empty())
      return base;
    if (indices.size() > 1 || !types.isVector(type))
      return std::nullopt;
    return moved(base, types.width(types.componentType(type)) / 8, indices[0]);
  }

  // Moves by a constant number of bytes, or to a component whose number is not constant.
  std::optional<Place> moved(const Place &base, uint64_t size, uint32_t index) const {
    if (const std::optional<uint64_t> number = types.value(index))
      return Place{base.variable, base.offset + size * *number, base.index};
    const bool of_components = size * 8 == types.width(types.scalarOf(typeOf(base.variable)));
    return of_components && base.offset == 0 && base.index == 0 ? std::optional(Place{base.variable, 0, index})
                                                                : std::nullopt;
  }

  uint32_t typeOf(uint32_t variable) const { return types.pointee(types.typeOf(variable)); }

  // Adds the instruction, unless it computes a pointer into a built-in variable. Returns false if it uses such a
  // pointer otherwise.
  bool add(const Instruction &instruction) {
    switch (instruction.op) {
    case spv::Op::OpName:
    case spv::Op::OpDecorate:
      if (!places.contains(instruction[0]))
        keep(instruction);
      return true;
    case spv::Op::OpLoad: return addLoad(instruction);
    default: break;
    }
    if (instruction.operands.size() > 1 && places.contains(instruction[1]))
      return true;
    if (takesPointers(instruction.op))
      for (uint32_t operand : instruction.operands)
        if (placeOf(operand))
          return fail(instruction);
    keep(instruction);
    return true;
  }

  // Operands: %type %result %pointer
  bool addLoad(const Instruction &load) {
    const uint32_t type = load[0], result = load[1];
    const std::optional<Place> place = variables.contains(load[2]) ? std::nullopt : placeOf(load[2]);
    if (!place) {
      keep(load);
      return true;
    }
    const uint32_t whole_type = typeOf(place->variable), scalar = types.scalarOf(whole_type);
    const bool at_begin = place->offset == 0 && place->index == 0;
    if (type == whole_type && at_begin) {
      emit(spv::Op::OpLoad, {type, result, place->variable});
      return true;
    }
    const uint64_t size = types.width(scalar) / 8,
                   count = types.isVector(whole_type) ? types.componentCount(whole_type) : 1;
    const bool is_narrower = types.isInteger(type) && types.width(type) < types.width(scalar);
    if (size == 0 || place->offset % size != 0 || place->offset / size >= count || (type != scalar && !is_narrower))
      return fail(load);
    const uint32_t value = component(*place, whole_type, uint32_t(place->offset / size), is_narrower ? 0 : result);
    if (is_narrower)
      emit(spv::Op::OpUConvert, {type, result, value});
    return true;
  }

  // Loads the component as `result`, or as a new id if `result` is 0. Returns the id.
  uint32_t component(const Place &place, uint32_t whole_type, uint32_t number, uint32_t result) {
    if (result == 0)
      result = module.newId();
    if (!types.isVector(whole_type)) {
      emit(spv::Op::OpLoad, {whole_type, result, place.variable});
      return result;
    }
    const uint32_t whole = module.newId();
    emit(spv::Op::OpLoad, {whole_type, whole, place.variable});
    if (place.index != 0)
      emit(spv::Op::OpVectorExtractDynamic, {types.componentType(whole_type), result, whole, place.index});
    else
      emit(spv::Op::OpCompositeExtract, {types.componentType(whole_type), result, whole, number});
    return result;
  }

  bool fail(const Instruction &instruction) {
    error = "error: instruction " + nameOf(instruction.op) +
            " takes a pointer to a built-in variable; the device supports only loads of whole components\n";
    return false;
  }

  void emit(spv::Op op, std::span<const uint32_t> operands) { code.push_back(encode(op, operands)); }
  void emit(spv::Op op, std::initializer_list<uint32_t> operands) { code.push_back(encode(op, operands)); }
  void keep(const Instruction &instruction) { emit(instruction.op, instruction.operands); }

  Module &module;
  const Types types;
  std::string &error;
  std::vector<Code> code;
  std::set<uint32_t> builtins, variables;
  std::map<uint32_t, Place> places; // places of computed pointers
  // The operands made by withoutOperation(), whose addresses must not change.
  std::list<Code> kept_operands;
};

} // namespace

bool loadBuiltinsWhole(Module &module, std::string &error) {
  return BuiltinLoads(module, error).run();
}

} // namespace lanecl::frontend::spirv
