// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_accesses.h"

#include <algorithm>
#include <bit>
#include <set>
#include <span>

namespace lanecl::modules {

using test::Color;
using test::FormatModel;
using test::SamplerModel;

const ImageAccesses::Shape ImageAccesses::kShapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1D", false, 1, 1, {41, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "Buffer", false, 1, 1, {43, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1D", true, 2, 1, {7, 6, 1}},
    {CL_MEM_OBJECT_IMAGE2D, "2D", false, 2, 2, {7, 6, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2D", true, 3, 2, {5, 4, 3}},
    {CL_MEM_OBJECT_IMAGE3D, "3D", false, 3, 3, {5, 4, 3}}};

namespace {

constexpr const char *kAccessNames[] = {"ReadOnly", "WriteOnly", "ReadWrite"};
constexpr cl_mem_flags kAccessFlags[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};

constexpr cl_channel_type kBytes[] = {CL_SNORM_INT8, CL_UNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8};
constexpr cl_channel_type kOthers[] = {CL_SNORM_INT16,    CL_UNORM_INT16,    CL_SIGNED_INT16, CL_SIGNED_INT32,
                                       CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
constexpr cl_channel_type kPacked[] = {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010};
constexpr cl_channel_type kReals[] = {CL_SNORM_INT8,  CL_SNORM_INT16, CL_UNORM_INT8,
                                      CL_UNORM_INT16, CL_HALF_FLOAT,  CL_FLOAT};

// All formats of images of every shape, those that kernels may only read last.
const std::vector<cl_image_format> &formats() {
  static const std::vector<cl_image_format> list = [] {
    std::vector<cl_image_format> all;
    const auto add = [&](std::initializer_list<cl_channel_order> orders, std::span<const cl_channel_type> types) {
      for (const cl_channel_order order : orders)
        for (const cl_channel_type type : types)
          all.push_back({order, type});
    };
    add({CL_R, CL_A, CL_RG, CL_RA, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR}, kBytes);
    add({CL_R, CL_A, CL_RG, CL_RA, CL_RGBA}, kOthers);
    add({CL_INTENSITY, CL_LUMINANCE}, kReals);
    add({CL_RGB}, kPacked);
    all.insert(all.end(), {{CL_RGBA, CL_UNORM_INT_101010_2}, {CL_sRGBA, CL_UNORM_INT8}, {CL_sBGRA, CL_UNORM_INT8}});
    return all;
  }();
  return list;
}
constexpr size_t kOnlyRead = 2;

// Multiplied by this and rounded, a component of a normalized format is an integer that inaccuracy does not change.
double scaleOf(const FormatModel &format, size_t component) {
  if (format.isSrgb())
    return 4096;
  const std::vector<unsigned> components = format.components();
  const auto channel = std::find(components.begin(), components.end(), component);
  return format.limit(channel == components.end() ? 0 : size_t(channel - components.begin()));
}

// The bits of a channel that is written: those of convert_T_sat_rte(value * limit) for normalized ones.
uint32_t encoded(const FormatModel &format, float value, size_t channel) {
  if (format.type() == CL_FLOAT)
    return std::bit_cast<uint32_t>(value);
  if (format.type() == CL_HALF_FLOAT)
    return std::bit_cast<uint16_t>(_Float16(value));
  const auto limit = float(format.limit(channel));
  return uint32_t(std::lrint(std::clamp(value * limit, format.isSnorm() ? -limit - 1 : 0.0f, limit)));
}

uint32_t saturated(const FormatModel &format, uint32_t number) {
  const unsigned bits = format.channelBits();
  if (!format.isSigned())
    return uint32_t(std::min<uint64_t>(number, (uint64_t(1) << bits) - 1));
  const int64_t end = int64_t(1) << (bits - 1);
  return uint32_t(std::clamp<int64_t>(int32_t(number), -end, end - 1));
}

void storeElement(const FormatModel &format, const std::vector<uint32_t> &channels, uint8_t *element) {
  uint32_t packed = 0;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (const auto fields = format.fields(); !fields.empty())
      packed = packed << fields[i] | channels[i];
    else
      std::memcpy(element + i * format.channelBits() / 8, &channels[i], format.channelBits() / 8);
  }
  if (!format.fields().empty())
    std::memcpy(element, &packed, format.elementBytes());
}

std::string hexadecimal(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%a", double(value));
  return text;
}

const char *addressingName(cl_addressing_mode mode) {
  switch (mode) {
  case CL_ADDRESS_CLAMP_TO_EDGE: return "ClampToEdge";
  case CL_ADDRESS_CLAMP: return "Clamp";
  case CL_ADDRESS_REPEAT: return "Repeat";
  case CL_ADDRESS_MIRRORED_REPEAT: return "RepeatMirrored";
  default: return "None";
  }
}

} // namespace

ImageAccesses::ImageAccesses(Builder &builder, unsigned minor_) : b(builder), minor(minor_) {
  const bool normalized = b.below(2) == 0;
  const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                      CL_ADDRESS_MIRRORED_REPEAT};
  sampler_argument = {normalized, modes[b.below(normalized ? 4 : 2)], CL_FILTER_NEAREST};
  const size_t count = 1 + b.below(4);
  for (size_t i = 0; i < count; ++i)
    images.push_back(anyImage());
}

