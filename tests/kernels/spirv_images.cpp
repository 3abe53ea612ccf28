// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images in SPIR-V that compilers write: Clang's SPIR-V target and llvm-spirv, with and without optimization. Neither
// distinguishes signed integers from unsigned ones; below SPIR-V 1.4 this is not possible. spirv_modules.py makes the
// modules.
#include "image_values.hpp"
#include "support/selection.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

struct Shape {
  const char *name;
  cl_mem_object_type type;
  Extent extent;
};

constexpr Shape kShapes[] = {{"2d", CL_MEM_OBJECT_IMAGE2D, {21, 5, 1}},
                             {"1d", CL_MEM_OBJECT_IMAGE1D, {45, 1, 1}},
                             {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, {45, 1, 1}},
                             {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, {21, 5, 1}},
                             {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, {21, 3, 3}},
                             {"3d", CL_MEM_OBJECT_IMAGE3D, {21, 3, 3}}};

SpirvModule moduleOf(const std::string &name) {
  const std::string bytes = textOfFile(LANECL_SPIRV_IMAGES "/" + name + ".spv");
  SpirvModule words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

// An image of one format, and the kernels of a module that read and write it.
class Accesses {
public:
  Accesses(const Session &cl_, const Program &program_, const Shape &shape_, const cl_image_format &format_)
      : cl(cl_), program(program_), shape(shape_), format{format_},
        elements(shape.extent[0] * shape.extent[1] * shape.extent[2]), content(randomContent(format, elements)),
        colors(randomColors(format, elements)) {}

  // Reads without a sampler and with one.
  void read() const {
    Memory image = make(content), out = cl.bytes(3 * elements * colorBytes());
    const Sampler sampler = makeSampler(cl, false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
    cl.run(kernel("read"), global(), {}, image, sampler, out);
    checkRead(cl.read<uint8_t>(out), 3);
  }

  void write() const {
    Memory image = make(content);
    cl.run(kernel("write"), global(), {}, image, givenColors());
    checkWritten(image);
  }

  // Reads the old content and writes.
  void update() const {
    Memory image = make(content), values = givenColors();
    cl.run(kernel("update"), global(), {}, image, values);
    checkRead(cl.read<uint8_t>(values), 1);
    checkWritten(image);
  }

private:
  bool isDepth() const { return format.order() == CL_DEPTH; }
  size_t colorBytes() const { return isDepth() ? sizeof(float) : sizeof(Element); }
  std::vector<size_t> global() const { return {shape.extent.begin(), shape.extent.end()}; }
  Kernel kernel(const std::string &access) const {
    return cl.kernel(program, access + "_" + suffixOf(format) + "_" + shape.name + (isDepth() ? "_depth" : ""));
  }

  Memory make(const std::vector<uint8_t> &bytes) const {
    if (shape.type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
      return makeImage(cl, format.format, shape.type, shape.extent, bytes, flags());
    cl_image_desc description = describeImage(shape.type, shape.extent);
    Memory buffer = cl.buffer(bytes);
    description.mem_object = buffer;
    return makeImage(cl, format.format, description, flags());
  }
  cl_mem_flags flags() const { return format.isSrgb() ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE; }

  Memory givenColors() const {
    std::vector<uint8_t> bytes(elements * colorBytes());
    for (size_t i = 0; i < elements; ++i)
      std::memcpy(&bytes[i * colorBytes()], &colors[i], colorBytes());
    return cl.buffer(bytes);
  }

  void checkRead(const std::vector<uint8_t> &got, size_t times) const {
    size_t wrong = 0;
    for (size_t i = 0; i < elements * times; ++i) {
      Element element{};
      std::memcpy(&element, &got[i * colorBytes()], colorBytes());
      const Color want = format.decode(&content[i / times * format.elementBytes()]);
      for (size_t k = 0; k < colorBytes() / sizeof(float); ++k)
        wrong += !isRead(format, component(format, element, k), want[k]);
    }
    INFO(shape.name << ", format " << formatName(format.format) << ", read " << times << " times");
    CHECK(wrong == 0);
  }

  void checkWritten(const Memory &image) const {
    const auto got = readImage<uint8_t>(cl, image, shape.extent);
    size_t wrong = 0;
    for (size_t i = 0; i < elements; ++i) {
      const auto bits = format.channels(&got[i * format.elementBytes()]);
      for (size_t k = 0; k < bits.size(); ++k)
        wrong += !isWritten(format, bits[k], k, component(format, colors[i], format.components()[k]));
    }
    INFO(shape.name << ", format " << formatName(format.format) << ", written");
    CHECK(wrong == 0);
  }

  const Session &cl;
  const Program &program;
  const Shape &shape;
  const FormatModel format;
  const size_t elements;
  const std::vector<uint8_t> content;
  const std::vector<Element> colors;
};

// Returns all formats whose elements share nothing with their neighbors, for images of two dimensions.
std::vector<cl_image_format> formatsOf(const Session &cl, const Shape &shape) {
  if (shape.type != CL_MEM_OBJECT_IMAGE2D) {
    const cl_channel_order order = shape.type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? CL_DEPTH : CL_A;
    return {{CL_RGBA, CL_UNSIGNED_INT8}, {CL_RG, CL_UNSIGNED_INT16}, {CL_R, CL_SIGNED_INT16}, {order, CL_UNORM_INT16}};
  }
  std::vector<cl_image_format> all = supportedFormats(cl, shape.type, CL_MEM_READ_ONLY);
  std::erase_if(all, [](const cl_image_format &format) { return format.image_channel_order >= CL_YUYV_INTEL; });
  return all;
}

} // namespace

TEST_CASE("SPIR-V from compilers reads and writes images of every format", "[spirv_images]") {
  Session cl;
  const std::string compiler = GENERATE("clang", "translator-1.1", "translator-1.4");
  const std::string level = GENERATE("-O0", "-O2");
  if (isSecondIsa() && !runsEverything() && (level == "-O2") == (compiler == "clang"))
    return;
  if (isRepeated() && !runsEverything() && level == "-O2")
    return;
  const Program program = buildIl(cl, createWithIl(cl, moduleOf(compiler + level)));
  INFO(compiler << level);
  // Each format meets one of the six modules, and with the other instruction set one of the other level.
  size_t number = (compiler == "clang" ? 0 : compiler == "translator-1.1" ? 1 : 2) + (level == "-O0" ? 0 : 3);
  number += 3 * firstTurn();
  for (const Shape &shape : kShapes)
    for (const cl_image_format &name : formatsOf(cl, shape)) {
      if (!isInTurn(number++, 6))
        continue;
      const Accesses accesses(cl, program, shape, name);
      accesses.read();
      if (FormatModel{name}.isSrgb())
        continue; // sRGB is only read
      accesses.write();
      accesses.update();
    }
}
