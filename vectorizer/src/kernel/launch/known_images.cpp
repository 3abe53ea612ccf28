// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/launch/known_images.h"

#include "vectorizer/contract/image.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstring>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Replaces the loads of one image's format, whose bytes are known.
class FormatReader {
public:
  FormatReader(Function &kernel, const abi::ImageFormat &format)
      : layout(kernel.getDataLayout()), bytes(sizeof format, 0) {
    std::memcpy(bytes.data(), &format, sizeof format);
    contents = ConstantDataArray::get(kernel.getContext(), ArrayRef<uint8_t>(bytes));
  }
  // Replaces loads through a pointer that is `offset` bytes into the descriptor.
  void replaceLoads(Value &pointer, uint64_t offset);

private:
  Constant *constantAt(uint64_t offset, Type &type) const;

  const DataLayout &layout;
  SmallVector<uint8_t, sizeof(abi::ImageFormat)> bytes;
  Constant *contents;
};

// Returns the constant at this offset of the descriptor; null outside the format.
Constant *FormatReader::constantAt(uint64_t offset, Type &type) const {
  constexpr uint64_t kBegin = offsetof(abi::ImageDescriptor, format), kEnd = kBegin + sizeof(abi::ImageFormat);
  if (offset < kBegin || offset + layout.getTypeStoreSize(&type) > kEnd)
    return nullptr;
  return ConstantFoldLoadFromConst(contents, &type, APInt(64, offset - kBegin), layout);
}

// Follows address arithmetic with constant offsets only; loads at other offsets stay.
void FormatReader::replaceLoads(Value &pointer, uint64_t offset) {
  for (User *user : make_early_inc_range(pointer.users())) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (Constant *known = constantAt(offset, *load->getType())) {
        load->replaceAllUsesWith(known);
        load->eraseFromParent();
      }
    } else if (auto *address = dyn_cast<GetElementPtrInst>(user)) {
      APInt distance(layout.getIndexTypeSizeInBits(address->getType()), 0);
      if (address->accumulateConstantOffset(layout, distance))
        replaceLoads(*address, offset + distance.getZExtValue());
    }
  }
}

} // namespace

void useKnownFormats(Function &kernel, ArrayRef<KnownImage> images) {
  for (const KnownImage &image : images)
    FormatReader(kernel, image.format).replaceLoads(*kernel.getArg(image.argument), 0);
}

} // namespace lanecl::vectorizer