ImageAccesses::Image ImageAccesses::anyImage() {
  Image image{&kShapes[b.below(std::size(kShapes))],
              Access(b.below(3)),
              "%image" + std::to_string(images.size()),
              {},
              {},
              {},
              {}};
  const FormatModel format{anyFormat(image.access != Access::Read)};
  image.type = std::string("%image_") + image.shape->dimension + (image.shape->is_array ? "_array_" : "_") +
               kAccessNames[unsigned(image.access)];
  const test::Extent &extent = image.shape->extent;
  image.before = anyContent(format, extent[0] * extent[1] * extent[2]);
  image.content = {format, extent, image.before};
  if (image.access != Access::Read)
    image.own = ownCoordinates(image);
  return image;
}

cl_image_format ImageAccesses::anyFormat(bool is_written) {
  return formats()[b.below(unsigned(formats().size() - (is_written ? kOnlyRead : 0)))];
}

// Without infinities and NaNs.
std::vector<uint8_t> ImageAccesses::anyContent(const FormatModel &format, size_t elements) {
  std::vector<uint8_t> bytes(elements * format.elementBytes());
  for (uint8_t &byte : bytes)
    byte = b.below(8) == 0 ? uint8_t(b.below(2) - 1) : uint8_t(b.random());
  const size_t size = format.channelBits() / 8;
  for (size_t last = size - 1; format.isReal() && last < bytes.size(); last += size)
    bytes[last] &= 0xbf;
  return bytes;
}

// The number modulo the extent, or up to `outside` before or behind.
Value ImageAccesses::coordinate(const Value &number, size_t extent, int outside) {
  const Value count = b.constant(32, extent + 2 * size_t(outside)), first = b.constant(32, uint64_t(outside));
  const Value rest = b.each("OpUMod %u32 " + number.name + " " + count.name, 32,
                            [&](size_t i) { return number.lanes[i] % count.lanes[i]; });
  if (outside == 0)
    return rest;
  return b.each("OpISub %u32 " + rest.name + " " + first.name, 32,
                [&](size_t i) { return rest.lanes[i] - first.lanes[i]; });
}

// One axis alone, and a fourth behind three.
std::string ImageAccesses::joined(const std::vector<std::string> &axes, const char *scalar) {
  if (axes.size() == 1)
    return axes[0];
  const std::string vector = b.fresh();
  std::string parts;
  for (const std::string &axis : axes)
    parts += " " + axis;
  if (axes.size() == 3)
    parts += " " + axes[0];
  b.line(vector + " = OpCompositeConstruct " + scalar + (axes.size() == 2 ? "x2" : "x4") + parts);
  return vector;
}

std::string ImageAccesses::ownCoordinates(const Image &image) {
  const Value &id = b.values[1];
  Value rest = b.each("OpUConvert %u32 " + id.name, 32, [&](size_t i) { return id.lanes[i]; });
  std::vector<std::string> axes;
  for (unsigned axis = 0; axis < image.shape->axes; ++axis) {
    const size_t extent = image.shape->extent[axis];
    const Value size = b.constant(32, extent);
    axes.push_back(coordinate(rest, extent, 0).name);
    rest = b.each("OpUDiv %u32 " + rest.name + " " + size.name, 32, [&](size_t i) { return rest.lanes[i] / extent; });
  }
  return joined(axes, "%u32");
}

size_t ImageAccesses::ownElement(const Image &image, size_t item) const {
  return item * image.content.format.elementBytes();
}

