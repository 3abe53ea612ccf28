// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds accesses by following a pointer argument through its uses, a worklist of values that point to the same memory.
#include "program/argument_access.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace lanecl::frontend {
namespace {

constexpr ArgumentAccess kReads{.reads = true}, kWrites{.writes = true}, kUpdates{.updates = true};

// Returns the name without its mangling: _Z6vload4mPU3AS1Kf is vload4. The result is empty if the name is not mangled.
llvm::StringRef plainName(llvm::StringRef name) {
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length))
    return {};
  return name.substr(0, length);
}

// Returns what a function of the built-in library does with its argument of this number, judged by the function's name.
ArgumentAccess ofBuiltin(llvm::StringRef mangled, unsigned number) {
  const llvm::StringRef name = plainName(mangled);
  if (name.starts_with("atomic_") || name.starts_with("atom_"))
    return kUpdates;
  if (name.starts_with("async_work_group"))
    return number == 0 ? kWrites : kReads;
  if (name.starts_with("vload") || name.contains("block_read"))
    return kReads;
  if (name.starts_with("vstore") || name.contains("block_write"))
    return kWrites;
  // Functions of mathematics with a second result, which is their only argument that is a pointer.
  constexpr llvm::StringLiteral kTwoResults[] = {"fract", "frexp", "lgamma_r", "modf", "remquo", "sincos"};
  if (llvm::is_contained(kTwoResults, name))
    return kWrites;
  return {};
}

// Follows one argument. `pointers` are the values found so far that point to the argument's memory.
class Follower {
public:
  ArgumentAccess run(const llvm::Argument &argument) {
    pointers.insert(&argument);
    for (size_t i = 0; i < pointers.size(); ++i) // the list grows as more values are found that point there
      for (const llvm::Use &use : pointers[i]->uses())
        visit(use);
    return found;
  }

private:
  // Visits one use of such a pointer: it is an access, or makes another such pointer, or is ignored.
  void visit(const llvm::Use &use) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction)
      return;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(
            instruction))
      pointers.insert(instruction);
    else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      found |= load->isAtomic() ? kUpdates : kReads;
    else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
      visitStore(*store, use);
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      found |= use.getOperandNo() == 0 ? kUpdates : ArgumentAccess();
    else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
      visitCall(*call, use);
  }

  // A store writes to the pointer's memory, or stores the pointer itself.
  void visitStore(const llvm::StoreInst &store, const llvm::Use &use) {
    if (use.getOperandNo() == store.getPointerOperandIndex())
      found |= store.isAtomic() ? kUpdates : kWrites;
    else
      followVariable(store.getPointerOperand()->stripPointerCasts());
  }

  // The pointer is stored in a variable. Pointers loaded from that variable point to the same memory.
  void followVariable(const llvm::Value *variable) {
    if (!llvm::isa<llvm::AllocaInst>(variable))
      return;
    llvm::SmallSetVector<const llvm::Value *, 4> names;
    names.insert(variable);
    for (size_t i = 0; i < names.size(); ++i)
      for (const llvm::User *user : names[i]->users())
        if (llvm::isa<llvm::AddrSpaceCastInst>(user))
          names.insert(user);
        else if (llvm::isa<llvm::LoadInst>(user) && user->getType()->isPointerTy())
          pointers.insert(user);
  }

  // Follows the pointer into a function with a body. Accesses of other functions are known by name.
  void visitCall(const llvm::CallBase &call, const llvm::Use &use) {
    const llvm::Function *const callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use))
      return;
    const unsigned number = call.getArgOperandNo(&use);
    if (callee->isIntrinsic())
      return visitIntrinsic(call, number);
    if (callee->isDeclaration())
      found |= ofBuiltin(callee->getName(), number);
    else if (number < callee->arg_size())
      pointers.insert(callee->getArg(number));
  }

  // Records the accesses of intrinsics that copy or fill memory. Other intrinsics are ignored.
  void visitIntrinsic(const llvm::CallBase &call, unsigned number) {
    if (llvm::isa<llvm::MemTransferInst>(call))
      found |= number == 0 ? kWrites : kReads;
    else if (llvm::isa<llvm::MemSetInst>(call))
      found |= kWrites;
  }

  llvm::SmallSetVector<const llvm::Value *, 16> pointers;
  ArgumentAccess found;
};

} // namespace

ArgumentAccess findAccess(const llvm::Argument &argument) {
  return Follower().run(argument);
}

} // namespace lanecl::frontend
