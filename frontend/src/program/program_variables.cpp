// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lays out program scope variables in one block, and computes the bytes that the block starts with.
#include "program/program_variables.h"

#include "vectorizer/contract/variable_metadata.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <cassert>
#include <optional>

namespace lanecl::frontend {
namespace {

constexpr unsigned kGlobalAddressSpace = 1;
constexpr uint64_t kPointerBytes = 8;

using Variables = llvm::SmallSetVector<llvm::GlobalVariable *, 16>;

// Returns the variable's alignment, or that of its type if it has none of its own.
llvm::Align alignmentOf(const llvm::GlobalVariable &variable) {
  return variable.getAlign().value_or(variable.getDataLayout().getPrefTypeAlign(variable.getValueType()));
}

uint64_t sizeOf(const llvm::GlobalVariable &variable) {
  return variable.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
}

// Collects the variables whose addresses a constant holds.
void collectReferences(const llvm::Constant &constant, llvm::SmallPtrSetImpl<const llvm::Constant *> &seen,
                       Variables &found) {
  if (!seen.insert(&constant).second)
    return;
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    found.insert(const_cast<llvm::GlobalVariable *>(variable));
    return;
  }
  for (const llvm::Use &operand : constant.operands())
    if (const auto *part = llvm::dyn_cast<llvm::Constant>(operand))
      collectReferences(*part, seen, found);
}

// Returns the variables whose addresses the initializer of this one holds.
Variables referencesOf(const llvm::GlobalVariable &variable) {
  Variables found;
  llvm::SmallPtrSet<const llvm::Constant *, 16> seen;
  if (variable.hasInitializer())
    collectReferences(*variable.getInitializer(), seen, found);
  return found;
}

// Returns the variables that need a place in the block, because their address must be the same in all kernels: those in
// global memory, and those in constant memory that hold the address of such a variable or whose address one of them
// holds. The loop repeats until no more variables are found.
Variables variablesInMemory(llvm::Module &program) {
  Variables result;
  for (llvm::GlobalVariable &variable : program.globals())
    if (variable.hasInitializer() && variable.getAddressSpace() == kGlobalAddressSpace)
      result.insert(&variable);
  for (size_t before = 0; before != result.size();) {
    before = result.size();
    for (llvm::GlobalVariable &variable : program.globals()) {
      const Variables references = referencesOf(variable);
      if (llvm::any_of(references, [&](llvm::GlobalVariable *other) { return result.contains(other); }))
        result.insert(&variable);
      if (result.contains(&variable))
        result.insert(references.begin(), references.end());
    }
  }
  return result;
}

// Returns the variable's place in the block, or nothing when it has none.
std::optional<uint64_t> offsetOf(const llvm::GlobalVariable &variable) {
  const llvm::MDNode *node = variable.getMetadata(vectorizer::kVariableOffset);
  if (!node || node->getNumOperands() != 1)
    return std::nullopt;
  const auto *offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(0));
  return offset ? std::optional(offset->getZExtValue()) : std::nullopt;
}

// Gives the variable its place in the block.
void setOffset(llvm::GlobalVariable &variable, uint64_t offset) {
  llvm::LLVMContext &context = variable.getContext();
  auto *number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset);
  variable.setMetadata(vectorizer::kVariableOffset, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
}

// Writes initializers as the bytes that memory will hold, and notes where it holds addresses.
class ImageWriter {
public:
  ImageWriter(const llvm::DataLayout &layout, ProgramVariables &result) : layout(layout), result(result) {}

  // Writes the value at offset `at` of the block. Returns false if a part of the value is not known at compile time.
  // Uninitialized parts are zero.
  bool write(const llvm::Constant &value, uint64_t at) {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value))
      return true;
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return writeInteger(number->getValue(), at);
    if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(&value))
      return writeInteger(number->getValueAPF().bitcastToAPInt(), at);
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(value.getType()))
      return writeElements(value, structure->getNumElements(), [&](unsigned i) {
        return at + layout.getStructLayout(const_cast<llvm::StructType *>(structure))->getElementOffset(i);
      });
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(value.getType())) {
      const uint64_t step = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
      return writeElements(value, array->getNumElements(), [&](unsigned i) { return at + step * i; });
    }
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType())) {
      const uint64_t step = layout.getTypeStoreSize(vector->getElementType()).getFixedValue();
      return writeElements(value, vector->getNumElements(), [&](unsigned i) { return at + step * i; });
    }
    return writeAddress(value, at);
  }