ImageAccesses::Reals ImageAccesses::realConstant(float value) {
  Reals constant{b.fresh(), {}};
  constant.lanes.fill(value);
  b.constants += constant.name + " = OpConstant %f32 " + hexadecimal(value) + "\n";
  return constant;
}

ImageAccesses::Reals ImageAccesses::reals(const std::string &instruction, const std::function<float(size_t)> &compute) {
  Reals result{b.fresh(), {}};
  for (size_t i = 0; i < kItems; ++i)
    result.lanes[i] = compute(i);
  b.line(result.name + " = " + instruction);
  return result;
}

// From -2 to 2, in steps of 2 to the power of -22.
ImageAccesses::Reals ImageAccesses::anyReals() {
  const Value any = b.take(32), eight = b.constant(32, 8);
  const Value short_one = b.each("OpShiftRightArithmetic %u32 " + any.name + " " + eight.name, 32,
                                 [&](size_t i) { return uint64_t(extended(any.lanes[i], 32) >> 8); });
  const Reals whole =
      reals("OpConvertSToF %f32 " + short_one.name, [&](size_t i) { return float(extended(short_one.lanes[i], 32)); });
  const Reals unit = realConstant(0x1p-22f);
  return reals("OpFMul %f32 " + whole.name + " " + unit.name, [&](size_t i) { return whole.lanes[i] * 0x1p-22f; });
}

std::pair<std::string, SamplerModel> ImageAccesses::anySampler(const FormatModel &format) {
  if (b.below(3) == 0)
    return {"%sampler_argument", sampler_argument};
  const bool normalized = b.below(2) == 0;
  const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                      CL_ADDRESS_MIRRORED_REPEAT};
  // In the middle of elements the neighbors have no weight.
  const bool linear = !normalized && !format.isInteger() && !format.isReal() && b.below(3) == 0;
  const SamplerModel model{normalized, modes[b.below(normalized ? 5 : 3)],
                           cl_filter_mode(linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST)};
  const std::string name = b.fresh();
  b.constants += name + " = OpConstantSampler %sampler " + addressingName(model.addressing) +
                 (normalized ? " 1 " : " 0 ") + (linear ? "Linear" : "Nearest") + "\n";
  return {name, model};
}

// The whole number, or the middle of that element; of an array's layers a number that is rounded to it.
ImageAccesses::Reals ImageAccesses::axisOf(const Image &image, unsigned axis, const SamplerModel &model, bool whole) {
  const size_t extent = image.shape->extent[axis];
  const Value number = coordinate(b.take(32), extent, model.addressing == CL_ADDRESS_NONE ? 0 : 3);
  const auto numberOf = [&](size_t i) { return float(extended(number.lanes[i], 32)); };
  if (whole) {
    Reals same{number.name, {}};
    for (size_t i = 0; i < kItems; ++i)
      same.lanes[i] = numberOf(i);
    return same;
  }
  const bool is_layer = axis >= image.shape->filtered;
  const Reals part = realConstant(is_layer ? 0.25f : 0.5f), unit = realConstant(1 / float(extent));
  const Reals real = reals("OpConvertSToF %f32 " + number.name, numberOf);
  const Reals middle =
      reals("OpFAdd %f32 " + real.name + " " + part.name, [&](size_t i) { return real.lanes[i] + part.lanes[i]; });
  if (!model.normalized || is_layer)
    return middle;
  return reals("OpFMul %f32 " + middle.name + " " + unit.name,
               [&](size_t i) { return middle.lanes[i] * unit.lanes[i]; });
}

ImageAccesses::Place ImageAccesses::placeOfSampler(const Image &image) {
  auto [sampler, model] = anySampler(image.content.format);
  const bool whole = !model.normalized && model.filter == CL_FILTER_NEAREST && b.below(2) == 0;
  std::vector<std::string> axes;
  std::array<std::array<float, 3>, kItems> at{};
  for (unsigned axis = 0; axis < image.shape->axes; ++axis) {
    const Reals numbers = axisOf(image, axis, model, whole);
    axes.push_back(numbers.name);
    for (size_t i = 0; i < kItems; ++i)
      at[i][axis] = numbers.lanes[i];
  }
  const std::string place = joined(axes, whole ? "%u32" : "%f32"), both = b.fresh();
  b.line(both + " = OpSampledImage " + image.type + "_sampled " + image.name + " " + sampler);
  Place result{"OpImageSampleExplicitLod ", both + " " + place, {}};
  model.filter = CL_FILTER_NEAREST; // a linear one gives the same in the middle of an element
  for (size_t i = 0; i < kItems; ++i)
    result.colors[i] = image.content.sample(model, at[i], image.shape->filtered, image.shape->is_array);
  return result;
}

