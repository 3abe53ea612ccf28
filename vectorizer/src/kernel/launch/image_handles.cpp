// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/image_handles.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Maps images, samplers and pipes to the types that they have in the packed arguments, and reservations and events to
// numbers.
class HandleTypes final : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    const auto *opaque = dyn_cast<TargetExtType>(type);
    if (!opaque)
      return type;
    if (opaque->getName() == "spirv.Image")
      return PointerType::get(type->getContext(), kConstant);
    if (opaque->getName() == "spirv.Pipe")
      return PointerType::get(type->getContext(), kGlobal);
    static constexpr StringLiteral kNumbers[] = {"spirv.Sampler", "spirv.ReserveId", "spirv.Event"};
    return is_contained(kNumbers, opaque->getName()) ? Type::getInt64Ty(type->getContext()) : type;
  }
};

// Returns whether a parameter or value of the function has an opaque type.
bool usesHandles(const Function &function) {
  const auto isOpaque = [](const Value *value) { return isa<TargetExtType>(value->getType()); };
  return any_of(function.args(), [&](const Argument &argument) { return isOpaque(&argument); }) ||
         any_of(instructions(function), [&](const Instruction &instruction) {
           return isOpaque(&instruction) || any_of(instruction.operand_values(), isOpaque);
         });
}

// Returns the same function with arguments of the new types. The body moves, and its types change in place.
Function *changeTypes(Function &old) {
  HandleTypes types;
  SmallVector<Type *> parameters;
  for (const Argument &argument : old.args())
    parameters.push_back(types.remapType(argument.getType()));
  auto *type = FunctionType::get(types.remapType(old.getReturnType()), parameters, old.isVarArg());
  Function *changed = Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), changed);
  changed->takeName(&old);
  changed->copyAttributesFrom(&old);
  changed->copyMetadata(&old, 0);
  old.setSubprogram(nullptr);
  changed->splice(changed->begin(), &old);
  ValueToValueMapTy values;
  for (auto [from, to] : zip(old.args(), changed->args())) {
    to.takeName(&from);
    values[&from] = &to;
  }
  // Changes the types of all instructions and replaces the old arguments by the new ones.
  RemapFunction(*changed, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals, &types);
  return changed;
}

// Marks loads from a descriptor as invariant, because stores into the image do not change the descriptor.
void markInvariant(Value &descriptor) {
  for (User *user : descriptor.users()) {
    if (auto *load = dyn_cast<LoadInst>(user))
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
    else if (isa<GetElementPtrInst>(user))
      markInvariant(*user);
  }
}

// Returns whether the primitive converts between a handle and its value.
bool isOfHandles(std::optional<Primitive> primitive) {
  switch (primitive.value_or(Primitive::LaneId)) {
  case Primitive::Image:
  case Primitive::Sampler:
  case Primitive::SamplerLiteral:
  case Primitive::Pipe:
  case Primitive::Reservation:
  case Primitive::ReserveId: return true;
  default: return false;
  }
}

// A call of a primitive that converts between a handle and its value.
struct HandleCall {
  CallBase *call;
  Primitive primitive;
};

SmallVector<HandleCall> handlePrimitives(Function &function) {
  SmallVector<HandleCall> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const std::optional<Primitive> primitive = primitiveOf(*call); isOfHandles(primitive))
        calls.push_back({call, *primitive});
  return calls;
}

// Replaces a primitive that converts between a handle and its value by that value.
void resolve(CallBase &call, Primitive primitive) {
  Value *handle = call.getArgOperand(0);
  if (call.getType()->isPointerTy()) {
    if (primitive == Primitive::Image)
      markInvariant(call);
    call.replaceAllUsesWith(handle);
  } else {
    call.replaceAllUsesWith(IRBuilder<>(&call).CreateZExtOrTrunc(handle, call.getType()));
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses ImageHandlesPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && usesHandles(function))
      functions.push_back(&function);
  for (Function *function : functions) {
    // These calls are collected before the remapping, after which their types no longer match those of their callees.
    const SmallVector<HandleCall> primitives = handlePrimitives(*function);
    Function *changed = changeTypes(*function);
    for (const HandleCall &call : primitives)
      resolve(*call.call, call.primitive);
    manager.clear(*function, changed->getName());
    function->replaceAllUsesWith(changed);
    function->eraseFromParent();
  }
  return functions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
