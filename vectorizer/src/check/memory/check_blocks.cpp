// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/memory/check_blocks.h"

#include "analysis/lane_target.h"
#include "check/call_checks.h"
#include "check/memory/image_descriptor.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

using abi::BlockDemand;
using abi::CheckRule;

bool isBlockFunction(StringRef name) {
  return name.starts_with("intel_sub_group_block_");
}

bool isMediaBlockFunction(StringRef name) {
  return name.starts_with("intel_sub_group_media_block_");
}

bool isSurfaceFunction(StringRef name) {
  return name.starts_with("intel_sub_group_2d_block_");
}

// Returns the bytes of an element, by the letters after the access: 2 for "intel_sub_group_block_read_us4", 4 if there
// are none.
uint64_t bytesOfBlockElement(StringRef name) {
  return name.contains("_uc") ? 1 : name.contains("_us") ? 2 : name.contains("_ul") ? 8 : 4;
}

// Returns the bytes of an element: 2 for "intel_sub_group_2d_block_read_16b_8r16x1c".
uint64_t bytesOfSurfaceElement(StringRef name) {
  SmallVector<StringRef> words;
  name.split(words, '_');
  for (StringRef word : words)
    if (uint64_t bits = 0; !word.consumeInteger(10, bits) && word == "b")
      return bits / 8;
  return 1;
}

// The checks of one call.
class BlockChecks : CallChecks {
public:
  using CallChecks::CallChecks;

  void run();

private:
  void fullSubGroup();
  void memoryBlock();
  void imageBlock();
  void rowEnds(const ImageDescriptor &descriptor, Value *x);
  void mediaBlock();
  void surface();
  // Reports if a demand does not hold.
  void demand(Value *holds, CheckRule rule, BlockDemand what, Value *value) {
    reportIf(b.CreateNot(holds), rule, value, b.getInt64(uint64_t(what)));
  }
  Value *isMultiple(Value *value, uint64_t of) {
    Value *rest = b.CreateAnd(value, ConstantInt::get(value->getType(), of - 1));
    return b.CreateICmpEQ(rest, ConstantInt::get(value->getType(), 0));
  }
  Value *isBetween(Value *value, uint32_t least, uint32_t most) { // of i32
    return b.CreateICmpULE(b.CreateSub(value, b.getInt32(least)), b.getInt32(most - least));
  }
};

// Reports a sub-group with fewer work-items than its size.
void BlockChecks::fullSubGroup() {
  Value *size = createSubGroupSize(b), *width = createWidth(b);
  reportIf(b.CreateICmpNE(size, width), CheckRule::FullSubGroup, size, width);
}

// cl_intel_subgroups: pointers to global memory are aligned to 4 bytes for reads and 16 bytes for writes, pointers to
// local memory to 16 bytes for both.
void BlockChecks::memoryBlock() {
  Value *pointer = call.getArgOperand(0);
  uniformPointer(pointer);
  const bool is_local = pointer->getType()->getPointerAddressSpace() == kLocal;
  const uint64_t alignment = is_local || name.contains("_write") ? 16 : 4;
  Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  reportIf(b.CreateNot(isMultiple(address, alignment)), CheckRule::BlockAlignment, address, b.getInt64(alignment));
}

// cl_intel_subgroups: the restrictions on images of block functions.
void BlockChecks::imageBlock() {
  Value *coordinate = call.getArgOperand(1);
  uniformVector(coordinate);
  const ImageDescriptor descriptor(b, call, name);
  Value *element_log2 = descriptor.word(b, offsetof(abi::ImageDescriptor, format.element_log2));
  demand(b.CreateICmpULE(element_log2, b.getInt32(2)), CheckRule::ImageBlock, BlockDemand::ImageElement,
         b.CreateShl(b.getInt32(1), element_log2));
  Value *is_own = b.CreateICmpEQ(descriptor.word(b, offsetof(abi::ImageDescriptor, is_of_buffer)), b.getInt32(0));
  Value *pitch = descriptor.longWord(b, offsetof(abi::ImageDescriptor, y_pitch));
  demand(b.CreateOr(is_own, isMultiple(pitch, 64)), CheckRule::ImageBlock, BlockDemand::ImagePitch, pitch);
  Value *begin = descriptor.longWord(b, offsetof(abi::ImageDescriptor, data));
  demand(b.CreateOr(is_own, isMultiple(begin, 32)), CheckRule::ImageBlock, BlockDemand::ImageBegin, begin);
  Value *x = b.CreateExtractElement(coordinate, uint64_t{0});
  if (name.contains("_write"))
    demand(isMultiple(x, 4), CheckRule::ImageBlock, BlockDemand::ImageColumn, x);
  rowEnds(descriptor, x);
}

