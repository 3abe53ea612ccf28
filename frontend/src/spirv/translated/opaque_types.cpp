// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translated/opaque_types.h"

#include "spirv/translated/opaque_type_inference.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lanecl::frontend::spirv {
namespace {

using namespace llvm;

// Removes casts between pointers to different types. Since the upgrade to untyped pointers both sides are the same
// type.
void dropIdleCasts(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<BitCastInst>(instruction) && instruction.getType() == instruction.getOperand(0)->getType()) {
      instruction.replaceAllUsesWith(instruction.getOperand(0));
      instruction.eraseFromParent();
    }
}

// Gives values, signatures and variables the types that were inferred.
class Rewriter {
public:
  Rewriter(Module &module, const OpaqueTypeInference &known) : module(module), known(known) {}

  // Signatures change first, since calls and returns are rewritten to match them. Replaced functions are erased at the
  // end.
  void run() {
    SmallVector<Function *> functions;
    for (Function &function : module)
      functions.push_back(&function);
    for (Function *function : functions)
      if (!function->isIntrinsic())
        changeSignature(*function);
    for (Function &function : module)
      for (Instruction &instruction : instructions(function))
        rewrite(instruction);
    for (Function *function : old)
      function->eraseFromParent();
  }

private:
  // Moves the body to a function of the new type. Calls are redirected later, when their operands have been changed.
  void changeSignature(Function &function) {
    SmallVector<Type *> parameters;
    for (Argument &argument : function.args())
      parameters.push_back(known.of(&argument) ? known.of(&argument) : argument.getType());
    Type *result = known.ofResult(&function);
    auto *type = FunctionType::get(result ? result : function.getReturnType(), parameters, function.isVarArg());
    if (type == function.getFunctionType())
      return;
    Function *made = Function::Create(type, function.getLinkage(), function.getAddressSpace());
    module.getFunctionList().insert(function.getIterator(), made);
    made->takeName(&function);
    made->copyAttributesFrom(&function);
    made->copyMetadata(&function, 0);
    // A subprogram of the debug information may belong to one function only.
    function.setSubprogram(nullptr);
    made->splice(made->begin(), &function);
    for (unsigned i = 0; i < function.arg_size(); ++i) {
      Argument *from = function.getArg(i), *to = made->getArg(i);
      to->takeName(from);
      if (from->getType() != to->getType()) {
        made->removeParamAttrs(i, AttributeFuncs::typeIncompatible(to->getType(), AttributeSet()));
        from->mutateType(to->getType()); // replaceAllUsesWith() requires equal types
      }
      from->replaceAllUsesWith(to);
    }
    replaced[&function] = made;
    old.push_back(&function);
  }

  // Changes the type of an instruction and of the constants among its operands. Users are visited anyway.
  void rewrite(Instruction &instruction) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      if (Type *type = known.ofContents(variable))
        variable->setAllocatedType(withElements(variable->getAllocatedType(), type));
      return;
    }
    if (Type *type = known.of(&instruction))
      instruction.mutateType(type);
    if (isa<PHINode, SelectInst>(instruction) && known.of(&instruction))
      for (Use &operand : instruction.operands())
        retypeConstant(operand, known.of(&instruction));
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (auto *variable = dyn_cast<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets()))
        if (Type *type = known.ofContents(variable))
          retypeConstant(store->getOperandUse(0), type);
    if (auto *end = dyn_cast<ReturnInst>(&instruction); end && end->getReturnValue())
      retypeConstant(end->getOperandUse(0), end->getFunction()->getReturnType());
    if (auto *call = dyn_cast<CallInst>(&instruction))
      rewriteCall(*call);
  }

  // Gives the query the name that belongs to the pipe's access qualifier.
  void rewritePipeQuery(CallInst &call) {
    const auto *pipe = dyn_cast<TargetExtType>(call.getArgOperand(0)->getType());
    if (!pipe)
      return;
    constexpr StringLiteral kUntyped = ".untyped";
    Function *old = call.getCalledFunction();
    // The old function gives up its name, which the function for one of the qualifiers may need.
    if (!old->getName().ends_with(kUntyped))
      old->setName(old->getName() + kUntyped);
    const StringRef base = old->getName().drop_back(strlen("_wo") + kUntyped.size());
    SmallVector<Type *> parameters(old->getFunctionType()->params());
    parameters.front() = call.getArgOperand(0)->getType();
    auto *type = FunctionType::get(old->getReturnType(), parameters, false);
    const char *access = pipe->getIntParameter(0) == 1 ? "_wo" : "_ro";
    auto *query = cast<Function>(module.getOrInsertFunction((base + access).str(), type).getCallee());
    query->setCallingConv(old->getCallingConv());
    call.setCalledFunction(query);
    if (old->use_empty() && !is_contained(this->old, old))
      this->old.push_back(old);
  }

  // Redirects a call to the function with the new type. Constants among its operands get the types of the parameters.
  void rewriteCall(CallInst &call) {
    if (Function *query = call.getCalledFunction(); query && isPipeQuery(*query))
      return rewritePipeQuery(call);
    Function *callee = replaced.lookup(call.getCalledFunction());
    if (!callee)
      return;
    for (unsigned i = 0; i < callee->arg_size() && i < call.arg_size(); ++i)
      if (isa<TargetExtType>(callee->getArg(i)->getType())) {
        retypeConstant(call.getArgOperandUse(i), callee->getArg(i)->getType());
        call.removeParamAttrs(i, AttributeFuncs::typeIncompatible(callee->getArg(i)->getType(), AttributeSet()));
      }
    call.setCalledFunction(callee);
  }

  // Handles the null event and undefined values. All other constants are left for the verifier to reject.
  static void retypeConstant(Use &use, Type *type) {
    if (use->getType() == type || !isa<TargetExtType>(type))
      return;
    if (isa<UndefValue>(use))
      use.set(PoisonValue::get(type));
    else if (isa<ConstantPointerNull>(use))
      use.set(Constant::getNullValue(type));
  }

  // Returns the type of a variable whose pointers become values of type `element`, possibly inside arrays.
  static Type *withElements(Type *container, Type *element) {
    if (auto *array = dyn_cast<ArrayType>(container))
      return ArrayType::get(withElements(array->getElementType(), element), array->getNumElements());
    return container->isPointerTy() ? element : container;
  }

  Module &module;
  const OpaqueTypeInference &known;
  // Functions with a new signature, by the functions that they replace.
  DenseMap<const Function *, Function *> replaced;
  SmallVector<Function *> old;
};

} // namespace

// Most modules have no opaque types, and are left alone.
void restoreOpaqueTypes(Module &module) {
  for (Function &function : module)
    dropIdleCasts(function);
  const OpaqueTypeInference known(module);
  if (known.found())
    Rewriter(module, known).run();
}

} // namespace lanecl::frontend::spirv
