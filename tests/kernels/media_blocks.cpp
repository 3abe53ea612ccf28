// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Media block reads and writes, inside images and across every edge, at every width.
#include "support/images.hpp"
#include "support/spirv.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>

using namespace lanecl::test;

namespace {

struct ElementType {
  const char *type, *name; // in OpenCL C, and in the functions' names
  size_t bytes;
  unsigned most; // the largest number of components
};

const ElementType kTypes[] = {{"uchar", "_uc", 1, 16}, {"ushort", "_us", 2, 16}, {"uint", "_ui", 4, 8}};

struct Picture {
  cl_image_format format;
  size_t texel, width, height = 40;
  size_t rowBytes() const { return texel * width; }
};

const Picture kBytes{{CL_R, CL_UNORM_INT8}, 1, 76}, kPairs{{CL_RG, CL_UNORM_INT8}, 2, 38},
    kColors{{CL_RGBA, CL_UNORM_INT8}, 4, 19}, kYuyv{{CL_YUYV_INTEL, CL_UNORM_INT8}, 2, 38},
    kUyvy{{CL_UYVY_INTEL, CL_UNORM_INT8}, 2, 38}, kYvyu{{CL_YVYU_INTEL, CL_UNORM_INT8}, 2, 38},
    kVyuy{{CL_VYUY_INTEL, CL_UNORM_INT8}, 2, 38};

// Size of a region: bytes in a row, and rows.
struct Shape {
  size_t bytes, rows;
};

const Shape kShapes[] = {{4, 64}, {8, 32}, {8, 5}, {12, 7}, {16, 16}, {20, 8}, {24, 3}, {28, 5}, {32, 8}, {32, 1}};

std::vector<uint8_t> numbered(size_t bytes) {
  std::vector<uint8_t> content(bytes);
  for (size_t i = 0; i < bytes; ++i)
    content[i] = uint8_t(i * 7 + i / 256 * 3 + 1);
  return content;
}

// The position and the size are arguments, or constants of the program.
Program buildBlocks(const Session &cl, const ElementType &element, unsigned count, unsigned width,
                    const std::string &more = "-cl-std=CL3.0") {
  const std::string vector = count == 1 ? "" : std::to_string(count);
  return cl.build("#ifndef SIZE\n"
                  "#define SIZE columns, rows\n"
                  "#endif\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "void load(read_only image2d_t in, int2 at, int columns, int rows, global T *out) {\n"
                  "  union { TN v; T c[COUNT]; } block;\n"
                  "  block.v = READ(at, SIZE, in);\n"
                  "  for (int i = 0; i < COUNT; ++i) out[i * W + get_sub_group_local_id()] = block.c[i];\n"
                  "}\n"
                  "kernel __attribute__((intel_reqd_sub_group_size(W)))\n"
                  "void save(global const T *in, int2 at, int columns, int rows, write_only image2d_t out) {\n"
                  "  union { TN v; T c[COUNT]; } block;\n"
                  "  for (int i = 0; i < COUNT; ++i) block.c[i] = in[i * W + get_sub_group_local_id()];\n"
                  "  WRITE(at, SIZE, block.v, out);\n"
                  "}\n",
                  more + " -DT=" + element.type + " -DTN=" + element.type + vector +
                      " -DCOUNT=" + std::to_string(count) + " -DW=" + std::to_string(width) +
                      " -DREAD=intel_sub_group_media_block_read" + element.name + vector +
                      " -DWRITE=intel_sub_group_media_block_write" + element.name + vector);
}

// Returns the byte of the row that the specification's text defines for a byte of the region.
size_t edgeByte(long x, const Picture &picture) {
  const long bytes = long(picture.rowBytes()), texel = long(picture.texel);
  if (x >= 0 && x < bytes)
    return size_t(x);
  const bool left = x < 0;
  if (picture.format.image_channel_order < CL_YUYV_INTEL) {
    const long within = ((x % texel) + texel) % texel;
    return size_t(left ? within : bytes - texel + within);
  }
  // "For a boundary dword Y0U0Y1V0, to replicate the left boundary, we get Y0U0Y0V0, and to replicate the right
  // boundary, we get Y1U0Y1V0. For a boundary dword U0Y0V0Y1 … U0Y0V0Y0 … U0Y1V0Y1."
  const bool luma_first =
      picture.format.image_channel_order == CL_YUYV_INTEL || picture.format.image_channel_order == CL_YVYU_INTEL;
  const long of_left[2][4] = {{0, 1, 2, 1}, {0, 1, 0, 3}}, of_right[2][4] = {{0, 3, 2, 3}, {2, 1, 2, 3}};
  const long within = ((x % 4) + 4) % 4;
  return size_t(left ? of_left[luma_first][within] : bytes - 4 + of_right[luma_first][within]);
}

// Visits the bytes of a region in the order in which the lanes hold them. Each row starts at a multiple of a power of
// two.
template <class Visit>
void forEachByte(const Shape &shape, const ElementType &element, size_t lane_elements, const Visit &visit) {
  const size_t stride = std::bit_ceil(shape.bytes);
  for (size_t row = 0; row < shape.rows; ++row)
    for (size_t x = 0; x < shape.bytes; ++x)
      if (const size_t at = row * stride + x; at < lane_elements * element.bytes)
        visit(row, x, at);
}

const cl_int2 kPlaces[] = {{{0, 0}},   {{8, 3}},       {{-4, 2}},     {{-64, 2}},        {{4, -3}},         {{64, 1}},
                           {{72, 30}}, {{76, 4}},      {{120, 4}},    {{40, 39}},        {{4, 45}},         {{-8, -70}},
                           {{68, 36}}, {{-100000, 0}}, {{4, 100000}}, {{2147483644, 5}}, {{0, -2147483647}}};

void checkReads(const Session &cl, const Program &program, const Picture &picture, const ElementType &element,
                unsigned count, unsigned width, const Shape &shape) {
  const std::vector<uint8_t> content = numbered(picture.rowBytes() * picture.height);
  const Memory image = makeImage(cl, picture.format, CL_MEM_OBJECT_IMAGE2D, {picture.width, picture.height, 1}, content,
                                 CL_MEM_READ_ONLY);
  const Memory out = cl.bytes(count * width * element.bytes);
  for (const cl_int2 &at : kPlaces) {
    cl.run(cl.kernel(program, "load"), {width}, {width}, image, at, cl_int(shape.bytes / element.bytes),
           cl_int(shape.rows), out);
    const std::vector<uint8_t> got = cl.read<uint8_t>(out);
    size_t wrong = 0;
    forEachByte(shape, element, count * width, [&](size_t row, size_t x, size_t place) {
      const long y = std::clamp(long(at.s[1]) + long(row), 0l, long(picture.height) - 1);
      wrong += got[place] != content[size_t(y) * picture.rowBytes() + edgeByte(long(at.s[0]) + long(x), picture)];
    });
    INFO(element.type << count << " at " << at.s[0] << ", " << at.s[1] << ", " << shape.bytes << " bytes by "
                      << shape.rows << ", " << width << " lanes, order " << picture.format.image_channel_order);
    CHECK(wrong == 0);
  }
}

void checkWrites(const Session &cl, const Program &program, const Picture &picture, const ElementType &element,
                 unsigned count, unsigned width, const Shape &shape) {
  const std::vector<uint8_t> data = numbered(count * width * element.bytes);
  constexpr size_t kPitch = 128; // with room beside the rows, which must not change
  for (const cl_int2 &at : kPlaces) {
    std::vector<uint8_t> want(kPitch * (picture.height + 2), 0xa5);
    const Memory buffer = cl.buffer(want);
    cl_image_desc description = describeImage(CL_MEM_OBJECT_IMAGE2D, {picture.width, picture.height, 1});
    description.image_row_pitch = kPitch;
    description.mem_object = buffer;
    cl.run(cl.kernel(program, "save"), {width}, {width}, cl.buffer(data), at, cl_int(shape.bytes / element.bytes),
           cl_int(shape.rows), makeImage(cl, picture.format, description, 0));
    forEachByte(shape, element, count * width, [&](size_t row, size_t byte, size_t place) {
      const long x = long(at.s[0]) + long(byte), y = long(at.s[1]) + long(row);
      if (x >= 0 && x < long(picture.rowBytes()) && y >= 0 && y < long(picture.height))
        want[size_t(y) * kPitch + size_t(x)] = data[place];
    });
    INFO(element.type << count << " at " << at.s[0] << ", " << at.s[1] << ", " << shape.bytes << " bytes by "
                      << shape.rows << ", " << width << " lanes");
    CHECK(cl.read<uint8_t>(buffer) == want);
  }
}

// The kernels load and save as buildBlocks() makes them, for ushort4 in sub-groups of 16, with regions of 32 bytes and
// four rows.
const char *const kModule = R"(
               OpCapability Vector16
               OpCapability ImageBasic
               OpCapability ImageReadWrite
               OpCapability SubgroupDispatch
               OpCapability SubgroupImageMediaBlockIOINTEL
               OpExtension "SPV_INTEL_media_block_io"
               OpEntryPoint Kernel %load "load" %GlobalLinearId
               OpEntryPoint Kernel %save "save" %GlobalLinearId
               OpEntryPoint Kernel %move "move"
               OpExecutionMode %load SubgroupSize 16
               OpExecutionMode %save SubgroupSize 16
               OpExecutionMode %move SubgroupSize 16
 %image_read = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%image_write = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
 %image_both = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
  %load_type = OpTypeFunction %void %image_read %v2uint %_ptr_CrossWorkgroup_v4ushort
  %save_type = OpTypeFunction %void %_ptr_CrossWorkgroup_v4ushort %v2uint %image_write
  %move_type = OpTypeFunction %void %image_both %v2uint %v2uint
       %load = OpFunction %void None %load_type
         %in = OpFunctionParameter %image_read
         %at = OpFunctionParameter %v2uint
        %out = OpFunctionParameter %_ptr_CrossWorkgroup_v4ushort
      %entry = OpLabel
      %block = OpSubgroupImageMediaBlockReadINTEL %v4ushort %in %at %uint_16 %uint_4
         %id = OpLoad %ulong %GlobalLinearId Aligned 8
     %target = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4ushort %out %id
               OpStore %target %block Aligned 8
               OpReturn
               OpFunctionEnd
       %save = OpFunction %void None %save_type
       %from = OpFunctionParameter %_ptr_CrossWorkgroup_v4ushort
      %place = OpFunctionParameter %v2uint
         %to = OpFunctionParameter %image_write
 %save_entry = OpLabel
    %save_id = OpLoad %ulong %GlobalLinearId Aligned 8
     %source = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4ushort %from %save_id
       %data = OpLoad %v4ushort %source Aligned 8
               OpSubgroupImageMediaBlockWriteINTEL %to %place %uint_16 %uint_4 %data
               OpReturn
               OpFunctionEnd
       %move = OpFunction %void None %move_type
       %both = OpFunctionParameter %image_both
         %a  = OpFunctionParameter %v2uint
         %b  = OpFunctionParameter %v2uint
 %move_entry = OpLabel
      %moved = OpSubgroupImageMediaBlockReadINTEL %v16uint %both %a %uint_8 %uint_16
               OpSubgroupImageMediaBlockWriteINTEL %both %b %uint_8 %uint_16 %moved
               OpReturn
               OpFunctionEnd
)";

} // namespace

