// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug/handle_types.h"

#include "analysis/debug/debug_types.h"
#include "vectorizer/contract/image.h"
#include "vectorizer/contract/image_yuv.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Builds the description of a structure member by member.
class StructureBuilder {
public:
  StructureBuilder(LLVMContext &context, DIFile *file) : context(context), file(file) {}

  DIType *number(StringRef name, unsigned bits, unsigned encoding) {
    return DIBasicType::get(context, dwarf::DW_TAG_base_type, name, bits, 0, encoding, DINode::FlagZero);
  }
  DIType *enumeration(unsigned bits, ArrayRef<std::pair<StringRef, int64_t>> values) {
    SmallVector<Metadata *> elements;
    for (const auto &[name, value] : values)
      elements.push_back(DIEnumerator::get(context, APInt(64, value), /*IsUnsigned=*/true, name));
    return DICompositeType::get(context, dwarf::DW_TAG_enumeration_type, "", file, 0, file,
                                number("uint", 32, dwarf::DW_ATE_unsigned), bits, 0, 0, DINode::FlagZero,
                                MDNode::get(context, elements), 0, std::nullopt, nullptr);
  }
  void member(StringRef name, DIType *type, uint64_t bit, uint64_t bits, DINode::DIFlags flags = DINode::FlagZero) {
    Metadata *storage = nullptr;
    if (flags == DINode::FlagBitField)
      storage = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), 0));
    members.push_back(DIDerivedType::get(context, dwarf::DW_TAG_member, name, nullptr, 0, nullptr, type, bits, 0, bit,
                                         std::nullopt, std::nullopt, flags, storage));
  }
  void field(StringRef name, DIType *type, uint64_t offset) { member(name, type, 8 * offset, 8 * bytesOf(type)); }
  DICompositeType *finish(StringRef name, uint64_t bytes) {
    return DICompositeType::get(context, dwarf::DW_TAG_structure_type, name, nullptr, 0, nullptr, nullptr, 8 * bytes, 0,
                                0, DINode::FlagZero, MDNode::get(context, members), 0, std::nullopt, nullptr);
  }

private:
  LLVMContext &context;
  DIFile *const file;
  SmallVector<Metadata *> members;
};

