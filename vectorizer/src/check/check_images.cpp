// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/check_images.h"

#include "check/check_calls.h"
#include "check/image_descriptor.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

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

bool isSampler(const Value &argument) {
  const auto *type = dyn_cast<TargetExtType>(argument.getType());
  return type && type->getName() == "spirv.Sampler";
}

// A read or write of one image: where its coordinates are among the call's arguments, and how many of them are checked.
struct Access {
  Value *coordinates;
  Value *sampler; // or null
  unsigned count;
};

// A sampler confines the layer of an array to those that there are. Reads of a level of detail other than the first one
// have another extent.
std::optional<Access> accessOf(CallBase &call, bool writes) {
  const auto *image = dyn_cast<TargetExtType>(call.getArgOperand(0)->getType());
  if (!image)
    return std::nullopt;
  const unsigned count = coordinatesOf(*image);
  if (!writes && call.arg_size() >= 3 && isSampler(*call.getArgOperand(1))) {
    if (call.arg_size() > 4 || (call.arg_size() == 4 && !match(call.getArgOperand(3), m_AnyZeroFP())))
      return std::nullopt;
    return Access{call.getArgOperand(2), call.getArgOperand(1), count - image->getIntParameter(kArrayed)};
  }
  Value *coordinates = call.getArgOperand(1);
  if (call.arg_size() != (writes ? 3 : 2) || !coordinates->getType()->getScalarType()->isIntegerTy(32))
    return std::nullopt;
  return Access{coordinates, nullptr, count};
}

// The sampler's number, made of abi::SamplerBits.
Value *numberOf(IRBuilderBase &b, Value *sampler) {
  FunctionCallee callee = b.GetInsertBlock()->getModule()->getOrInsertFunction(
      "_Z16__lanecl_sampler11ocl_sampler", FunctionType::get(b.getInt32Ty(), {sampler->getType()}, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return b.CreateCall(callee, {sampler});
}

Value *hasBits(IRBuilderBase &b, Value *number, unsigned mask) {
  return b.CreateIsNotNull(b.CreateAnd(number, mask));
}

// The number of the element in which a coordinate lies.
Value *elementAt(IRBuilderBase &b, Value *coordinate, Value *extent, Value *sampler) {
  if (coordinate->getType()->isIntegerTy())
    return coordinate;
  Value *scaled = b.CreateFMul(coordinate, b.CreateSIToFP(extent, coordinate->getType()));
  Value *at = b.CreateSelect(hasBits(b, sampler, abi::SamplerNormalized), scaled, coordinate);
  return b.CreateIntrinsic(Intrinsic::fptosi_sat, {b.getInt32Ty(), at->getType()},
                           {b.CreateUnaryIntrinsic(Intrinsic::floor, at)});
}

// With a sampler only one without an addressing mode leaves open what is read outside. The report's second number has
// the coordinate's number above the extent.
void check(CallBase &call, StringRef name) {
  constexpr unsigned kAddressModes =
      abi::SamplerAddressClampToEdge | abi::SamplerAddressClamp | abi::SamplerAddressMirroredRepeat;
  const bool writes = name.starts_with("write_");
  const std::optional<Access> access = accessOf(call, writes);
  if (!access)
    return;
  IRBuilder<> b(&call);
  const ImageDescriptor descriptor(b, call, name);
  Value *sampler = access->sampler ? numberOf(b, access->sampler) : nullptr;
  for (unsigned i = 0; i < access->count; ++i) {
    b.SetInsertPoint(&call);
    Value *coordinate = access->coordinates->getType()->isVectorTy()
                            ? b.CreateExtractElement(access->coordinates, uint64_t{i})
                            : access->coordinates;
    Value *extent = descriptor.word(b, offsetof(abi::ImageDescriptor, extent) + i * sizeof(int));
    Value *element = elementAt(b, coordinate, extent, sampler);
    Value *is_outside = b.CreateICmpUGE(element, extent);
    if (sampler)
      is_outside = b.CreateAnd(is_outside, b.CreateNot(hasBits(b, sampler, kAddressModes)));
    Value *numbered = b.CreateOr(b.CreateZExt(extent, b.getInt64Ty()), uint64_t{i} << 32);
    reportIf(is_outside, call, writes ? abi::CheckRule::ImageWrite : abi::CheckRule::ImageRead, name, element,
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
