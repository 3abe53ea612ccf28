// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reading and writing images: every format and every shape, at every width and outside the edges.
#include "image_values.hpp"
#include "support/selection.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr Extent kExtent{37, 5, 1}; // not a multiple of any sub-group size
constexpr size_t kElements = 37 * 5;

const std::vector<std::string> kSuffixes{"f", "i", "ui"};

// Builds one kernel that reads and one that writes for each of the suffixes.
Program buildAccess(const Session &cl, unsigned width, const std::vector<std::string> &suffixes) {
  std::string accesses;
  for (const std::string &suffix : suffixes)
    accesses += "ACCESS(" + suffix + ", " + (suffix == "f" ? "float4) " : suffix == "i" ? "int4) " : "uint4) ");
  return cl.build("#define ACCESS(s, T) \\\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\\\n"
                  "void read##s(read_only image2d_t in, global T *out) {\\\n"
                  "  int2 c = (int2)(get_global_id(0), get_global_id(1));\\\n"
                  "  if (c.x < get_image_width(in) && c.y < get_image_height(in))\\\n"
                  "    out[c.y * get_image_width(in) + c.x] = read_image##s(in, c);\\\n"
                  "}\\\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\\\n"
                  "void write##s(global const T *in, write_only image2d_t out) {\\\n"
                  "  int2 c = (int2)(get_global_id(0), get_global_id(1));\\\n"
                  "  write_image##s(out, c, in[min(c.y, 4) * 37 + min(c.x, 36)]);\\\n"
                  "}\n" +
                      accesses + "\n",
                  "-cl-std=CL3.0 -DW=" + std::to_string(width));
}

// Code is compiled for the first formats that a kernel gets, and then for all other formats together. At this width,
// each format comes first in a program of its own. In repeated runs this holds for one format in four; at the other
// widths these are among the others.
constexpr unsigned kFresh = 16;

size_t wrongReads(const FormatModel &format, const std::vector<uint8_t> &content, const std::vector<Element> &got) {
  size_t wrong = 0;
  for (size_t i = 0; i < kElements; ++i) {
    const Color want = format.decode(&content[i * format.elementBytes()]);
    for (size_t k = 0; k < 4; ++k)
      wrong += !isRead(format, component(format, got[i], k), want[k]);
  }
  return wrong;
}

size_t wrongWrites(const FormatModel &format, const std::vector<Element> &colors, const std::vector<uint8_t> &got) {
  size_t wrong = 0;
  for (size_t i = 0; i < kElements; ++i) {
    const auto bits = format.channels(&got[i * format.elementBytes()]);
    for (size_t k = 0; k < bits.size(); ++k)
      wrong += !isWritten(format, bits[k], k, component(format, colors[i], format.components()[k]));
  }
  return wrong;
}

} // namespace

TEST_CASE("every format is read", "[images]") {
  Session cl;
  const auto width = static_cast<unsigned>(GENERATE(from_range(widthsInTurn())));
  Program program = buildAccess(cl, width, kSuffixes);
  size_t number = firstTurn(); // compiled for one format only; each of them with one of the instruction sets
  for (const cl_image_format &name : supportedFormats(cl, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY)) {
    const FormatModel format{name};
    if (format.order() == CL_DEPTH || format.order() >= CL_YUYV_INTEL)
      continue; // depth has another type in kernels; YUV shares chroma between neighbors, see yuv_images.cpp
    if (width == kFresh && !isInTurn(number++, isRepeated() ? 4 : 2))
      continue;
    if (width == kFresh)
      program = buildAccess(cl, width, {suffixOf(format)});
    const std::vector<uint8_t> content = randomContent(format, kElements);
    Memory image = makeImage(cl, name, CL_MEM_OBJECT_IMAGE2D, kExtent, content, CL_MEM_READ_ONLY);
    Memory out = cl.bytes(kElements * sizeof(Element));
    cl.run(cl.kernel(program, std::string("read") + suffixOf(format)), {40, 6}, {20, 2}, image, out);
    INFO("format " << formatName(name) << ", width " << width);
    CHECK(wrongReads(format, content, cl.read<Element>(out)) == 0);
  }
}

