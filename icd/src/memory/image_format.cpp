// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tables of the channel types and channel orders, and of their combinations.

#include "memory/image_format.h"

#include "api/recent_names.h"
#include "settings/made_once.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace lanecl::icd {
namespace {

using namespace abi;

// A channel data type. `limit` is as in ElementLayout.
struct ChannelType {
  cl_channel_type type;
  size_t bytes; // bytes of one channel, or of the whole element when the channels are packed into it
  ImageLayout layout;
  ImageConversion conversion;
  bool is_signed;
  std::array<float, 4> limit;
};

constexpr std::array<float, 4> all(float limit) {
  return {limit, limit, limit, limit};
}

constexpr ChannelType kTypes[] = {
    {CL_SNORM_INT8, 1, ImageLayoutBytes, ImageConversionSnorm, true, all(127)},
    {CL_SNORM_INT16, 2, ImageLayoutShorts, ImageConversionSnorm, true, all(32767)},
    {CL_UNORM_INT8, 1, ImageLayoutBytes, ImageConversionUnorm, false, all(255)},
    {CL_UNORM_INT16, 2, ImageLayoutShorts, ImageConversionUnorm, false, all(65535)},
    {CL_UNORM_SHORT_565, 2, ImageLayout565, ImageConversionUnorm, false, {31, 63, 31, 1}},
    {CL_UNORM_SHORT_555, 2, ImageLayout555, ImageConversionUnorm, false, {31, 31, 31, 1}},
    {CL_UNORM_INT_101010, 4, ImageLayout101010, ImageConversionUnorm, false, {1023, 1023, 1023, 1}},
    {CL_UNORM_INT_101010_2, 4, ImageLayout1010102, ImageConversionUnorm, false, {1023, 1023, 1023, 3}},
    {CL_SIGNED_INT8, 1, ImageLayoutBytes, ImageConversionInteger, true, all(1)},
    {CL_SIGNED_INT16, 2, ImageLayoutShorts, ImageConversionInteger, true, all(1)},
    {CL_SIGNED_INT32, 4, ImageLayoutWords, ImageConversionInteger, true, all(1)},
    {CL_UNSIGNED_INT8, 1, ImageLayoutBytes, ImageConversionInteger, false, all(1)},
    {CL_UNSIGNED_INT16, 2, ImageLayoutShorts, ImageConversionInteger, false, all(1)},
    {CL_UNSIGNED_INT32, 4, ImageLayoutWords, ImageConversionInteger, false, all(1)},
    {CL_HALF_FLOAT, 2, ImageLayoutShorts, ImageConversionHalf, true, all(1)},
    {CL_FLOAT, 4, ImageLayoutWords, ImageConversionFloat, true, all(1)},
};

constexpr cl_channel_type kAnyType[] = {CL_SNORM_INT8,     CL_SNORM_INT16,    CL_UNORM_INT8,   CL_UNORM_INT16,
                                        CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                        CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
constexpr cl_channel_type kAnyTypeAndPacked[] = {
    CL_SNORM_INT8,   CL_SNORM_INT16,  CL_UNORM_INT8,        CL_UNORM_INT16,    CL_SIGNED_INT8,
    CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,     CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
    CL_HALF_FLOAT,   CL_FLOAT,        CL_UNORM_INT_101010_2};
constexpr cl_channel_type kRealTypes[] = {CL_SNORM_INT8,  CL_SNORM_INT16, CL_UNORM_INT8,
                                          CL_UNORM_INT16, CL_HALF_FLOAT,  CL_FLOAT};
constexpr cl_channel_type kByteTypes[] = {CL_SNORM_INT8, CL_UNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8};
constexpr cl_channel_type kPackedTypes[] = {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010};
constexpr cl_channel_type kDepthTypes[] = {CL_UNORM_INT16, CL_FLOAT};
constexpr cl_channel_type kSrgbTypes[] = {CL_UNORM_INT8};
constexpr cl_channel_type kYuvTypes[] = {CL_UNORM_INT8};

// A channel order. Some orders exist but are not offered by the device.
struct ChannelOrder {
  cl_channel_order order;
  unsigned channels;
  std::span<const cl_channel_type> types; // the types that may be combined with it
  bool offered;                           // the device has it
};

constexpr ChannelOrder kOrders[] = {
    {CL_R, 1, kAnyType, true},           {CL_A, 1, kAnyType, true},           {CL_RG, 2, kAnyType, true},
    {CL_RA, 2, kAnyType, true},          {CL_RGB, 3, kPackedTypes, true},     {CL_RGBA, 4, kAnyTypeAndPacked, true},
    {CL_BGRA, 4, kByteTypes, true},      {CL_ARGB, 4, kByteTypes, true},      {CL_ABGR, 4, kByteTypes, true},
    {CL_INTENSITY, 1, kRealTypes, true}, {CL_LUMINANCE, 1, kRealTypes, true}, {CL_DEPTH, 1, kDepthTypes, true},
    {CL_sRGBA, 4, kSrgbTypes, true},     {CL_sBGRA, 4, kSrgbTypes, true},     {CL_Rx, 2, kAnyType, false},
    {CL_RGx, 3, kAnyType, false},        {CL_RGBx, 4, kPackedTypes, false},   {CL_sRGB, 3, kSrgbTypes, false},
    {CL_sRGBx, 4, kSrgbTypes, false},    {CL_YUYV_INTEL, 2, kYuvTypes, true}, {CL_UYVY_INTEL, 2, kYuvTypes, true},
    {CL_YVYU_INTEL, 2, kYuvTypes, true}, {CL_VYUY_INTEL, 2, kYuvTypes, true}, {CL_NV12_INTEL, 1, kYuvTypes, true},
};

template <class Entries, class Key, class Value>
auto findEntry(const Entries &entries, Key Value::*key, const Key &wanted) -> const Value * {
  const auto found =
      std::find_if(std::begin(entries), std::end(entries), [&](const Value &entry) { return entry.*key == wanted; });
  return found != std::end(entries) ? &*found : nullptr;
}

const ChannelOrder *findOrder(const cl_image_format &format) {
  return findEntry(kOrders, &ChannelOrder::order, format.image_channel_order);
}
const ChannelType *findType(const cl_image_format &format) {
  return findEntry(kTypes, &ChannelType::type, format.image_channel_data_type);
}

bool isSrgb(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA;
}

bool isPackedYuv(cl_channel_order order) {
  return order >= CL_YUYV_INTEL && order <= CL_VYUY_INTEL;
}

// Returns true if the device has the channel order for this image type and use.
bool offers(const ChannelOrder &order, cl_mem_object_type type, cl_mem_flags use) {
  const bool is_yuv = isPackedYuv(order.order) || order.order == CL_NV12_INTEL;
  // Depth images are two-dimensional, and so are images whose elements share chroma.
  if (order.order == CL_DEPTH && type != CL_MEM_OBJECT_IMAGE2D && type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
    return false;
  if (is_yuv && (type != CL_MEM_OBJECT_IMAGE2D || (use & CL_MEM_IMMUTABLE_EXT) != 0))
    return false;
  // sRGB images are only read: writing to them is an extension that the device does not have. YUV images are only read,
  // too.
  const bool is_only_read = is_yuv || isSrgb(order.order);
  const cl_mem_flags access = use & ~cl_mem_flags(CL_MEM_IMMUTABLE_EXT);
  return order.offered && (!is_only_read || access == CL_MEM_READ_ONLY || access == CL_MEM_NO_ACCESS_INTEL);
}

void shareChroma(const ChannelOrder &order, ElementLayout &element) {
  if (isPackedYuv(order.order)) {
    element.shared = element.size_multiple = {2, 1};
  } else if (order.order == CL_NV12_INTEL) {
    element.shared = {2, 2};
    element.size_multiple = {4, 4};
  }
}

} // namespace

bool isImageType(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

cl_int checkImageFormat(const cl_image_format &format) {
  const ChannelOrder *order = findOrder(format);
  if (!order || !findType(format))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  return std::count(order->types.begin(), order->types.end(), format.image_channel_data_type) != 0
             ? CL_SUCCESS
             : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

std::optional<ElementLayout> findImageFormat(const cl_image_format &format, cl_mem_object_type type, cl_mem_flags use) {
  if (checkImageFormat(format) != CL_SUCCESS)
    return std::nullopt;
  const ChannelOrder &order = *findOrder(format);
  if (!offers(order, type, use))
    return std::nullopt;
  const ChannelType &channel = *findType(format);
  const bool packed = channel.layout >= ImageLayout565;
  ElementLayout element{.bytes = packed ? channel.bytes : channel.bytes * order.channels,
                        .channels = order.channels,
                        .layout = channel.layout,
                        .conversion = isSrgb(order.order) ? ImageConversionSrgb : channel.conversion,
                        .is_signed = channel.is_signed,
                        .limit = channel.limit};
  shareChroma(order, element);
  return element;
}

std::vector<cl_image_format> imageFormats(cl_mem_object_type type, cl_mem_flags use) {
  std::vector<cl_image_format> formats;
  for (const ChannelOrder &order : kOrders)
    if (offers(order, type, use))
      for (const cl_channel_type channel : order.types)
        formats.push_back({order.order, channel});
  return formats;
}

const float *linearOfSrgb() {
  static constinit MadeOnce<std::array<float, 256>> table;
  const auto make = [] {
    std::array<float, 256> linear{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      const double c = byte / 255.0;
      linear[byte] = float(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return linear;
  };
  return table.get(make).data();
}

} // namespace lanecl::icd