TEST_CASE("media blocks of every element and count", "[media_blocks]") {
  Session cl;
  for (const ElementType &element : kTypes)
    for (unsigned count : {1, 2, 4, 8, 16})
      if (count <= element.most) {
        const Program program = buildBlocks(cl, element, count, 16);
        for (const Shape &shape : kShapes) {
          checkReads(cl, program, kBytes, element, count, 16, shape);
          checkWrites(cl, program, kBytes, element, count, 16, shape);
        }
      }
}

TEST_CASE("media blocks at every width, with sizes that are constants", "[media_blocks]") {
  Session cl;
  const unsigned width = GENERATE(8, 16, 32);
  for (const ElementType &element : kTypes)
    for (const Shape &shape : {Shape{4, 16}, Shape{12, 7}, Shape{16, 4}, Shape{32, 8}}) {
      const std::string size = std::to_string(shape.bytes / element.bytes) + "," + std::to_string(shape.rows);
      const Program program = buildBlocks(cl, element, 4, width, "-cl-std=CL3.0 -DSIZE=" + size);
      checkReads(cl, program, kBytes, element, 4, width, shape);
      checkWrites(cl, program, kBytes, element, 4, width, shape);
    }
}

TEST_CASE("media blocks repeat the nearest texel", "[media_blocks]") {
  Session cl;
  const Shape shape{16, 8};
  const Program shorts = buildBlocks(cl, kTypes[1], 4, 16), words = buildBlocks(cl, kTypes[2], 4, 16);
  for (const Picture &picture : {kPairs, kYuyv, kUyvy, kYvyu, kVyuy}) {
    checkReads(cl, shorts, picture, kTypes[1], 4, 16, shape);
    checkReads(cl, words, picture, kTypes[2], 4, 16, shape);
  }
  checkReads(cl, words, kColors, kTypes[2], 4, 16, shape);
  checkWrites(cl, words, kColors, kTypes[2], 4, 16, shape);
}

