// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Image elements and colors for tests of every format, and checks of what was read and written.
#pragma once

#include "support/image_model.hpp"

#include <random>

namespace lanecl::test {

struct Element {
  union {
    float real[4];
    int32_t integer[4];
    uint32_t natural[4];
  };
};

// Returns random bits without infinities and NaNs, which include the extreme values.
inline std::vector<uint8_t> randomContent(const FormatModel &format, size_t elements) {
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(elements * format.elementBytes());
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  const size_t tail = format.type() == CL_FLOAT ? 4 : 2;
  if (format.isReal())
    for (size_t i = tail - 1; i < bytes.size(); i += tail)
      bytes[i] &= 0xbb; // clears one bit of the exponent
  if (!format.isReal()) {
    std::fill_n(bytes.begin(), format.elementBytes(), uint8_t(0));
    std::fill_n(bytes.begin() + format.elementBytes(), format.elementBytes(), uint8_t(255));
    for (size_t i = 2 * format.elementBytes(); i < 3 * format.elementBytes(); ++i)
      bytes[i] = i % (format.channelBits() / 8) == format.channelBits() / 8 - 1 ? 0x80 : 0;
  }
  return bytes;
}

inline std::string formatName(const cl_image_format &format) {
  char text[32];
  std::snprintf(text, sizeof text, "%x/%x", format.image_channel_order, format.image_channel_data_type);
  return text;
}

inline const char *suffixOf(const FormatModel &format) {
  return !format.isInteger() ? "f" : format.isSigned() ? "i" : "ui";
}

inline double component(const FormatModel &format, const Element &element, size_t i) {
  if (!format.isInteger())
    return double(element.real[i]);
  return format.isSigned() ? double(element.integer[i]) : double(element.natural[i]);
}

// Half and single precision and integers must be exact. Normalized values may differ by 1.5 units in the last place.
inline bool isRead(const FormatModel &format, double got, double want) {
  if (format.isReal() || format.isInteger() || want == 0 || std::fabs(want) == 1)
    return got == want;
  const double unit = std::ldexp(1.0, std::ilogb(want) - 23);
  return std::fabs(got - want) <= 1.5 * unit;
}

inline std::vector<Element> randomColors(const FormatModel &format, size_t count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> real(-1.5f, 1.5f);
  std::vector<Element> colors(count);
  for (Element &color : colors)
    for (size_t k = 0; k < 4; ++k)
      if (format.isInteger())
        color.natural[k] = random() >> random() % 32;
      else
        color.real[k] = real(random);
  for (size_t k = 0; k < 4 && !format.isInteger(); ++k) {
    colors[0].real[k] = 1;
    colors[1].real[k] = -1;
    colors[2].real[k] = 0.5f / 255; // a tie, or nearly one
  }
  return colors;
}

// Returns whether the channel's bits are a valid result of writing `color`. Rounding may be off by 0.6 units.
inline bool isWritten(const FormatModel &format, uint32_t bits, size_t channel, double color) {
  if (format.type() == CL_HALF_FLOAT)
    return format.value(bits, channel) == double(_Float16(float(color)));
  if (format.type() == CL_FLOAT)
    return format.value(bits, channel) == color;
  if (format.isInteger()) {
    const double top = std::ldexp(1.0, int(format.channelBits()) - (format.isSigned() ? 1 : 0)) - 1;
    return format.value(bits, channel) == std::clamp(color, format.isSigned() ? -top - 1 : 0.0, top);
  }
  const double limit = format.limit(channel);
  const double exact = std::clamp(color * limit, format.isSnorm() ? -limit - 1 : 0.0, limit);
  const double got =
      format.isSnorm() ? int32_t(bits << (32 - format.channelBits())) >> (32 - format.channelBits()) : double(bits);
  return std::fabs(got - exact) <= 0.6;
}

} // namespace lanecl::test