TEST_CASE("every format is written, and only inside the image", "[images]") {
  Session cl;
  const auto width = static_cast<unsigned>(GENERATE(from_range(widthsInTurn())));
  Program program = buildAccess(cl, width, kSuffixes);
  size_t number = firstTurn(); // compiled for one format only; each of them with one of the instruction sets
  for (const cl_image_format &name : supportedFormats(cl, CL_MEM_OBJECT_IMAGE2D, CL_MEM_WRITE_ONLY)) {
    const FormatModel format{name};
    if (format.order() == CL_DEPTH)
      continue;
    if (width == kFresh && !isInTurn(number++, isRepeated() ? 4 : 2))
      continue;
    if (width == kFresh)
      program = buildAccess(cl, width, {suffixOf(format)});
    // The image is in a buffer with room beside and below it, which must not change.
    const size_t element = format.elementBytes(), pitch = 44 * element;
    Memory buffer = cl.buffer(std::vector<uint8_t>(pitch * 6, 0xa5));
    cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, kExtent);
    description.image_row_pitch = pitch;
    description.mem_object = buffer;
    Memory image = makeImage(cl, name, description, 0);
    const std::vector<Element> colors = randomColors(format, kElements);
    cl.run(cl.kernel(program, std::string("write") + suffixOf(format)), {40, 6}, {20, 2}, cl.buffer(colors), image);
    INFO("format " << formatName(name) << ", width " << width);
    CHECK(wrongWrites(format, colors, readImage<uint8_t>(cl, image, kExtent)) == 0);
    size_t touched = 0;
    const auto bytes = cl.read<uint8_t>(buffer);
    for (size_t i = 0; i < bytes.size(); ++i)
      touched += (i / pitch >= 5 || i % pitch >= 37 * element) && bytes[i] != 0xa5;
    CHECK(touched == 0);
  }
}

