// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_images.h"

#include "analysis/lane_target.h"
#include "check/check_calls.h"
#include "vectorizer/contract/image.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// The operands of spirv.Image that say how many coordinates an element has.
constexpr unsigned kDimension = 0, kArrayed = 2;
constexpr unsigned k2D = 1, k3D = 2;

unsigned coordinatesOf(const TargetExtType &image) {
  const unsigned dimension = image.getIntParameter(kDimension);
  return (dimension == k2D ? 2 : dimension == k3D ? 3 : 1) + image.getIntParameter(kArrayed);
}

// "14ocl_image2d_ro" of "_Z11read_imagef14ocl_image2d_roDv2_i": the image's type as the names of functions have it.
StringRef mangledImage(const Function &callee, StringRef name) {
  const StringRef rest = callee.getName().substr(callee.getName().find(name) + name.size());
  StringRef digits = rest;
  uint64_t length = 0;
  if (digits.consumeInteger(10, length))
    return "";
  return rest.take_front(rest.size() - digits.size() + length);
}

// Of a value that is an abi::ImageDescriptor.
Value *createDescriptor(IRBuilderBase &b, Value *image, StringRef mangled) {
  FunctionCallee callee = b.GetInsertBlock()->getModule()->getOrInsertFunction(
      ("_Z14__lanecl_image" + mangled).str(),
      FunctionType::get(b.getPtrTy(kConstant), {image->getType()}, /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return b.CreateCall(callee, {image});
}

bool accessesImage(StringRef name) {
  return beginsWithAny(name, {"read_image", "write_image"});
}

// An image and its coordinates, no sampler and no level of detail.
bool hasOwnCoordinates(const CallBase &call, bool writes) {
  return call.arg_size() == (writes ? 3 : 2) && isa<TargetExtType>(call.getArgOperand(0)->getType()) &&
         call.getArgOperand(1)->getType()->getScalarType()->isIntegerTy(32);
}

// The report's second number has the coordinate's number above the extent.
void check(CallBase &call, StringRef name) {
  const bool writes = name.starts_with("write_");
  if (!hasOwnCoordinates(call, writes))
    return;
  Value *image = call.getArgOperand(0), *coordinates = call.getArgOperand(1);
  IRBuilder<> b(&call);
  Value *descriptor = createDescriptor(b, image, mangledImage(*call.getCalledFunction(), name));
  const unsigned count = coordinatesOf(*cast<TargetExtType>(image->getType()));
  for (unsigned i = 0; i < count; ++i) {
    b.SetInsertPoint(&call);
    Value *coordinate =
        coordinates->getType()->isVectorTy() ? b.CreateExtractElement(coordinates, uint64_t{i}) : coordinates;
    const uint64_t offset = offsetof(abi::ImageDescriptor, extent) + i * sizeof(int);
    LoadInst *extent = b.CreateAlignedLoad(b.getInt32Ty(), b.CreatePtrAdd(descriptor, b.getInt64(offset)), Align(4));
    extent->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
    Value *is_outside = b.CreateICmpUGE(coordinate, extent);
    Value *numbered = b.CreateOr(b.CreateZExt(extent, b.getInt64Ty()), uint64_t{i} << 32);
    reportIf(is_outside, call, writes ? abi::CheckRule::ImageWrite : abi::CheckRule::ImageRead, name, coordinate,
             numbered);
  }
}

} // namespace

PreservedAnalyses CheckImagesPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls = findCalls(function, accessesImage);
  for (const auto &[call, name] : calls)
    check(*call, name);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
