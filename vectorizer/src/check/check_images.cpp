// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_images.h"

#include "check/check_calls.h"
#include "check/image_descriptor.h"

#include "llvm/IR/DerivedTypes.h"

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
  const ImageDescriptor descriptor(b, call, name);
  const unsigned count = coordinatesOf(*cast<TargetExtType>(image->getType()));
  for (unsigned i = 0; i < count; ++i) {
    b.SetInsertPoint(&call);
    Value *coordinate =
        coordinates->getType()->isVectorTy() ? b.CreateExtractElement(coordinates, uint64_t{i}) : coordinates;
    Value *extent = descriptor.word(b, offsetof(abi::ImageDescriptor, extent) + i * sizeof(int));
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