namespace {

struct Shape {
  const char *type;
  cl_mem_object_type object;
  Extent extent;
  const char *coordinates; // in terms of x, y and z
};

const Shape kShapes[] = {{"image1d_t", CL_MEM_OBJECT_IMAGE1D, {45, 1, 1}, "x"},
                         {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, {45, 1, 1}, "x"},
                         {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, {21, 5, 1}, "(int2)(x, y)"},
                         {"image2d_t", CL_MEM_OBJECT_IMAGE2D, {21, 5, 1}, "(int2)(x, y)"},
                         {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, {21, 5, 3}, "(int4)(x, y, z, 9)"},
                         {"image3d_t", CL_MEM_OBJECT_IMAGE3D, {21, 5, 3}, "(int4)(x, y, z, 9)"}};

template <class T>
Memory makeShape(const Session &cl, const Shape &shape, const std::vector<T> &content,
                 const cl_image_format &format = {CL_R, CL_UNSIGNED_INT32}) {
  if (shape.object != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return makeImage(cl, format, shape.object, shape.extent, content);
  cl_image_desc description = describeImage(shape.object, shape.extent);
  Memory buffer = cl.buffer(content);
  description.mem_object = buffer;
  return makeImage(cl, format, description, 0);
}

} // namespace

TEST_CASE("every shape is read and written with every access qualifier", "[images]") {
  Session cl;
  for (const Shape &shape : kShapes) {
    const std::string options = std::string("-cl-std=CL3.0 -DT=") + shape.type + " -DC='" + shape.coordinates + "'";
    Program program = cl.build("#define IDS int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                               "kernel void copy(read_only T in, write_only T out) {\n"
                               "  IDS write_imageui(out, C, read_imageui(in, C) + 1);\n"
                               "}\n"
                               "kernel void update(read_write T image) {\n"
                               "  IDS uint4 v = read_imageui(image, C); x ^= 0; write_imageui(image, C, v * 3);\n"
                               "}\n",
                               options);
    const size_t elements = shape.extent[0] * shape.extent[1] * shape.extent[2];
    std::vector<uint32_t> content(elements), want(elements);
    for (size_t i = 0; i < elements; ++i) {
      content[i] = uint32_t(i * 7 + 3);
      want[i] = (content[i] + 1) * 3;
    }
    Memory in = makeShape(cl, shape, content), out = makeShape(cl, shape, std::vector<uint32_t>(elements));
    const std::vector<size_t> global(shape.extent.begin(), shape.extent.end());
    cl.run(cl.kernel(program, "copy"), global, {}, in, out);
    cl.run(cl.kernel(program, "update"), global, {}, out);
    INFO(shape.type);
    CHECK(readImage<uint32_t>(cl, out, shape.extent) == want);
  }
}

namespace {

// Builds kernels that read and write with the functions for signed integers and with those for unsigned ones.
Program buildIntegers(const Session &cl, const Shape &shape, unsigned width) {
  const bool is_sampled = shape.object != CL_MEM_OBJECT_IMAGE1D_BUFFER, is_scalar = shape.coordinates[0] == 'x';
  const std::string axes = is_scalar ? "" : std::string(1, shape.coordinates[4]); // for (int2) or (int4)
  return cl.build("#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(W))) void\n"
                  "#define SAMPLED(read, c) read(in, " +
                      std::string(is_sampled ? "s, c" : "x") +
                      ")\n"
                      "#define IDS int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\\\n"
                      "  int i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"
                      "KERNEL reads(read_only T in, read_write T both, sampler_t s, global int4 *out) {\n"
                      "  IDS\n"
                      "  out[4 * i] = read_imagei(in, C);\n"
                      "  out[4 * i + 1] = as_int4(read_imageui(both, C));\n"
                      "  out[4 * i + 2] = SAMPLED(read_imagei, C);\n"
                      "  out[4 * i + 3] = as_int4(SAMPLED(read_imageui, CONVERT(C)));\n"
                      "}\n"
                      "KERNEL writes(write_only T first, write_only T second, read_write T third, global int4 *in) {\n"
                      "  IDS\n"
                      "  write_imagei(first, C, in[i]);\n"
                      "  write_imageui(second, C, as_uint4(in[i]));\n"
                      "  write_imagei(third, C, in[i]);\n"
                      "}\n",
                  std::string("-cl-std=CL3.0 -DT=") + shape.type + " -DC='" + shape.coordinates +
                      "' -DCONVERT=convert_float" + axes + " -DW=" + std::to_string(width));
}

size_t countOf(const Shape &shape) {
  return shape.extent[0] * shape.extent[1] * shape.extent[2];
}

// Returns how many components differ from what the image's own type defines, whichever function reads them.
size_t wrongIntegers(const Session &cl, const Program &program, const Shape &shape, const FormatModel &format) {
  const std::vector<uint8_t> content = randomContent(format, countOf(shape));
  Memory in = makeShape(cl, shape, content, format.format), out = cl.bytes(countOf(shape) * 4 * sizeof(Element));
  const Sampler sampler = makeSampler(cl, false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  cl.run(cl.kernel(program, "reads"), {shape.extent.begin(), shape.extent.end()}, {}, in, in, sampler, out);
  const std::vector<Element> got = cl.read<Element>(out);
  size_t wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const Color want = format.decode(&content[i / 4 * format.elementBytes()]);
    for (size_t k = 0; k < 4; ++k)
      wrong += component(format, got[i], k) != want[k];
  }
  return wrong;
}

size_t wrongSaturations(const Session &cl, const Program &program, const Shape &shape, const FormatModel &format) {
  std::mt19937 random(13);
  std::vector<Element> colors(countOf(shape));
  for (Element &color : colors)
    for (uint32_t &number : color.natural)
      number = random() % 3 == 0 ? -(random() >> random() % 32) : random() >> random() % 32;
  const std::array<uint32_t, 4> edges{uint32_t(-1), 200, 70000, 0x80000000};
  std::copy(edges.begin(), edges.end(), colors[0].natural);
  const std::vector<uint8_t> empty(countOf(shape) * format.elementBytes());
  std::vector<Memory> images;
  for (size_t i = 0; i < 3; ++i)
    images.push_back(makeShape(cl, shape, empty, format.format));
  cl.run(cl.kernel(program, "writes"), {shape.extent.begin(), shape.extent.end()}, {}, images[0], images[1], images[2],
         cl.buffer(colors));
  size_t wrong = 0;
  for (const Memory &image : images) {
    const std::vector<uint8_t> got = readImage<uint8_t>(cl, image, shape.extent);
    for (size_t i = 0; i < colors.size(); ++i) {
      const auto bits = format.channels(&got[i * format.elementBytes()]);
      for (size_t k = 0; k < bits.size(); ++k)
        wrong += !isWritten(format, bits[k], k, component(format, colors[i], format.components()[k]));
    }
  }
  return wrong;
}

} // namespace

// OpenCL C leaves undefined what read_imagei does with an unsigned image. Intel's CPU runtime decides by the image's
// type, and SPIR-V does not have to distinguish read_imagei from read_imageui.
TEST_CASE("the image's own type decides whether its integers are signed", "[images]") {
  Session cl;
  const size_t size = GENERATE(from_range(widthsInTurn())) / 16; // 0, 1 or 2: sub-groups of 8, 16 or 32
  for (size_t number = 0; number < std::size(kShapes); ++number) {
    const Shape &shape = kShapes[number];
    // At one size, one shape meets more formats than code is compiled for. The others meet some.
    const bool is_plane = shape.object == CL_MEM_OBJECT_IMAGE2D, meets_all = is_plane && size == 1 && !isRepeated();
    if (!is_plane && !isInTurn(number + size, 3))
      continue;
    const Program program = buildIntegers(cl, shape, 8u << size);
    size_t format_number = number + size;
    for (const cl_image_format &name : supportedFormats(cl, shape.object, CL_MEM_READ_WRITE)) {
      const FormatModel format{name};
      if (!format.isInteger() || !isInTurn(format_number++, meets_all ? 1 : 5))
        continue;
      INFO(shape.type << ", format " << formatName(name) << ", width " << (8 << size));
      CHECK(wrongIntegers(cl, program, shape, format) == 0);
      CHECK(wrongSaturations(cl, program, shape, format) == 0);
    }
  }
}

namespace {

// Returns colors whose components are at the points where the rounding of some channel of the format changes, or up to
// two floats beside them, and the special values. The special values include limits of half, whose channels are
// rounded, too.
std::vector<Element> colorsNearBoundaries(const FormatModel &format) {
  std::mt19937 random(17);
  const std::vector<double> limits =
      format.isReal() || format.isInteger()
          ? std::vector<double>{2048}
          : std::vector<double>{format.limit(0), format.limit(format.components().size() - 1),
                                format.fields().empty() ? format.limit(0) : format.limit(1)};
  std::vector<Element> colors(600);
  for (Element &color : colors)
    for (float &value : color.real) {
      const double limit = limits[random() % limits.size()];
      value = float((double(random() % unsigned(limit + 3)) + 0.5) / limit);
      for (unsigned steps = random() % 3; steps > 0; --steps)
        value = std::nextafter(value, random() % 2 == 0 ? 0.0f : 2.0f);
      value = random() % 3 == 0 ? -value : value;
    }
  const float special[] = {0, -0.0f, 1, -1, 2, -2, NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 65504, 65520, 6e-8f};
  for (const float value : special)
    colors.push_back({{{value, value, value, value}}});
  return colors;
}

// Returns the content of an image of that format whose elements were filled with the colors one after the other.
std::vector<uint8_t> filled(const Session &cl, const cl_image_format &format, const std::vector<Element> &colors,
                            cl_mem_flags flags = CL_MEM_READ_WRITE) {
  const Extent row{colors.size(), 1, 1}, one{1, 1, 1};
  Memory image = makeImage(cl, format, describeImage(CL_MEM_OBJECT_IMAGE2D, row), flags);
  for (size_t i = 0; i < colors.size(); ++i) {
    const size_t origin[3] = {i, 0, 0};
    check(clEnqueueFillImage(cl.queue, image, colors[i].real, origin, one.data(), 0, nullptr, nullptr),
          "clEnqueueFillImage");
  }
  return readImage<uint8_t>(cl, image, row);
}

size_t differing(const FormatModel &format, const std::vector<uint8_t> &a, const std::vector<uint8_t> &b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); i += format.elementBytes()) {
    const auto left = format.channels(&a[i]), right = format.channels(&b[i]);
    for (size_t k = 0; k < left.size(); ++k)
      count += left[k] != right[k] && !(std::isnan(format.value(left[k], k)) && std::isnan(format.value(right[k], k)));
  }
  return count;
}

} // namespace

