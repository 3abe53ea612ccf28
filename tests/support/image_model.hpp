// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes on the host, in double precision, what the specification says about image formats and samplers.
#pragma once

#include "support/images.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lanecl::test {

using Color = std::array<double, 4>;

// An image format: how many bytes an element has, and which color its bytes are.
struct FormatModel {
  cl_image_format format;

  bool isInteger() const { return type() >= CL_SIGNED_INT8 && type() <= CL_UNSIGNED_INT32; }
  bool isSigned() const { return type() >= CL_SIGNED_INT8 && type() <= CL_SIGNED_INT32; }
  bool isSnorm() const { return type() == CL_SNORM_INT8 || type() == CL_SNORM_INT16; }
  bool isReal() const { return type() == CL_HALF_FLOAT || type() == CL_FLOAT; }
  bool isSrgb() const { return order() == CL_sRGBA || order() == CL_sBGRA; }
  cl_channel_type type() const { return format.image_channel_data_type; }
  cl_channel_order order() const { return format.image_channel_order; }

  // Widths of the packed fields in bits, the first channel's first. Empty when each channel has bytes of its own.
  std::vector<unsigned> fields() const {
    switch (type()) {
    case CL_UNORM_SHORT_565: return {5, 6, 5};
    case CL_UNORM_SHORT_555: return {5, 5, 5};
    case CL_UNORM_INT_101010: return {10, 10, 10};
    case CL_UNORM_INT_101010_2: return {10, 10, 10, 2};
    default: return {};
    }
  }
  // Returns the width of a channel that has bytes of its own.
  unsigned channelBits() const {
    switch (type()) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return 8;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT: return 32;
    default: return 16;
    }
  }
  // Says which component of a color each channel in memory is: 0 to 3 for red to alpha.
  std::vector<unsigned> components() const {
    switch (order()) {
    case CL_A: return {3};
    case CL_RG: return {0, 1};
    case CL_RA: return {0, 3};
    case CL_RGB: return {0, 1, 2};
    case CL_RGBA:
    case CL_sRGBA: return {0, 1, 2, 3};
    case CL_BGRA:
    case CL_sBGRA: return {2, 1, 0, 3};
    case CL_ARGB: return {3, 0, 1, 2};
    case CL_ABGR: return {3, 2, 1, 0};
    default: return {0}; // R, depth, intensity, luminance
    }
  }
  size_t elementBytes() const {
    if (const auto packed = fields(); !packed.empty())
      return packed[0] == 5 ? 2 : 4;
    return channelBits() / 8 * components().size();
  }

  // Returns the bits of each of the element's channels.
  std::vector<uint32_t> channels(const uint8_t *element) const {
    std::vector<uint32_t> result;
    const auto load = [&](size_t at, size_t bytes) {
      uint32_t value = 0;
      std::memcpy(&value, element + at, bytes);
      return value;
    };
    if (const auto packed = fields(); !packed.empty()) {
      unsigned below = 0;
      for (auto bits = packed.rbegin(); bits != packed.rend(); below += *bits, ++bits)
        result.insert(result.begin(), load(0, elementBytes()) >> below & ((1u << *bits) - 1));
      return result;
    }
    for (size_t i = 0; i < components().size(); ++i)
      result.push_back(load(i * channelBits() / 8, channelBits() / 8));
    return result;
  }
  // Returns the integer that stands for a normalized 1.0 in that channel.
  double limit(size_t channel) const {
    const auto packed = fields();
    const unsigned bits = packed.empty() ? channelBits() : packed[channel];
    return std::ldexp(1.0, int(bits) - (isSnorm() ? 1 : 0)) - 1;
  }

  // Returns the number that a channel's bits stand for: normalized, linear if the format is sRGB, or as it is.
  double value(uint32_t bits, size_t channel) const {
    const auto sign_extended = int32_t(bits << (32 - channelBits())) >> (32 - channelBits());
    if (type() == CL_FLOAT) {
      float x;
      std::memcpy(&x, &bits, sizeof x);
      return x;
    }
    if (type() == CL_HALF_FLOAT) {
      _Float16 x;
      std::memcpy(&x, &bits, sizeof x);
      return double(x);
    }
    if (isInteger())
      return isSigned() ? double(sign_extended) : double(bits);
    if (isSnorm())
      return std::max(-1.0, sign_extended / limit(channel));
    const double c = bits / limit(channel);
    if (!isSrgb() || components()[channel] == 3)
      return c;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }

  // Returns the color that reading the element gives, with the defaults for channels that the format lacks.
  Color decode(const uint8_t *element) const {
    const auto bits = channels(element);
    if (order() == CL_INTENSITY || order() == CL_LUMINANCE) {
      const double x = value(bits[0], 0);
      return {x, x, x, order() == CL_INTENSITY ? x : 1};
    }
    Color color{0, 0, 0, 1};
    for (size_t i = 0; i < bits.size(); ++i)
      color[components()[i]] = value(bits[i], i);
    return color;
  }

  // Returns the border color, which is what reads outside the image give with CL_ADDRESS_CLAMP.
  Color border() const {
    const bool opaque = order() == CL_R || order() == CL_RG || order() == CL_RGB || order() == CL_LUMINANCE;
    return {0, 0, 0, opaque ? 1.0 : 0.0};
  }
};

