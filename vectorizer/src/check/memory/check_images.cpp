// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/check_images.h"

#include "check/check_calls.h"
#include "check/memory/image_descriptor.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

namespace {

// Indices of parameters of the type spirv.Image: they determine how many coordinates an element has.
constexpr unsigned kDimension = 0, kArrayed = 2;
// Values of the parameter kDimension.
constexpr unsigned k2D = 1, k3D = 2;

// Returns the number of coordinates of an element, including the layer of an array.
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

// The coordinates of one read or write, and how many of them are checked.
struct Access {
  Value *coordinates;
  Value *sampler; // null: a read without sampler, or a write
  unsigned count;
};

// Returns the coordinates to check; nothing for accesses that are not checked. With a sampler the layer of an array is
// clamped to the existing ones, so it is not checked. A read of another level of detail than the first one is not
// checked, because its extent is different.
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

// Returns the sampler's number, a set of abi::SamplerBits.
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

// Returns the index of the element that a coordinate lies in.
Value *elementAt(IRBuilderBase &b, Value *coordinate, Value *extent, Value *sampler) {
  if (coordinate->getType()->isIntegerTy())
    return coordinate;
  Value *scaled = b.CreateFMul(coordinate, b.CreateSIToFP(extent, coordinate->getType()));
  Value *at = b.CreateSelect(hasBits(b, sampler, abi::SamplerNormalized), scaled, coordinate);
  return b.CreateIntrinsic(Intrinsic::fptosi_sat, {b.getInt32Ty(), at->getType()},
                           {b.CreateUnaryIntrinsic(Intrinsic::floor, at)});
}

// Checks each coordinate of a call. With a sampler, a read is reported only if the sampler has no addressing mode. The
// second number of a report has the extent in its low 32 bits, and the index of the coordinate above them.
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