TEST_CASE("images are filled with the same values that kernels write", "[images]") {
  Session cl;
  const Program program =
      cl.build("#define WRITE(name, T, I, f, c)\\\n"
               "  kernel void name(global const T *in, write_only I out) {\\\n"
               "    int x = get_global_id(0); write_image##f(out, (int2)(x, 0), in[x]c);\\\n"
               "  }\n"
               "WRITE(f, float4, image2d_t, f, ) WRITE(i, int4, image2d_t, i, ) WRITE(ui, uint4, image2d_t, ui, )\n"
               "WRITE(depth, float4, image2d_depth_t, f, .x)\n",
               "-cl-std=CL3.0");
  for (const cl_image_format &name : supportedFormats(cl, CL_MEM_OBJECT_IMAGE2D, CL_MEM_WRITE_ONLY)) {
    const FormatModel format{name};
    const std::vector<Element> colors = colorsNearBoundaries(format);
    const Extent row{colors.size(), 1, 1};
    Memory image = makeImage(cl, name, describeImage(CL_MEM_OBJECT_IMAGE2D, row));
    const std::string kernel = format.order() == CL_DEPTH ? "depth" : suffixOf(format);
    cl.run(cl.kernel(program, kernel), {colors.size()}, {}, cl.buffer(colors), image);
    INFO("format " << formatName(name));
    CHECK(differing(format, filled(cl, name, colors), readImage<uint8_t>(cl, image, row)) == 0);
  }
}

