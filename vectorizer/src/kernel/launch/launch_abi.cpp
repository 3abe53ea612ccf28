// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/launch_abi.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/lane_target.h"
#include "vectorizer/contract/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr StringLiteral kPrivateBytes = "lanecl-private-bytes", kSlotBytes = "lanecl.slot.bytes";

FunctionType *lanesFunctionType(LLVMContext &context) {
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  Type *fields = PointerType::get(context, kConstant), *scratch = PointerType::get(context, kPrivate);
  return FunctionType::get(Type::getVoidTy(context), {fields, fields, fields, i64, i64, i64, i32, i32, scratch}, false);
}

bool isLanesFunction(const Function &function) {
  return !function.isDeclaration() && !isKept(function) &&
         function.getFunctionType() == lanesFunctionType(function.getContext());
}

bool hasLanesParameters(const Function &function) {
  const ArrayRef<Type *> first = lanesFunctionType(function.getContext())->params();
  return !function.isDeclaration() && function.arg_size() >= first.size() &&
         function.getFunctionType()->params().take_front(first.size()) == first;
}

void describeLanesParameters(Function &function) {
  static constexpr const char *kNames[kLanesParameterCount] = {
      "launch", "worker", "local_size", "group_x", "group_y", "group_z", "sub_group_id", "active_lanes", "scratch"};
  LLVMContext &context = function.getContext();
  for (unsigned i = 0; i < kLanesParameterCount; ++i) {
    function.getArg(i)->setName(kNames[i]);
    function.addParamAttr(i, Attribute::NoUndef);
  }
  const auto readable = [&](unsigned parameter, uint64_t bytes) {
    function.addParamAttr(parameter, Attribute::getWithDereferenceableBytes(context, bytes));
    function.addParamAttr(parameter, Attribute::getWithAlignment(context, Align(8)));
    function.addParamAttr(parameter, Attribute::NoAlias);
  };
  readable(kLaunchParameter, sizeof(abi::LaunchInfo));
  readable(kWorkerParameter, sizeof(abi::WorkerMemory));
  readable(kLocalSizeParameter, 3 * sizeof(uint64_t));
  function.addParamAttr(kScratchParameter, Attribute::getWithAlignment(context, Align(abi::kMemoryAlignment)));
}

LoadInst *loadLaunchField(IRBuilderBase &builder, Type *type, Value *base, uint64_t offset, const Twine &name) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  assert((type->isIntegerTy(32) || type->isIntegerTy(64) || type->isPointerTy()) && "the type of a field");
  const Align alignment(type->isIntegerTy(32) ? 4 : 8);
  assert(isAligned(alignment, offset) && "fields are aligned");
  LoadInst *load = builder.CreateAlignedLoad(type, address, alignment, name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  load->setMetadata(LLVMContext::MD_noundef, MDNode::get(builder.getContext(), {}));
  return load;
}

uint64_t privateBytes(const Function &function) {
  return function.getFnAttributeAsParsedInteger(kPrivateBytes);
}

void setPrivateBytes(Function &function, uint64_t bytes) {
  assert(bytes >= privateBytes(function) && "what has been reserved is used already");
  function.addFnAttr(kPrivateBytes, std::to_string(bytes));
}

uint64_t frameOffset(uint64_t private_bytes) {
  constexpr uint64_t kWidestLaneVector = 512; // 64 lanes of 8 bytes
  return alignTo(private_bytes, kWidestLaneVector);
}

Value *createSlotBytes(IRBuilderBase &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(kSlotBytes, builder.getInt64Ty()));
}

void resolveSlotBytes(Module &module, uint64_t bytes) {
  Function *query = module.getFunction(kSlotBytes);
  if (query == nullptr)
    return;
  for (User *user : make_early_inc_range(query->users())) {
    assert(isa<CallBase>(user) && cast<CallBase>(user)->getCalledFunction() == query && "the query is only called");
    user->replaceAllUsesWith(ConstantInt::get(query->getReturnType(), bytes));
    cast<Instruction>(user)->eraseFromParent();
  }
  query->eraseFromParent();
}

} // namespace lanecl::vectorizer