// cl_intel_subgroups: the ends of a row are found "in units of uints, not in units of image elements", so for elements
// smaller than 4 bytes they are found "too late". A block that leaves the row is an error for these.
void BlockChecks::rowEnds(const ImageDescriptor &descriptor, Value *x) {
  Value *element_log2 = descriptor.word(b, offsetof(abi::ImageDescriptor, format.element_log2));
  Value *bytes = b.CreateShl(descriptor.word(b, offsetof(abi::ImageDescriptor, extent)), element_log2);
  Value *block = b.CreateMul(createWidth(b), b.getInt32(uint32_t(bytesOfBlockElement(name))));
  Value *is_inside = b.CreateAnd(b.CreateICmpSGE(x, b.getInt32(0)), b.CreateICmpSLE(x, b.CreateSub(bytes, block)));
  Value *is_small = b.CreateICmpULT(element_log2, b.getInt32(2));
  reportIf(b.CreateAnd(is_small, b.CreateNot(is_inside)),
           name.contains("_write") ? CheckRule::ImageWrite : CheckRule::ImageRead, x,
           b.CreateOr(b.CreateZExt(bytes, b.getInt64Ty()), abi::kByteCoordinate));
}

// cl_intel_media_block_io: the offset, the width and the height of the region must be uniform.
void BlockChecks::mediaBlock() {
  uniformVector(call.getArgOperand(0));
  uniform(call.getArgOperand(1));
  uniform(call.getArgOperand(2));
}

// cl_intel_subgroup_2d_block_io: the conditions after "Behavior is undefined unless". Blocks may leave the surface.
void BlockChecks::surface() {
  const uint64_t bytes = bytesOfSurfaceElement(name);
  constexpr uint32_t kMost = 1 << 24;
  Value *base = call.getArgOperand(0), *width = call.getArgOperand(1), *height = call.getArgOperand(2),
        *pitch = call.getArgOperand(3), *coordinate = call.getArgOperand(4);
  uniformPointer(base);
  for (Value *number : {width, height, pitch})
    uniform(number);
  uniformVector(coordinate);
  Value *address = b.CreatePtrToInt(base, b.getInt64Ty());
  const auto surface = [this](Value *holds, BlockDemand what, Value *value) {
    demand(holds, CheckRule::BlockSurface, what, value);
  };
  surface(isMultiple(address, 64), BlockDemand::SurfaceBegin, address);
  surface(b.CreateAnd(isBetween(width, 64, kMost), isMultiple(width, std::max<uint64_t>(bytes, 4))),
          BlockDemand::SurfaceWidth, width);
  surface(isBetween(height, 1, kMost), BlockDemand::SurfaceHeight, height);
  surface(b.CreateAnd(b.CreateICmpUGE(pitch, width), isMultiple(pitch, 16)), BlockDemand::SurfacePitch, pitch);
  if (bytes < 4) {
    Value *x = b.CreateExtractElement(coordinate, uint64_t{0});
    surface(isMultiple(x, 4 / bytes), BlockDemand::SurfaceColumn, x);
  }
}

void BlockChecks::run() {
  if (isMediaBlockFunction(name))
    return mediaBlock();
  fullSubGroup();
  if (isSurfaceFunction(name))
    surface();
  else if (call.getArgOperand(0)->getType()->isPointerTy())
    memoryBlock();
  else
    imageBlock();
}

} // namespace

PreservedAnalyses CheckBlocksPass::run(Function &function, FunctionAnalysisManager &) {
  const auto calls = findCalls(function, [](StringRef name) {
    return isBlockFunction(name) || isMediaBlockFunction(name) || isSurfaceFunction(name);
  });
  for (const auto &[call, name] : calls)
    BlockChecks(*call, name).run();
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