ImageAccesses::Place ImageAccesses::placeAnywhere(const Image &image) {
  std::vector<Value> numbers;
  std::vector<std::string> axes;
  for (unsigned axis = 0; axis < image.shape->axes; ++axis) {
    numbers.push_back(coordinate(b.take(32), image.shape->extent[axis], 0));
    axes.push_back(numbers.back().name);
  }
  Place result{"OpImageRead ", image.name + " " + joined(axes, "%u32"), {}};
  for (size_t i = 0; i < kItems; ++i) {
    long at[3] = {0, 0, 0};
    for (size_t axis = 0; axis < numbers.size(); ++axis)
      at[axis] = long(numbers[axis].lanes[i]);
    result.colors[i] = image.content.fetch(at[0], at[1], at[2]);
  }
  return result;
}

// What the work-item wrote there is seen behind a fence.
ImageAccesses::Place ImageAccesses::ownPlace(const Image &image) {
  const Value scope = b.constant(32, 4), semantics = b.constant(32, 0x808); // this work-item's accesses of images
  b.line("OpMemoryBarrier " + scope.name + " " + semantics.name);
  Place result{"OpImageRead ", image.name + " " + image.own, {}};
  for (size_t i = 0; i < kItems; ++i)
    result.colors[i] = image.content.format.decode(&image.content.content[ownElement(image, i)]);
  return result;
}

std::string ImageAccesses::imageOperands(const FormatModel &format, bool has_lod) {
  std::string mask = has_lod ? "Lod" : "";
  const auto add = [&](const char *name) { mask += (mask.empty() ? "" : "|") + std::string(name); };
  if (minor >= 4 && format.isInteger() && b.below(2) == 0)
    add(format.isSigned() ? "SignExtend" : "ZeroExtend");
  if (minor >= 6 && b.below(4) == 0)
    add("Nontemporal");
  return mask.empty() ? "" : " " + mask + (has_lod ? " %zero_lod" : "");
}

Value ImageAccesses::read() {
  std::vector<const Image *> readable;
  for (const Image &image : images)
    if (image.access != Access::Write)
      readable.push_back(&image);
  if (readable.empty())
    return b.take(32);
  const Image &image = *readable[b.below(unsigned(readable.size()))];
  if (image.access == Access::ReadWrite)
    return component(image, ownPlace(image));
  const bool is_sampled = image.shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER && b.below(2) == 0;
  return component(image, is_sampled ? placeOfSampler(image) : placeAnywhere(image));
}

Value ImageAccesses::component(const Image &image, const Place &place) {
  const FormatModel &format = image.content.format;
  const bool is_sampled = place.instruction != "OpImageRead ";
  // Halves hold what is half, and tell normalized numbers of up to ten bits from each other.
  const bool fits_half =
      format.type() == CL_HALF_FLOAT || (!format.isReal() && !format.isSrgb() && format.limit(0) < 1024);
  const bool is_half = !format.isInteger() && fits_half && b.below(3) == 0;
  const std::string color = b.fresh(), scalar = format.isInteger() ? "%u32" : is_half ? "%f16" : "%f32";
  b.line(color + " = " + place.instruction + scalar + "x4 " + place.operands + imageOperands(format, is_sampled));
  const size_t which = b.below(4);
  const std::string extract = "OpCompositeExtract " + scalar + " " + color + " " + std::to_string(which);
  if (format.isInteger())
    return b.each(extract, 32, [&](size_t i) { return uint64_t(int64_t(place.colors[i][which])); });
  const std::string component = b.fresh();
  b.line(component + " = " + extract);
  return numberOf(format, component, is_half, which, place);
}

// The bits of a real component, the integer that a normalized one stands for.
Value ImageAccesses::numberOf(const FormatModel &format, const std::string &component, bool is_half, size_t which,
                              const Place &place) {
  std::string real = component;
  if (is_half)
    real = b.fresh(), b.line(real + " = OpFConvert %f32 " + component);
  if (format.isReal())
    return b.each("OpBitcast %u32 " + real, 32,
                  [&](size_t i) { return std::bit_cast<uint32_t>(float(place.colors[i][which])); });
  const double scale = scaleOf(format, which);
  const std::string scaled = b.fresh(), rounded = b.fresh();
  b.line(scaled + " = OpFMul %f32 " + real + " " + realConstant(float(scale)).name);
  b.line(rounded + " = OpExtInst %f32 %opencl rint " + scaled);
  return b.each("OpConvertFToS %u32 " + rounded, 32,
                [&](size_t i) { return uint64_t(std::lrint(place.colors[i][which] * scale)); });
}