// A sampler: which elements it reads for a coordinate, and how it weighs them.
struct SamplerModel {
  bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;

  // The two neighboring elements along one coordinate, and the weight of the higher one. With the filter NEAREST, `low`
  // is the element that is read.
  struct Axis {
    long low, high;
    double fraction;
  };

  // Implements the section "Image Addressing and Filtering" of the specification for one coordinate.
  Axis locate(float s, long size) const {
    double u = normalized ? double(s) * double(size) : s;
    if (addressing == CL_ADDRESS_REPEAT)
      u = (s - std::floor(double(s))) * double(size);
    if (addressing == CL_ADDRESS_MIRRORED_REPEAT)
      u = std::fabs(s - 2.0 * std::rint(0.5 * s)) * double(size);
    if (filter == CL_FILTER_LINEAR)
      u -= 0.5;
    const long low = long(std::floor(u));
    return {wrap(low, size), wrap(low + 1, size), u - std::floor(u)};
  }

  // Applies the addressing mode to an index. The indices -1 and `size` stand for the border.
  long wrap(long i, long size) const {
    switch (addressing) {
    case CL_ADDRESS_REPEAT: return ((i % size) + size) % size;
    case CL_ADDRESS_CLAMP_TO_EDGE:
    case CL_ADDRESS_MIRRORED_REPEAT: return std::clamp(i, 0l, size - 1);
    default: return std::clamp(i, -1l, size);
    }
  }
};

// An image's content and format.
struct ImageModel {
  FormatModel format;
  Extent extent;
  std::vector<uint8_t> content;

  // Returns the color of an element, or the border color outside the image.
  Color fetch(long x, long y, long z) const {
    if (x < 0 || y < 0 || z < 0 || x >= long(extent[0]) || y >= long(extent[1]) || z >= long(extent[2]))
      return format.border();
    return format.decode(
        &content[((size_t(z) * extent[1] + size_t(y)) * extent[0] + size_t(x)) * format.elementBytes()]);
  }

  // Reads the image with a sampler. The first `filtered` coordinates are the image's own; if `array`, the one after
  // them selects an image of the array.
  Color sample(const SamplerModel &sampler, const std::array<float, 3> &at, size_t filtered, bool array) const {
    SamplerModel::Axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < filtered; ++i)
      axes[i] = sampler.locate(at[i], long(extent[i]));
    if (array) {
      const long layer = std::clamp(std::lrint(at[filtered]), 0l, long(extent[filtered]) - 1);
      axes[filtered] = {layer, layer, 0};
    }
    if (sampler.filter == CL_FILTER_NEAREST)
      return fetch(axes[0].low, axes[1].low, axes[2].low);
    Color sum{};
    for (unsigned tap = 0; tap < 1u << filtered; ++tap) {
      double weight = 1;
      long place[3];
      for (size_t i = 0; i < 3; ++i) {
        const bool high = tap >> i & 1;
        place[i] = high ? axes[i].high : axes[i].low;
        if (i < filtered)
          weight *= high ? axes[i].fraction : 1 - axes[i].fraction;
      }
      const Color color = fetch(place[0], place[1], place[2]);
      for (size_t i = 0; i < 4; ++i)
        sum[i] += weight * color[i];
    }
    return sum;
  }
};

} // namespace lanecl::test