TEST_CASE("media blocks in OpenCL C 1.2", "[media_blocks]") {
  Session cl;
  const Program program = buildBlocks(cl, kTypes[0], 8, 16, "-cl-std=CL1.2");
  checkReads(cl, program, kBytes, kTypes[0], 8, 16, {16, 8});
  checkWrites(cl, program, kBytes, kTypes[0], 8, 16, {16, 8});
}

TEST_CASE("media blocks of a plane of a planar YUV image", "[media_blocks]") {
  Session cl;
  std::vector<uint8_t> content = numbered(64 * 8 * 3 / 2);
  const Memory planar = makeImage(cl, {CL_NV12_INTEL, CL_UNORM_INT8}, describeImage(CL_MEM_OBJECT_IMAGE2D, {64, 8, 1}),
                                  CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_ACCESS_FLAGS_UNRESTRICTED_INTEL |
                                      CL_MEM_COPY_HOST_PTR,
                                  content.data());
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_depth = 1;
  description.mem_object = planar;
  const Memory chroma = makeImage(cl, {CL_RG, CL_UNORM_INT8}, description, CL_MEM_READ_ONLY);
  const Program program = buildBlocks(cl, kTypes[1], 2, 16);
  const Memory out = cl.bytes(64);
  cl.run(cl.kernel(program, "load"), {16}, {16}, chroma, cl_int2{{8, 1}}, 16, 2, out);
  const std::vector<uint8_t> got = cl.read<uint8_t>(out);
  for (size_t row = 0; row < 2; ++row)
    CHECK(std::equal(&got[32 * row], &got[32 * row] + 32, &content[(8 + 1 + row) * 64 + 8]));
}