// Four of what the format takes: integers, single precision numbers or halves.
ImageAccesses::Written ImageAccesses::anyColor(const FormatModel &format) {
  const bool is_half = !format.isInteger() && b.below(3) == 0;
  Written color{b.fresh(), {}};
  std::string parts;
  for (auto &numbers : color.numbers) {
    if (format.isInteger()) {
      const Value number = b.take(32);
      parts += " " + number.name;
      std::copy(number.lanes.begin(), number.lanes.end(), numbers.begin());
      continue;
    }
    Reals real = anyReals();
    if (is_half) {
      const std::string half = b.fresh();
      b.line(half + " = OpFConvert %f16 " + real.name);
      real.name = half;
    }
    parts += " " + real.name;
    for (size_t i = 0; i < kItems; ++i)
      numbers[i] = std::bit_cast<uint32_t>(is_half ? float(_Float16(real.lanes[i])) : real.lanes[i]);
  }
  const char *const type = format.isInteger() ? "%u32x4" : is_half ? "%f16x4" : "%f32x4";
  b.line(color.name + " = OpCompositeConstruct " + type + parts);
  return color;
}

void ImageAccesses::write() {
  std::vector<Image *> writable;
  for (Image &image : images)
    if (image.access != Access::Read)
      writable.push_back(&image);
  if (writable.empty())
    return;
  Image &image = *writable[b.below(unsigned(writable.size()))];
  const FormatModel &format = image.content.format;
  const Written color = anyColor(format);
  b.line("OpImageWrite " + image.name + " " + image.own + " " + color.name + imageOperands(format, false));
  const std::vector<unsigned> components = format.components();
  for (size_t i = 0; i < kItems; ++i) {
    std::vector<uint32_t> channels;
    for (size_t channel = 0; channel < components.size(); ++channel) {
      const uint32_t number = color.numbers[components[channel]][i];
      channels.push_back(format.isInteger() ? saturated(format, number)
                                            : encoded(format, std::bit_cast<float>(number), channel));
    }
    if (b.active[i])
      storeElement(format, channels, &image.content.content[ownElement(image, i)]);
  }
}

std::string ImageAccesses::capabilities() const {
  return "OpCapability ImageBasic\nOpCapability Image1D\nOpCapability ImageBuffer\nOpCapability ImageReadWrite\n"
         "OpCapability LiteralSampler\nOpCapability Float16\n";
}

std::string ImageAccesses::types() const {
  std::string text = "%f32 = OpTypeFloat 32\n%f16 = OpTypeFloat 16\n%f32x2 = OpTypeVector %f32 2\n"
                     "%f32x4 = OpTypeVector %f32 4\n%f16x4 = OpTypeVector %f16 4\n%zero_lod = OpConstant %f32 0\n"
                     "%sampler = OpTypeSampler\n";
  std::set<std::string> made;
  for (const Image &image : images)
    if (made.insert(image.type).second) {
      text += image.type + " = OpTypeImage %void " + image.shape->dimension + " 0 " +
              (image.shape->is_array ? "1" : "0") + " 0 0 Unknown " + kAccessNames[unsigned(image.access)] + "\n";
      if (image.access == Access::Read && image.shape->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
        text += image.type + "_sampled = OpTypeSampledImage " + image.type + "\n";
    }
  return text;
}

std::string ImageAccesses::parameterTypes() const {
  std::string text;
  for (const Image &image : images)
    text += " " + image.type;
  return text + " %sampler";
}

std::string ImageAccesses::parameters() const {
  std::string text;
  for (const Image &image : images)
    text += image.name + " = OpFunctionParameter " + image.type + "\n";
  return text + "%sampler_argument = OpFunctionParameter %sampler\n";
}

std::vector<SampleImage> ImageAccesses::results() const {
  std::vector<SampleImage> list;
  for (const Image &image : images)
    list.push_back({image.shape->type,
                    kAccessFlags[unsigned(image.access)],
                    {image.content.format, image.content.extent, image.before},
                    image.content.content});
  return list;
}

} // namespace lanecl::modules