TEST_CASE("a fill converts a color of an sRGB image to the byte that is read as that color", "[images]") {
  Session cl;
  const FormatModel format{{CL_sRGBA, CL_UNORM_INT8}};
  std::vector<Element> colors(256);
  for (size_t i = 0; i < colors.size(); ++i)
    for (size_t k = 0; k < 4; ++k)
      colors[i].real[k] = float(format.value(uint32_t(i), k));
  const std::vector<uint8_t> got = filled(cl, format.format, colors, CL_MEM_READ_ONLY);
  size_t wrong = 0;
  for (size_t i = 0; i < got.size(); ++i)
    wrong += got[i] != i / 4;
  CHECK(wrong == 0);
}

TEST_CASE("queries of images in kernels", "[images]") {
  Session cl;
  Program program =
      cl.build("kernel void query(read_only image1d_array_t a, write_only image2d_array_t b, read_write image3d_t c,\n"
               "                  read_only image2d_t d, global int *out) {\n"
               "  out[0] = get_image_width(a); out[1] = get_image_array_size(a);\n"
               "  out[2] = get_image_width(b); out[3] = get_image_height(b); out[4] = get_image_array_size(b);\n"
               "  int4 dim = get_image_dim(c); out[5] = dim.x; out[6] = dim.y; out[7] = dim.z; out[8] = dim.w;\n"
               "  out[9] = get_image_depth(c);\n"
               "  int2 size = get_image_dim(d); out[10] = size.x; out[11] = size.y;\n"
               "  out[12] = get_image_channel_order(d) == CLK_BGRA;\n"
               "  out[13] = get_image_channel_data_type(d) == CLK_UNORM_INT8;\n"
               "}\n",
               "-cl-std=CL3.0");
  const cl_image_format plain{CL_RGBA, CL_FLOAT}, swapped{CL_BGRA, CL_UNORM_INT8};
  Memory a = makeImage(cl, plain, describeImage(CL_MEM_OBJECT_IMAGE1D_ARRAY, {17, 4, 1}));
  Memory b = makeImage(cl, plain, describeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, {18, 6, 5}));
  Memory c = makeImage(cl, plain, describeImage(CL_MEM_OBJECT_IMAGE3D, {19, 7, 8}));
  Memory d = makeImage(cl, swapped, describeImage(CL_MEM_OBJECT_IMAGE2D, {20, 9, 1}));
  Memory out = cl.bytes(14 * sizeof(int));
  cl.run(cl.kernel(program, "query"), {1}, {}, a, b, c, d, out);
  CHECK(cl.read<int>(out) == std::vector<int>{17, 4, 18, 6, 5, 19, 7, 8, 0, 8, 20, 9, 1, 1});
}

