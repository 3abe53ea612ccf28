// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Walks through the functions and constants that a kernel reaches.
#include "program/kernel_use.h"

#include "program/library_functions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lanecl::frontend {
namespace {

constexpr unsigned kLocalAddressSpace = 3;

// Whether a variable of this type needs memory, because it is or contains an array.
bool holdsArray(llvm::Type *type) {
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), holdsArray);
  return type->isArrayTy();
}

// Whether the function returns the number of a sub-group, or how many there are.
bool queriesSubGroups(const llvm::Function &function) {
  return llvm::StringSwitch<bool>(function.getName())
      .Cases({"_Z16get_sub_group_idv", "_Z18get_num_sub_groupsv", "_Z27get_enqueued_num_sub_groupsv"}, true)
      .Default(false);
}

// Visits every function that the kernel reaches, and every constant that these functions use.
class Walker {
public:
  explicit Walker(const llvm::Function &kernel) : layout(kernel.getDataLayout()) {
    functions.insert(&kernel);
    // Work-items that share local memory depend on their work-group.
    for (const llvm::Argument &argument : kernel.args())
      use.sees_work_groups |= isLocalPointer(argument.getType());
  }

  // Each local variable gets its own place. Its size counts once, even if several functions use it.
  KernelUse run() {
    for (size_t i = 0; i < functions.size(); ++i) // the set grows as calls are found
      for (const llvm::Instruction &instruction : llvm::instructions(*functions[i]))
        visit(instruction);
    for (const llvm::GlobalVariable *variable : locals) {
      use.local_bytes = llvm::alignTo(use.local_bytes, layout.getPreferredAlign(variable));
      use.local_bytes += layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
    }
    return use;
  }

private:
  static bool isLocalPointer(const llvm::Type *type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == kLocalAddressSpace;
  }

  // Only variables with arrays count as private memory, because mem2reg turns the others into SSA values.
  void visit(const llvm::Instruction &instruction) {
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType()))
      use.widest_vector = std::max(use.widest_vector, vector->getNumElements());
    if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (holdsArray(variable->getAllocatedType()))
        if (const auto size = variable->getAllocationSize(layout))
          use.private_bytes = llvm::alignTo(use.private_bytes, variable->getAlign()) + size->getFixedValue();
    for (const llvm::Use &operand : instruction.operands())
      if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
        visit(*constant);
  }

  // Every use of a function counts as a call of it.
  void visit(const llvm::Constant &constant) {
    if (!seen.insert(&constant).second)
      return;
    if (const auto *function = llvm::dyn_cast<llvm::Function>(&constant)) {
      use.queries_sub_groups |= queriesSubGroups(*function);
      if (function->isDeclaration()) {
        const Reveals tells = revealedBy(function->getName());
        use.sees_sub_groups |= tells == Reveals::SubGroups;
        use.sees_work_groups |= tells != Reveals::Nothing;
      } else {
        functions.insert(function);
      }
      return;
    }
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
      if (variable->getAddressSpace() == kLocalAddressSpace) {
        locals.insert(variable);
        use.sees_work_groups = true;
      }
    for (const llvm::Use &operand : constant.operands())
      visit(*llvm::cast<llvm::Constant>(operand));
  }

  const llvm::DataLayout &layout;
  llvm::SmallSetVector<const llvm::Function *, 8> functions;
  llvm::SmallSetVector<const llvm::GlobalVariable *, 8> locals;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
  KernelUse use;
};

} // namespace

KernelUse findUse(const llvm::Function &kernel) {
  return Walker(kernel).run();
}

} // namespace lanecl::frontend
