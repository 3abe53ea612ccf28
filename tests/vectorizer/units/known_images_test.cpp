// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads of an image's descriptor become constants where the launch knows the image; no other loads do.
#include "kernel/launch/known_images.h"
#include "vectorizer/contract/image.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <catch2/catch.hpp>
#include <cstddef>

using namespace llvm;
using namespace lanecl;
using namespace lanecl::vectorizer;

// Returns a kernel that stores words of its second argument's descriptor. It computes the address of each in two steps.
static std::string storing(StringRef type, ArrayRef<size_t> offsets) {
  std::string ir = "define void @k(ptr addrspace(1) %out, ptr addrspace(2) %image, ptr addrspace(2) %other) {\n"
                   "  %middle = getelementptr i8, ptr addrspace(2) %image, i64 16\n";
  unsigned n = 0;
  for (const size_t offset : offsets) {
    ir += formatv("  %p{0} = getelementptr i8, ptr addrspace(2) %middle, i64 {1}\n", n, int64_t(offset) - 16);
    ir += formatv("  %v{0} = load {1}, ptr addrspace(2) %p{0}\n", n, type);
    ir += formatv("  store {1} %v{0}, ptr addrspace(1) %out\n", n++, type);
  }
  return ir + "  %v = load i32, ptr addrspace(2) %other\n  store i32 %v, ptr addrspace(1) %out\n  ret void\n}\n";
}

// Returns the values that the kernel stores: constants as numbers, anything else as -1.
static std::vector<double> stored(const std::string &ir, const std::vector<KnownImage> &images) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  const std::unique_ptr<Module> module = parseAssemblyString(ir, diagnostic, context);
  REQUIRE(module);
  Function &kernel = *module->getFunction("k");
  useKnownFormats(kernel, images);
  std::vector<double> values;
  for (const Instruction &instruction : instructions(kernel))
    if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      const auto *integer = dyn_cast<ConstantInt>(store->getValueOperand());
      const auto *real = dyn_cast<ConstantFP>(store->getValueOperand());
      values.push_back(integer ? double(integer->getZExtValue()) : real ? real->getValueAPF().convertToDouble() : -1);
    }
  return values;
}

TEST_CASE("formats that are known are constants", "[images]") {
  abi::ImageFormat format{.channel_order = 1, .channel_type = 2, .element_log2 = 3, .layout = 4, .conversion = 5};
  format.scale[2] = 0.25f;
  const std::vector<KnownImage> known{{1, format}};
  using Descriptor = abi::ImageDescriptor;
  const std::string words =
      storing("i32", {offsetof(Descriptor, format.element_log2), offsetof(Descriptor, format.layout),
                      offsetof(Descriptor, extent), offsetof(Descriptor, linear_of_srgb)});
  CHECK(stored(words, known) == std::vector<double>{3, 4, -1, -1, -1});
  CHECK(stored(words, {}) == std::vector<double>(5, -1));
  CHECK(stored(words, {{2, format}}) == std::vector<double>(5, -1));
  CHECK(stored(storing("float", {offsetof(Descriptor, format.scale[2])}), known) == std::vector<double>{0.25, -1});
  // Half of these eight bytes belong to the address of a table, which is not known.
  CHECK(stored(storing("i64", {offsetof(Descriptor, linear_of_srgb) - 4}), known) == std::vector<double>(2, -1));
}
