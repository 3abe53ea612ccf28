// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/image_descriptor.h"

#include "analysis/lane_target.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the image's type as mangled names have it: "14ocl_image2d_ro" for "_Z11read_imagef14ocl_image2d_roDv2_i";
// empty if the name does not contain it.
static StringRef mangledImage(const Function &callee, StringRef name) {
  const StringRef rest = callee.getName().substr(callee.getName().find(name) + name.size());
  StringRef digits = rest;
  uint64_t length = 0;
  if (digits.consumeInteger(10, length))
    return "";
  return rest.take_front(rest.size() - digits.size() + length);
}

ImageDescriptor::ImageDescriptor(IRBuilderBase &b, CallBase &call, StringRef name) {
  Value *image = call.getArgOperand(0);
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      ("_Z14__lanecl_image" + mangledImage(*call.getCalledFunction(), name)).str(),
      FunctionType::get(b.getPtrTy(kConstant), {image->getType()}, /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  address = b.CreateCall(callee, {image});
}

Value *ImageDescriptor::load(IRBuilderBase &b, Type *type, uint64_t offset) const {
  const Align align(type->getIntegerBitWidth() / 8);
  LoadInst *value = b.CreateAlignedLoad(type, b.CreatePtrAdd(address, b.getInt64(offset)), align);
  value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return value;
}

} // namespace lanecl::vectorizer
