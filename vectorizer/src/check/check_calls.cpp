// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_calls.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr StringLiteral kReport = "lanecl.check.report"; // until it is placed

Module &moduleOf(const IRBuilderBase &b) {
  return *b.GetInsertBlock()->getModule();
}

// Where a primitive stands decides what it returns, so it must not move.
CallInst *callPrimitive(IRBuilderBase &b, StringRef name, Type *result, ArrayRef<Value *> arguments = {}) {
  SmallVector<Type *, 2> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = moduleOf(b).getOrInsertFunction(name, FunctionType::get(result, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  return b.CreateCall(callee, arguments);
}

CallInst *callPure(IRBuilderBase &b, StringRef name, Value *pointer) {
  Value *plain = b.CreateAddrSpaceCast(pointer, b.getPtrTy());
  FunctionCallee callee =
      moduleOf(b).getOrInsertFunction(name, FunctionType::get(b.getInt64Ty(), {b.getPtrTy()}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return b.CreateCall(callee, {plain});
}

Function *reportFunction(Module &module, StringRef name, FunctionType *type) {
  auto *function = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesInaccessibleMemory();
  function->addFnAttr(Attribute::Cold); // what is kept in registers is saved there, and not around it
  return function;
}

Constant *text(Module &module, StringRef value) {
  Constant *data = ConstantDataArray::getString(module.getContext(), value);
  auto *variable = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data, "check.text");
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

std::string callChain(const DILocation &location) {
  std::string chain;
  for (const DILocation *at = &location; at; at = at->getInlinedAt())
    chain += (at->getScope()->getSubprogram()->getName() + " " + at->getFilename() + ":" + Twine(at->getLine()) + "\n")
                 .str();
  return chain;
}

// An abi::CheckSite.
Constant *makeSite(Module &module, uint32_t rule, StringRef function, const DILocation *location) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *ptr = PointerType::get(context, 0);
  auto *type = StructType::get(context, {i32, i32, i32, ptr, ptr, ptr});
  const auto number = [&](uint32_t value) { return ConstantInt::get(i32, value); };
  Constant *value = ConstantStruct::get(
      type, {number(rule), number(location ? location->getLine() : 0), number(location ? location->getColumn() : 0),
             text(module, location ? location->getFilename() : ""), text(module, function),
             text(module, location ? callChain(*location) : "")});
  static_assert(offsetof(abi::CheckSite, file) == 16 && sizeof(abi::CheckSite) == 40);
  return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, value, "check.site");
}

void place(CallInst &report) {
  Module &module = *report.getModule();
  IRBuilder<> b(&report);
  const MDNode *name = report.getMetadata(kReport);
  const StringRef function = name ? cast<MDString>(name->getOperand(0))->getString() : "";
  Constant *site = makeSite(module, uint32_t(cast<ConstantInt>(report.getArgOperand(0))->getZExtValue()), function,
                            report.getDebugLoc().get());
  Type *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  Value *sub_group = callPrimitive(b, "__lanecl_sub_group_id", i32);
  Value *group = callPrimitive(b, "__lanecl_group_id", i64, {b.getInt32(0)});
  auto *type = FunctionType::get(b.getVoidTy(), {b.getPtrTy(), i64, i32, i32, i64, i64, i64}, false);
  CallInst *found = b.CreateCall(
      reportFunction(module, kCheckFound, type),
      {site, createActiveMask(b), createLaneId(b), sub_group, group, report.getArgOperand(1), report.getArgOperand(2)});
  found->setDebugLoc(report.getDebugLoc());
  report.eraseFromParent();
}

} // namespace

Value *createLaneId(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_lane_id", b.getInt32Ty());
}

Value *createActiveMask(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_active_mask", b.getInt64Ty());
}

Value *createSubGroupSize(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_sub_group_size", b.getInt32Ty());
}

Value *createWidth(IRBuilderBase &b) {
  return callPrimitive(b, "__lanecl_width", b.getInt32Ty());
}

Value *createFirstLanes(IRBuilderBase &b, Value *value) {
  const bool is_long = value->getType()->isIntegerTy(64);
  return callPrimitive(b, is_long ? "_Z24__lanecl_broadcast_firstm" : "_Z24__lanecl_broadcast_firstj", value->getType(),
                       {value});
}

Value *createMemoryBegin(IRBuilderBase &b, Value *pointer) {
  return callPure(b, kCheckBegin, pointer);
}

Value *createMemoryEnd(IRBuilderBase &b, Value *pointer) {
  return callPure(b, kCheckEnd, pointer);
}

void reportIf(Value *broken, Instruction &at, abi::CheckRule rule, StringRef function, Value *value, Value *other) {
  Instruction *then = SplitBlockAndInsertIfThen(broken, at.getIterator(), /*Unreachable=*/false);
  IRBuilder<> b(then);
  b.SetCurrentDebugLocation(at.getDebugLoc());
  Type *i64 = b.getInt64Ty();
  auto *type = FunctionType::get(b.getVoidTy(), {b.getInt32Ty(), i64, i64}, false);
  CallInst *report = b.CreateCall(
      reportFunction(*at.getModule(), kReport, type),
      {b.getInt32(static_cast<uint32_t>(rule)), b.CreateZExtOrTrunc(value, i64), b.CreateZExtOrTrunc(other, i64)});
  report->addFnAttr(Attribute::NoMerge); // each has a place of its own
  report->setMetadata(kReport, MDNode::get(at.getContext(), MDString::get(at.getContext(), function)));
}

bool placeReports(Function &function) {
  SmallVector<CallInst *> reports;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == kReport)
      reports.push_back(call);
  for (CallInst *report : reports)
    place(*report);
  return !reports.empty();
}

} // namespace lanecl::vectorizer