private:
  // Writes the elements of a structure, an array or a vector. `place` returns the offset of an element by its number.
  template <class Place> bool writeElements(const llvm::Constant &value, uint64_t count, Place place) {
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant *element = value.getAggregateElement(i);
      if (!element || !write(*element, place(i)))
        return false;
    }
    return true;
  }

  // Writes the bytes of a number in little-endian order, and extends the image if needed.
  bool writeInteger(const llvm::APInt &number, uint64_t at) {
    const uint64_t bytes = (number.getBitWidth() + 7) / 8;
    assert(at + bytes <= result.bytes && "the number is not in the variables");
    if (result.initial.size() < at + bytes)
      result.initial.resize(at + bytes);
    for (uint64_t i = 0; i < bytes; ++i)
      result.initial[at + i] =
          static_cast<char>(number.lshr(static_cast<unsigned>(8 * i)).getLoBits(8).getZExtValue() & 0xff);
    return true;
  }

  // Writes a pointer: either as a number, or as an entry of ProgramVariables::addresses.
  bool writeAddress(const llvm::Constant &value, uint64_t at) {
    if (layout.getTypeStoreSize(value.getType()) != kPointerBytes)
      return false;
    int64_t offset = 0;
    const llvm::GlobalVariable *variable = nullptr;
    if (!evaluate(value, offset, variable))
      return false;
    if (!variable)
      return writeInteger(llvm::APInt(64, static_cast<uint64_t>(offset)), at);
    assert(at + kPointerBytes <= result.bytes && "the address is not in the variables");
    // A variable outside the block has no address that is known here.
    const std::optional<uint64_t> place = offsetOf(*variable);
    if (!place)
      return false;
    result.addresses.push_back({at, *place + static_cast<uint64_t>(offset)});
    return true;
  }

  // Computes the value as a number, or as a distance in bytes from one variable.
  bool evaluate(const llvm::Constant &value, int64_t &offset, const llvm::GlobalVariable *&variable) {
    if (value.isNullValue())
      return true;
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
      offset += number->getSExtValue();
      return true;
    }
    // The value may depend on one variable only.
    if (const auto *found = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      const bool first = variable == nullptr;
      variable = found;
      return first;
    }
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
      llvm::APInt steps(64, 0);
      if (!gep->accumulateConstantOffset(layout, steps))
        return false;
      offset += steps.getSExtValue();
      return evaluate(*llvm::cast<llvm::Constant>(gep->getPointerOperand()), offset, variable);
    }
    const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
    if (!expression)
      return false;
    if (expression->getOpcode() == llvm::Instruction::Add)
      return evaluate(*expression->getOperand(0), offset, variable) &&
             evaluate(*expression->getOperand(1), offset, variable);
    const bool keeps_bits = layout.getTypeStoreSize(expression->getOperand(0)->getType()) == kPointerBytes;
    return expression->isCast() && keeps_bits && evaluate(*expression->getOperand(0), offset, variable);
  }

  const llvm::DataLayout &layout;
  ProgramVariables &result;
};

// Reports the first variable that is larger than the device allows.
bool checkSizes(const Variables &variables, std::string &log) {
  for (const llvm::GlobalVariable *variable : variables)
    if (sizeOf(*variable) > kMaxVariableBytes) {
      log += "error: the variable '" + variable->getName().str() + "' has " + std::to_string(sizeOf(*variable)) +
             " bytes; CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE is " + std::to_string(kMaxVariableBytes) + "\n";
      return false;
    }
  return true;
}

} // namespace

bool placeVariables(llvm::Module &program, std::string &log) {
  assert(!program.getNamedGlobal("llvm.global_ctors") && !program.getNamedGlobal("llvm.global_dtors") &&
         "constructors and destructors, which have variables of their own, are lowered first");
  const Variables variables = variablesInMemory(program);
  if (!checkSizes(variables, log))
    return false;
  uint64_t end = 0;
  // Variables that are zero come last, so that ProgramVariables::initial need not hold them.
  for (const bool zeros : {false, true})
    for (llvm::GlobalVariable *variable : variables)
      if (variable->getInitializer()->isNullValue() == zeros) {
        end = llvm::alignTo(end, alignmentOf(*variable));
        setOffset(*variable, end);
        end += sizeOf(*variable);
      }
  return true;
}

bool readVariables(const llvm::Module &program, ProgramVariables &result, std::string &error) {
  ImageWriter writer(program.getDataLayout(), result);
  for (const llvm::GlobalVariable &variable : program.globals()) {
    const std::optional<uint64_t> offset = offsetOf(variable);
    if (!offset || !variable.hasInitializer())
      continue;
    result.bytes = std::max(result.bytes, *offset + sizeOf(variable));
    result.alignment = std::max(result.alignment, alignmentOf(variable).value());
    if (!writer.write(*variable.getInitializer(), *offset)) {
      error += "error: the initializer of the variable '" + variable.getName().str() +
               "' is not a constant that this device can compute; assign to it in a kernel\n";
      return false;
    }
  }
  return true;
}

} // namespace lanecl::frontend
