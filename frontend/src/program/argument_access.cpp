// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds accesses by following a pointer argument through its uses, a worklist of values that lead to its memory.
#include "program/argument_access.h"

#include "program/library_functions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <limits>
#include <set>
#include <tuple>

namespace lanecl::frontend {
namespace {

constexpr ArgumentAccess kReads{.reads = true}, kWrites{.writes = true}, kUpdates{.updates = true};

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

// A pointer that leads to the argument's memory.
struct Lead {
  const llvm::Value *pointer;
  // How many pointers have to be loaded: 0 if the pointer points to the argument's memory, 1 if it points to a variable
  // that holds such a pointer, and so on.
  unsigned loads = 0;
  // The place of that held pointer, in bytes from this one. kAnywhere: in a place that is only known at run time.
  int64_t offset = 0;

  bool operator<(const Lead &other) const {
    return std::tie(pointer, loads, offset) < std::tie(other.pointer, other.loads, other.offset);
  }
};

constexpr int64_t kAnywhere = std::numeric_limits<int64_t>::min();
constexpr int64_t kFarthest = 4096; // offsets beyond are not told apart
constexpr unsigned kMostLoads = 4;  // pointers in longer chains are not followed

// Follows one argument through the values that lead to its memory.
class Follower {
public:
  explicit Follower(const llvm::Argument &argument) : layout(argument.getParent()->getDataLayout()) {
    add({&argument});
  }

  ArgumentAccess run() {
    while (!work.empty()) {
      const Lead lead = work.pop_back_val();
      for (const llvm::Use &use : lead.pointer->uses())
        visit(lead, use);
    }
    return found;
  }

private:
  // Adds a lead. Returns false if it is known.
  bool add(Lead lead) {
    if (lead.loads == 0)
      lead.offset = 0; // of no meaning
    else if (lead.offset < -kFarthest || lead.offset > kFarthest)
      lead.offset = kAnywhere; // so that the steps of a loop or of a recursion end
    if (lead.loads > kMostLoads || !known.insert(lead).second)
      return false;
    work.push_back(lead);
    return true;
  }

  void access(const Lead &lead, const ArgumentAccess &kind) {
    if (lead.loads == 0)
      found |= kind;
  }

  // Visits one use of a lead: it is an access, or makes another lead, or is ignored.
  void visit(const Lead &lead, const llvm::Use &use) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction)
      return;
    if (const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
      add({step, lead.loads, offsetBehind(lead, *step)});
    else if (llvm::isa<llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction))
      add({instruction, lead.loads, lead.offset});
    else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      visitLoad(lead, *load);
    else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
      visitStore(lead, *store, use);
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      access(lead, use.getOperandNo() == 0 ? kUpdates : ArgumentAccess());
    else if (llvm::isa<llvm::ReturnInst>(instruction))
      visitReturn(lead, *instruction->getFunction());
    else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
      visitCall(lead, *call, use);
  }

  // Returns the offset of the held pointer from the result of the step.
  int64_t offsetBehind(const Lead &lead, const llvm::GetElementPtrInst &step) const {
    llvm::APInt steps(layout.getIndexTypeSizeInBits(step.getType()), 0);
    return lead.loads != 0 && lead.offset != kAnywhere && step.accumulateConstantOffset(layout, steps)
               ? lead.offset - steps.getSExtValue()
               : kAnywhere;
  }

  // A pointer that is loaded from where a held pointer may be leads on.
  void visitLoad(const Lead &lead, const llvm::LoadInst &load) {
    access(lead, load.isAtomic() ? kUpdates : kReads);
    if (lead.loads != 0 && load.getType()->isPointerTy() && (lead.offset == 0 || lead.offset == kAnywhere))
      add({&load, lead.loads - 1, kAnywhere}); // where the next pointer lies is not followed through this one
  }

  // A store writes to the argument's memory, or stores the lead itself.
  void visitStore(const Lead &lead, const llvm::StoreInst &store, const llvm::Use &use) {
    if (use.getOperandNo() == store.getPointerOperandIndex())
      access(lead, store.isAtomic() ? kUpdates : kWrites);
    else
      hold(*store.getPointerOperand(), lead.loads + 1, /*offset=*/0);
  }

  // The pointer at `offset` bytes from this place leads to the argument's memory after so many loads, the first of
  // which is that of the pointer. Only private variables are followed.
  void hold(const llvm::Value &place, unsigned loads, int64_t offset) {
    const llvm::Value *variable = llvm::getUnderlyingObject(&place, /*MaxLookup=*/0);
    llvm::APInt steps(layout.getIndexTypeSizeInBits(place.getType()), 0);
    const bool is_known = offset != kAnywhere &&
                          place.stripAndAccumulateConstantOffsets(layout, steps, /*AllowNonInbounds=*/true) == variable;
    const Lead lead{variable, loads, is_known ? steps.getSExtValue() + offset : kAnywhere};
    if (llvm::isa<llvm::AllocaInst>(variable))
      add(lead);
    else if (const auto *argument = llvm::dyn_cast<llvm::Argument>(variable))
      holdInArgument(*argument, lead);
  }

  // A structure that is passed by value is the function's own; a result that is returned in memory is the caller's.
  void holdInArgument(const llvm::Argument &argument, const Lead &lead) {
    if (!argument.hasByValAttr() && !argument.hasStructRetAttr())
      return;
    if (add(lead) && argument.hasStructRetAttr())
      for (const llvm::CallBase *call : callsOf(*argument.getParent()))
        hold(*call->getArgOperand(argument.getArgNo()), lead.loads, lead.offset);
  }

  static llvm::SmallVector<const llvm::CallBase *> callsOf(const llvm::Function &function) {
    llvm::SmallVector<const llvm::CallBase *> calls;
    for (const llvm::User *user : function.users())
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledFunction() == &function)
        calls.push_back(call);
    return calls;
  }

  // The results of the function's calls are leads, too.
  void visitReturn(const Lead &lead, const llvm::Function &function) {
    for (const llvm::CallBase *call : callsOf(function))
      add({call, lead.loads, lead.offset});
  }

  // Follows the pointer into a function with a body. Accesses of other functions are known by name.
  void visitCall(const Lead &lead, const llvm::CallBase &call, const llvm::Use &use) {
    const llvm::Function *const callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use))
      return;
    const unsigned number = call.getArgOperandNo(&use);
    if (callee->isIntrinsic())
      return visitIntrinsic(lead, call, number);
    if (callee->isDeclaration())
      access(lead, ofBuiltin(callee->getName(), number));
    else if (number < callee->arg_size())
      add({callee->getArg(number), lead.loads, lead.offset});
  }

  // Records the accesses of intrinsics that copy or fill memory. A copy of a variable holds what the variable holds.
  // Other intrinsics are ignored.
  void visitIntrinsic(const Lead &lead, const llvm::CallBase &call, unsigned number) {
    if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
      access(lead, number == 0 ? kWrites : kReads);
      if (number == 1 && lead.loads != 0)
        hold(*copy->getRawDest(), lead.loads, lead.offset);
    } else if (llvm::isa<llvm::MemSetInst>(call)) {
      access(lead, kWrites);
    }
  }

  const llvm::DataLayout &layout;
  std::set<Lead> known;
  llvm::SmallVector<Lead, 16> work;
  ArgumentAccess found;
};

} // namespace

ArgumentAccess findAccess(const llvm::Argument &argument) {
  return Follower(argument).run();
}

} // namespace lanecl::frontend