DIType *imageType(const DIDerivedType &pointer, StringRef name, DIFile *file) {
  using Image = abi::ImageDescriptor;
  LLVMContext &context = pointer.getContext();
  StructureBuilder builder(context, file);
  DIType *integer = builder.number("int", 32, dwarf::DW_ATE_signed);
  DIType *size = builder.number("ulong", 64, dwarf::DW_ATE_unsigned);
  DIType *order = builder.enumeration(32, {{"CLK_R", 0x10B0},
                                           {"CLK_A", 0x10B1},
                                           {"CLK_RG", 0x10B2},
                                           {"CLK_RA", 0x10B3},
                                           {"CLK_RGB", 0x10B4},
                                           {"CLK_RGBA", 0x10B5},
                                           {"CLK_BGRA", 0x10B6},
                                           {"CLK_ARGB", 0x10B7},
                                           {"CLK_INTENSITY", 0x10B8},
                                           {"CLK_LUMINANCE", 0x10B9},
                                           {"CLK_Rx", 0x10BA},
                                           {"CLK_RGx", 0x10BB},
                                           {"CLK_RGBx", 0x10BC},
                                           {"CLK_DEPTH", 0x10BD},
                                           {"CLK_sRGB", 0x10BF},
                                           {"CLK_sRGBx", 0x10C0},
                                           {"CLK_sRGBA", 0x10C1},
                                           {"CLK_sBGRA", 0x10C2},
                                           {"CLK_ABGR", 0x10C3},
                                           {"CL_YUYV_INTEL", abi::ImageYuyv},
                                           {"CL_UYVY_INTEL", abi::ImageUyvy},
                                           {"CL_YVYU_INTEL", abi::ImageYvyu},
                                           {"CL_VYUY_INTEL", abi::ImageVyuy},
                                           {"CL_NV12_INTEL", abi::ImageNv12}});
  DIType *type = builder.enumeration(32, {{"CLK_SNORM_INT8", 0x10D0},
                                          {"CLK_SNORM_INT16", 0x10D1},
                                          {"CLK_UNORM_INT8", 0x10D2},
                                          {"CLK_UNORM_INT16", 0x10D3},
                                          {"CLK_UNORM_SHORT_565", 0x10D4},
                                          {"CLK_UNORM_SHORT_555", 0x10D5},
                                          {"CLK_UNORM_INT_101010", 0x10D6},
                                          {"CLK_SIGNED_INT8", 0x10D7},
                                          {"CLK_SIGNED_INT16", 0x10D8},
                                          {"CLK_SIGNED_INT32", 0x10D9},
                                          {"CLK_UNSIGNED_INT8", 0x10DA},
                                          {"CLK_UNSIGNED_INT16", 0x10DB},
                                          {"CLK_UNSIGNED_INT32", 0x10DC},
                                          {"CLK_HALF_FLOAT", 0x10DD},
                                          {"CLK_FLOAT", 0x10DE},
                                          {"CLK_UNORM_INT_101010_2", 0x10E0}});
  builder.field("data", size, offsetof(Image, data));
  builder.field("y_pitch", size, offsetof(Image, y_pitch));
  builder.field("z_pitch", size, offsetof(Image, z_pitch));
  builder.field("extent", arrayOf(*integer, 3), offsetof(Image, extent));
  builder.field("channel_order", order, offsetof(Image, format.channel_order));
  builder.field("channel_type", type, offsetof(Image, format.channel_type));
  return DIDerivedType::get(context, dwarf::DW_TAG_pointer_type, "", nullptr, 0, nullptr,
                            builder.finish(name, sizeof(Image)), 64, 0, 0, std::nullopt, std::nullopt,
                            DINode::FlagZero);
}

DIType *samplerType(LLVMContext &context, DIFile *file) {
  StructureBuilder builder(context, file);
  DIType *normalized = builder.enumeration(
      32, {{"CLK_NORMALIZED_COORDS_FALSE", 0}, {"CLK_NORMALIZED_COORDS_TRUE", abi::SamplerNormalized}});
  DIType *address = builder.enumeration(32, {{"CLK_ADDRESS_NONE", 0},
                                             {"CLK_ADDRESS_CLAMP_TO_EDGE", abi::SamplerAddressClampToEdge >> 1},
                                             {"CLK_ADDRESS_CLAMP", abi::SamplerAddressClamp >> 1},
                                             {"CLK_ADDRESS_REPEAT", abi::SamplerAddressRepeat >> 1},
                                             {"CLK_ADDRESS_MIRRORED_REPEAT", abi::SamplerAddressMirroredRepeat >> 1}});
  DIType *filter = builder.enumeration(32, {{"CLK_FILTER_NEAREST", abi::SamplerFilterNearest >> 4},
                                            {"CLK_FILTER_LINEAR", abi::SamplerFilterLinear >> 4}});
  builder.member("coordinates", normalized, 0, 1, DINode::FlagBitField);
  builder.member("address", address, 1, 3, DINode::FlagBitField);
  builder.member("filter", filter, 4, 2, DINode::FlagBitField);
  return builder.finish("sampler_t", 8);
}

} // namespace

DIType *shownType(DIType *type, DIFile *file) {
  const auto *pointer = dyn_cast_or_null<DIDerivedType>(plainType(type));
  const DIType *structure =
      pointer && pointer->getTag() == dwarf::DW_TAG_pointer_type ? pointer->getBaseType() : nullptr;
  if (!structure || !structure->isForwardDecl())
    return type;
  if (structure->getName().starts_with("opencl_image"))
    return imageType(*pointer, structure->getName(), file);
  if (structure->getName() == "opencl_sampler_t")
    return samplerType(type->getContext(), file);
  return type;
}

} // namespace lanecl::vectorizer