TEST_CASE("SPIR-V has media blocks", "[media_blocks]") {
  Session cl;
  const Program program = buildIl(cl, createWithIl(cl, assemble(kModule)));
  const std::vector<uint8_t> content = numbered(76 * 40), data = numbered(128);
  const Memory image = makeImage(cl, kBytes.format, CL_MEM_OBJECT_IMAGE2D, {76, 40, 1}, content);
  const Memory out = cl.bytes(128);
  cl.run(cl.kernel(program, "load"), {16}, {16}, image, cl_int2{{8, 3}}, out);
  const std::vector<uint8_t> got = cl.read<uint8_t>(out);
  cl.run(cl.kernel(program, "save"), {16}, {16}, cl.buffer(data), cl_int2{{4, 1}}, image);
  // A row is what all lanes hold in one component. In the buffers, the components of a lane are next to each other.
  std::vector<uint8_t> want = content;
  size_t wrong = 0;
  for (size_t row = 0; row < 4; ++row)
    for (size_t lane = 0; lane < 16; ++lane)
      for (size_t byte = 0; byte < 2; ++byte) {
        const size_t in_buffer = 8 * lane + 2 * row + byte, in_row = 2 * lane + byte;
        wrong += got[in_buffer] != content[(3 + row) * 76 + 8 + in_row];
        want[(1 + row) * 76 + 4 + in_row] = data[in_buffer];
      }
  CHECK(wrong == 0);
  CHECK(readImage<uint8_t>(cl, image, {76, 40, 1}) == want);
  cl.run(cl.kernel(program, "move"), {16}, {16}, image, cl_int2{{0, 0}}, cl_int2{{40, 20}});
  for (size_t row = 0; row < 16; ++row)
    std::copy_n(&want[row * 76], 32, &want[(20 + row) * 76 + 40]);
  CHECK(readImage<uint8_t>(cl, image, {76, 40, 1}) == want);
}