TEST_CASE("depth images hold one value", "[images]") {
  Session cl;
  Program program = cl.build("kernel void deepen(read_only image2d_depth_t in, write_only image2d_depth_t out,\n"
                             "                   write_only image2d_array_depth_t layers) {\n"
                             "  int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
                             "  write_imagef(out, c, read_imagef(in, c) * 0.5f);\n"
                             "  write_imagef(layers, (int4)(c, 1, 0), read_imagef(in, c));\n"
                             "}\n",
                             "-cl-std=CL3.0");
  const Extent extent{9, 4, 1}, two{9, 4, 2};
  std::vector<float> content(36), half(36), layers(72);
  for (size_t i = 0; i < 36; ++i) {
    content[i] = layers[36 + i] = float(i);
    half[i] = float(i) / 2;
  }
  const cl_image_format format{CL_DEPTH, CL_FLOAT};
  Memory in = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, content);
  Memory out = makeImage(cl, format, describeImage(CL_MEM_OBJECT_IMAGE2D, extent));
  Memory array = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D_ARRAY, two, std::vector<float>(72));
  cl.run(cl.kernel(program, "deepen"), {9, 4}, {}, in, out, array);
  CHECK(readImage<float>(cl, out, extent) == half);
  CHECK(readImage<float>(cl, array, two) == layers);
}

TEST_CASE("images in divergent code, helper functions and without optimization", "[images]") {
  Session cl;
  const std::string options = GENERATE("", "-cl-opt-disable", "-g");
  Program program = cl.build(
      "constant sampler_t kOutside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "uint4 fetch(read_only image2d_t in, sampler_t s, int x, int y) {\n"
      "  return read_imageui(in, s, (int2)(x, y));\n"
      "}\n"
      "kernel void weave(read_only image2d_t in, write_only image2d_t out) {\n"
      "  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  uint4 sum = (uint4)(0);\n"
      "  for (int i = 0; i < x % 3; ++i) sum += fetch(in, edge, x + i - 2, y);\n"
      "  if (x % 2) sum += fetch(in, kOutside, x + 1, y - 1);\n"
      "  if (x % 5 != 2) write_imageui(out, (int2)(x, y), sum);\n"
      "}\n",
      options);
  const Extent extent{35, 3, 1};
  std::vector<uint32_t> content(105), want(105);
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = uint32_t(i + 1);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 35; ++x) {
      uint32_t sum = 0;
      for (int i = 0; i < x % 3; ++i)
        sum += content[size_t(y * 35 + std::clamp(x + i - 2, 0, 34))];
      if (x % 2 && y > 0 && x + 1 < 35)
        sum += content[size_t((y - 1) * 35 + x + 1)];
      want[size_t(y * 35 + x)] = x % 5 != 2 ? sum : 0;
    }
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  Memory in = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, content);
  Memory out = makeImage(cl, format, CL_MEM_OBJECT_IMAGE2D, extent, std::vector<uint32_t>(105));
  cl.run(cl.kernel(program, "weave"), {35, 3}, {}, in, out);
  INFO(options);
  CHECK(readImage<uint32_t>(cl, out, extent) == want);
}
