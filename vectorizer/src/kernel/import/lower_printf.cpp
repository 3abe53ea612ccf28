// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/import/lower_printf.h"

#include "analysis/lane_target.h"
#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lanecl::vectorizer {

static constexpr uint64_t kUnit = 8; // tags and components start at multiples of this many bytes
static constexpr uint32_t kFloating = 1u << 16, kPointer = 1u << 17; // bits of a tag

namespace {

// How an argument is packed: its tag, and the size of its components.
struct Packed {
  uint32_t tag;
  uint64_t bytes; // without padding
};

} // namespace

// Returns how an argument of the type is packed; nothing for types that OpenCL C does not allow.
static std::optional<Packed> packing(const Type &type, const DataLayout &layout) {
  const Type &component = *type.getScalarType();
  const auto *vector = dyn_cast<FixedVectorType>(&type);
  const uint32_t count = vector ? vector->getNumElements() : 1;
  const bool floating = component.isHalfTy() || component.isFloatTy() || component.isDoubleTy();
  if (!floating && !component.isPointerTy() && !component.isIntegerTy())
    return std::nullopt;
  const uint64_t size = layout.getTypeStoreSize(const_cast<Type *>(&component));
  if (!isPowerOf2_64(size) || size > 8 || (component.isIntegerTy() && component.getIntegerBitWidth() != 8 * size))
    return std::nullopt;
  const uint32_t tag =
      static_cast<uint32_t>(size) | count << 8 | (floating ? kFloating : 0) | (component.isPointerTy() ? kPointer : 0);
  return Packed{tag, size * count};
}

// Returns the calls of OpenCL C's printf, which is a declaration of this name.
static SmallVector<CallInst *> findCalls(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->isDeclaration() && callee->getName() == "printf" && call->arg_size() > 0)
      calls.push_back(call);
  }
  return calls;
}

// Returns the size of the call's packed arguments, or nothing after reporting an argument that cannot be passed.
static std::optional<uint64_t> packedBytes(CallInst &call, Diagnostics &diagnostics) {
  uint64_t bytes = 0;
  for (Value *argument : drop_begin(call.args())) {
    const std::optional<Packed> packed = packing(*argument->getType(), call.getDataLayout());
    if (!packed) {
      std::string type;
      raw_string_ostream(type) << *argument->getType();
      diagnostics.error(call, "printf cannot print an argument of type '" + type +
                                  "'; pass integers, floating-point numbers, pointers or vectors of numbers");
      return std::nullopt;
    }
    bytes += kUnit + alignTo(packed->bytes, kUnit);
  }
  return bytes;
}

// Returns the declaration int __lanecl_printf(constant char *format, private char *arguments, uint bytes).
static FunctionCallee printfPrimitive(Module &module) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(
      Type::getInt32Ty(context),
      {PointerType::get(context, kConstant), PointerType::get(context, kPrivate), Type::getInt32Ty(context)}, false);
  FunctionCallee primitive = module.getOrInsertFunction("__lanecl_printf", type);
  auto *function = cast<Function>(primitive.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  return primitive;
}

// Stores the packed arguments in the buffer and replaces the call.
static void lower(CallInst &call, AllocaInst &buffer, uint64_t bytes) {
  IRBuilder<> builder(&call);
  uint64_t offset = 0;
  for (Value *argument : drop_begin(call.args())) {
    const Packed packed = *packing(*argument->getType(), call.getDataLayout());
    const auto at = [&](uint64_t where) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &buffer, where);
    };
    builder.CreateAlignedStore(builder.getInt32(packed.tag), at(offset), Align(kUnit));
    builder.CreateAlignedStore(argument, at(offset + kUnit), Align(kUnit));
    offset += kUnit + alignTo(packed.bytes, kUnit);
  }
  Value *format = builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy(kConstant));
  CallInst *lowered =
      builder.CreateCall(printfPrimitive(*call.getModule()), {format, &buffer, builder.getInt32(bytes)});
  lowered->takeName(&call);
  call.replaceAllUsesWith(lowered);
  call.eraseFromParent();
}

PreservedAnalyses LowerPrintfPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<std::pair<CallInst *, uint64_t>> calls;
  uint64_t most = kUnit;
  for (CallInst *call : findCalls(function)) {
    const std::optional<uint64_t> bytes = packedBytes(*call, context.diagnostics);
    if (!bytes)
      continue;
    calls.emplace_back(call, *bytes);
    most = std::max(most, *bytes);
  }
  if (calls.empty())
    return PreservedAnalyses::all();
  // All calls share one buffer, because each call has read it before the next one writes it.
  IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *buffer = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), most), nullptr, "printf.arguments");
  buffer->setAlignment(Align(kUnit));
  for (auto [call, bytes] : calls)
    lower(*call, *buffer, bytes);
  return preservedWithCfg(true);
}

} // namespace lanecl::vectorizer
