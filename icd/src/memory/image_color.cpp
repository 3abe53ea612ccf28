// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Encodes the fill color of clEnqueueFillImage as bytes of an image, with the same conversions as write_image… in
// kernels.
#include "memory/image_format.h"

#include "api/recent_names.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace lanecl::icd {
namespace {

// Returns for each channel, in the order of memory, which component of the color it stores.
std::array<unsigned, 4> componentsOf(cl_channel_order order) {
  switch (order) {
  case CL_A: return {3, 3, 3, 3};
  case CL_RA: return {0, 3, 3, 3};
  case CL_BGRA:
  case CL_sBGRA: return {2, 1, 0, 3};
  case CL_ARGB: return {3, 0, 1, 2};
  case CL_ABGR: return {3, 2, 1, 0};
  default: return {0, 1, 2, 3};
  }
}

// Returns the sRGB value of a linear one, both from 0 to 1.
double srgbOfLinear(double linear) {
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// Converts a normalized channel as the specification prefers: convert_T_sat_rte(value * highest), where the product is
// rounded to float. A NaN becomes the lowest value.
int32_t normalize(float value, float lowest, float highest) {
  const float scaled = value * highest;
  return int32_t(std::lrint(scaled > lowest ? std::min(scaled, highest) : lowest));
}

// Returns the bits of a channel whose color component is a float.
uint32_t channelOfFloat(const ElementLayout &element, float value, float limit, bool alpha) {
  switch (element.conversion) {
  case abi::ImageConversionSnorm: return uint32_t(normalize(value, -limit - 1, limit));
  case abi::ImageConversionSrgb: {
    const float linear = value > 0 ? std::min(value, 1.0f) : 0.0f;
    return uint32_t(normalize(alpha ? linear : float(srgbOfLinear(linear)), 0, limit));
  }
  case abi::ImageConversionHalf: {
    const auto half = static_cast<_Float16>(value);
    uint16_t bits = 0;
    std::memcpy(&bits, &half, sizeof bits);
    return bits;
  }
  case abi::ImageConversionFloat: {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  default: return uint32_t(normalize(value, 0, limit));
  }
}

// Returns the bits of a channel whose color component is an integer: the component saturated to the channel's type.
uint32_t channelOfInteger(const ElementLayout &element, uint32_t value) {
  if (element.layout == abi::ImageLayoutWords)
    return value;
  const int bits = element.layout == abi::ImageLayoutBytes ? 8 : 16;
  if (element.is_signed)
    return uint32_t(std::clamp(int32_t(value), -(1 << (bits - 1)), (1 << (bits - 1)) - 1));
  return std::min(value, (1u << bits) - 1);
}

template <class Channel> void storeChannels(PixelBytes &pixel, const std::array<uint32_t, 4> &channels) {
  for (size_t i = 0; i < channels.size(); ++i) {
    const auto channel = Channel(channels[i]);
    std::memcpy(pixel.data() + i * sizeof channel, &channel, sizeof channel);
  }
}

// Puts the channels into the bytes of an element.
PixelBytes pack(const ElementLayout &element, const std::array<uint32_t, 4> &c) {
  PixelBytes pixel{};
  const auto storePacked = [&](uint32_t value) { std::memcpy(pixel.data(), &value, sizeof value); };
  switch (element.layout) {
  case abi::ImageLayoutBytes: storeChannels<uint8_t>(pixel, c); break;
  case abi::ImageLayoutShorts: storeChannels<uint16_t>(pixel, c); break;
  case abi::ImageLayoutWords: storeChannels<uint32_t>(pixel, c); break;
  case abi::ImageLayout565: storePacked(c[0] << 11 | c[1] << 5 | c[2]); break;
  case abi::ImageLayout555: storePacked(c[0] << 10 | c[1] << 5 | c[2]); break;
  case abi::ImageLayout101010: storePacked(c[0] << 20 | c[1] << 10 | c[2]); break;
  case abi::ImageLayout1010102: storePacked(c[0] << 22 | c[1] << 12 | c[2] << 2 | c[3]); break;
  }
  return pixel;
}

// Puts the channels of elements that share chroma into bytes. The color's red, green and blue are V, Y and U.
PixelBytes packYuv(cl_channel_order order, const std::array<uint32_t, 4> &c) {
  PixelBytes pixel{};
  const uint32_t v = c[0], y = c[1], u = c[2];
  switch (order) {
  case CL_YUYV_INTEL: storeChannels<uint8_t>(pixel, {y, u, y, v}); break;
  case CL_UYVY_INTEL: storeChannels<uint8_t>(pixel, {u, y, v, y}); break;
  case CL_YVYU_INTEL: storeChannels<uint8_t>(pixel, {y, v, y, u}); break;
  case CL_VYUY_INTEL: storeChannels<uint8_t>(pixel, {v, y, u, y}); break;
  default: storeChannels<uint8_t>(pixel, {y, u, v, 0}); break; // CL_NV12_INTEL
  }
  return pixel;
}

} // namespace

PixelBytes encodeColor(const cl_image_format &format, const ElementLayout &element, const void *color) {
  // The fill color is a single floating-point value if the channel order is CL_DEPTH, otherwise it has four components.
  std::array<uint32_t, 4> bits{};
  std::memcpy(bits.data(), color, format.image_channel_order == CL_DEPTH ? sizeof(float) : sizeof bits);
  const std::array<unsigned, 4> components = componentsOf(format.image_channel_order);
  std::array<uint32_t, 4> channels{};
  const size_t count = element.sharesChroma() ? 3 : element.channels;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t component = bits[components[i]];
    float value = 0;
    std::memcpy(&value, &component, sizeof value);
    channels[i] = element.conversion == abi::ImageConversionInteger
                      ? channelOfInteger(element, component)
                      : channelOfFloat(element, value, element.limit[i], components[i] == 3);
  }
  return element.sharesChroma() ? packYuv(format.image_channel_order, channels) : pack(element, channels);
}

} // namespace lanecl::icd
