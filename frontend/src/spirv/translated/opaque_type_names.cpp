// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translated/opaque_type_names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace lanecl::frontend::spirv {
namespace {

// Returns the type of an image such as "image2d_array_depth", with SPIR-V's number for the access. Returns null if the
// name is not that of an image.
Type *imageType(LLVMContext &context, StringRef name, unsigned access) {
  if (!name.consume_front("image"))
    return nullptr;
  // The numbers are those of SPIR-V's Dim: 0 is 1D, 1 is 2D, 2 is 3D, and 5 is Buffer.
  unsigned dimension = name.starts_with("1d") ? 0 : name.starts_with("2d") ? 1 : 2;
  if (name.contains("_buffer"))
    dimension = 5;
  return TargetExtType::get(context, "spirv.Image", {Type::getVoidTy(context)},
                            {dimension, name.contains("_depth"), name.contains("_array"), 0, 0, 0, access});
}

// Returns SPIR-V's number for the access qualifier.
unsigned accessNumber(StringRef access) {
  return access.starts_with("w") ? 1 : access == "rw" || access == "read_write" ? 2 : 0;
}

} // namespace

Type *samplerType(LLVMContext &context) {
  return TargetExtType::get(context, "spirv.Sampler");
}

Type *eventType(LLVMContext &context) {
  return TargetExtType::get(context, "spirv.Event");
}

Type *reserveIdType(LLVMContext &context) {
  return TargetExtType::get(context, "spirv.ReserveId");
}

Type *pipeType(LLVMContext &context, bool written) {
  return TargetExtType::get(context, "spirv.Pipe", {}, {written});
}

Type *typeOfMangled(LLVMContext &context, StringRef name) {
  if (!name.consume_front("ocl_"))
    return nullptr;
  if (name == "sampler")
    return samplerType(context);
  if (name == "event")
    return eventType(context);
  if (name == "reserveid")
    return reserveIdType(context);
  const auto [image, access] = name.rsplit('_');
  return imageType(context, image, accessNumber(access));
}

Type *typeOfArgument(LLVMContext &context, StringRef name, StringRef access) {
  if (name == "sampler_t")
    return samplerType(context);
  if (name == "pipe")
    return pipeType(context, accessNumber(access) == 1);
  return name.consume_back("_t") ? imageType(context, name, accessNumber(access)) : nullptr;
}

// Skips "_Z" and the function's name. Other names have no parameters here.
MangledParameters::MangledParameters(StringRef name) : rest(name) {
  if (!rest.consume_front("_Z") || !takeName())
    rest = {};
}

// Skips qualifiers and the P of pointers up to the parameter's own name.
StringRef MangledParameters::next() {
  bool is_pointer = false;
  while (!rest.empty()) {
    if (rest.consume_front("U")) {
      // A vendor qualifier, such as the address space U3AS1.
      takeName();
    } else if (rest.consume_front("Dv")) {
      rest = rest.drop_while(isDigit);
      rest.consume_front("_");
    } else if (rest.consume_front("S")) {
      // A substitution ends in an underscore, which may be missing in a name that is cut off.
      rest = rest.drop_until([](char c) { return c == '_'; });
      rest.consume_front("_");
      return {};
    } else if (rest.consume_front("Dh")) {
      return {};
    } else if (isDigit(rest.front())) {
      const std::optional<StringRef> name = takeName();
      return name && !is_pointer ? *name : StringRef();
    } else {
      const char c = rest.front();
      rest = rest.drop_front();
      is_pointer |= c == 'P';
      if (!StringRef("PKVr").contains(c))
        return {};
    }
  }
  return {};
}

// Reads a number and as many characters.
std::optional<StringRef> MangledParameters::takeName() {
  size_t length = 0;
  if (rest.consumeInteger(10, length) || length > rest.size()) {
    rest = {};
    return std::nullopt;
  }
  const StringRef name = rest.take_front(length);
  rest = rest.drop_front(length);
  return name;
}

} // namespace lanecl::frontend::spirv
