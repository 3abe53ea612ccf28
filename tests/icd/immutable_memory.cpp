// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_ext_immutable_memory_objects: memory that must not be written after its creation.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

constexpr cl_mem_flags kImmutable = 1 << 6; // the distribution's headers are older than the extension
constexpr cl_image_format kFormat{CL_RGBA, CL_UNSIGNED_INT8};
const size_t kOrigin[3] = {}, kRegion[3] = {4, 4, 1};

std::vector<cl_uint> content() {
  std::vector<cl_uint> values(16);
  for (cl_uint i = 0; i < 16; ++i)
    values[i] = i * 0x01020304u;
  return values;
}

Memory immutable(const Session &cl) {
  return cl.buffer(content(), kImmutable);
}

Memory image(const Session &cl, cl_mem_flags flags, cl_mem parent = nullptr, void *data = nullptr,
             cl_int *code_ret = nullptr) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  description.image_row_pitch = parent ? 16 : 0;
  description.mem_object = parent;
  cl_int code = 1;
  Memory made(clCreateImage(cl.context, flags, &kFormat, &description, data, &code));
  if (code_ret)
    *code_ret = code;
  else
    check(code, "clCreateImage");
  return made;
}

Memory immutableImage(const Session &cl) {
  std::vector<cl_uint> data = content();
  return image(cl, kImmutable | CL_MEM_COPY_HOST_PTR, nullptr, data.data());
}

cl_int creationCode(const Session &cl, cl_mem_flags flags) {
  std::vector<cl_uint> data = content();
  void *const host = (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0 ? data.data() : nullptr;
  cl_int code = 1, image_code = 1;
  const Memory buffer(clCreateBuffer(cl.context, flags, 64, host, &code));
  const Memory picture = image(cl, flags, nullptr, host, &image_code);
  CHECK(code == image_code);
  return code;
}

cl_int subBufferCode(const Memory &buffer, cl_mem_flags flags) {
  const cl_buffer_region region{0, 16};
  cl_int code = 1;
  const Memory part(clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  return code;
}

cl_mem_flags flagsOf(cl_mem memory) {
  cl_mem_flags flags = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "clGetMemObjectInfo");
  return flags;
}

cl_int mapCode(const Session &cl, cl_mem buffer, cl_map_flags flags) {
  cl_int code = 1;
  void *const place = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, flags, 0, 64, 0, nullptr, nullptr, &code);
  if (code == CL_SUCCESS)
    check(clEnqueueUnmapMemObject(cl.queue, buffer, place, 0, nullptr, nullptr), "unmap");
  return code;
}

} // namespace

TEST_CASE("immutable memory is read and copied", "[immutable_memory]") {
  const Session cl;
  const Memory buffer = immutable(cl), picture = immutableImage(cl), copy = cl.bytes(64);
  CHECK(cl.read<cl_uint>(buffer) == content());
  const Program program = cl.build(R"(
kernel void k(const global uint *in, read_only image2d_t image, global uint *out) {
  int i = get_global_id(0);
  uint4 c = read_imageui(image, (int2)(i % 4, i / 4));
  out[i] = in[i] == (c.x | c.y << 8 | c.z << 16 | c.w << 24) ? in[i] : 77;
})");
  cl.run(cl.kernel(program, "k"), {16}, {16}, buffer, picture, copy);
  CHECK(cl.read<cl_uint>(copy) == content());
  cl.write(copy, std::vector<cl_uint>(16));
  check(clEnqueueCopyBuffer(cl.queue, buffer, copy, 0, 0, 64, 0, nullptr, nullptr), "copy");
  CHECK(cl.read<cl_uint>(copy) == content());
  CHECK(mapCode(cl, buffer, CL_MAP_READ) == CL_SUCCESS);
  CHECK((flagsOf(buffer) & kImmutable) != 0);

  const cl_buffer_region region{0, 16};
  const Memory part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  CHECK((flagsOf(part) & kImmutable) != 0);
  CHECK(clEnqueueWriteBuffer(cl.queue, part, CL_TRUE, 0, 4, content().data(), 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

TEST_CASE("immutable memory is refused where the specification refuses it", "[immutable_memory]") {
  const Session cl;
  CHECK(creationCode(cl, kImmutable) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, kImmutable | CL_MEM_ALLOC_HOST_PTR) == CL_INVALID_VALUE);
  CHECK(creationCode(cl, kImmutable | CL_MEM_COPY_HOST_PTR) == CL_SUCCESS);
  CHECK(creationCode(cl, kImmutable | CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY) == CL_SUCCESS);
  for (const cl_mem_flags written : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    CHECK(creationCode(cl, kImmutable | CL_MEM_COPY_HOST_PTR | written) == CL_INVALID_VALUE);
  CHECK(clSVMAlloc(cl.context, kImmutable, 64, 0) == nullptr);
  cl_int code = 1;
  CHECK(clCreatePipe(cl.context, kImmutable, 4, 4, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);

  const Memory buffer = immutable(cl), plain = cl.bytes(64);
  for (const cl_mem_flags written : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    CHECK(subBufferCode(buffer, written) == CL_INVALID_VALUE);
  CHECK(subBufferCode(buffer, CL_MEM_READ_ONLY) == CL_SUCCESS);
  image(cl, 0, buffer, nullptr, &code); // an image in immutable memory must say so
  CHECK(code == CL_INVALID_VALUE);
  image(cl, kImmutable, buffer, nullptr, &code);
  CHECK(code == CL_SUCCESS);
  image(cl, kImmutable, plain, nullptr, &code);
  CHECK(code == CL_SUCCESS);

  cl_uint formats = 0, read_only = 0;
  check(clGetSupportedImageFormats(cl.context, kImmutable, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &formats), "formats");
  check(clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &read_only),
        "formats");
  CHECK(formats + 4 == read_only); // without the packed YUV formats
}

TEST_CASE("no command writes immutable memory", "[immutable_memory]") {
  const Session cl;
  const Memory buffer = immutable(cl), picture = immutableImage(cl), plain = cl.bytes(64),
               other = image(cl, CL_MEM_READ_WRITE);
  const cl_uint one = 1, color[4] = {};
  CHECK(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, 4, &one, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  const size_t bytes[3] = {16, 4, 1};
  CHECK(clEnqueueWriteBufferRect(cl.queue, buffer, CL_TRUE, kOrigin, kOrigin, bytes, 0, 0, 0, 0, content().data(), 0,
                                 nullptr, nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyBuffer(cl.queue, plain, buffer, 0, 0, 64, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyBufferRect(cl.queue, plain, buffer, kOrigin, kOrigin, bytes, 0, 0, 0, 0, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueFillBuffer(cl.queue, buffer, &one, 4, 0, 64, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  CHECK(mapCode(cl, buffer, CL_MAP_WRITE) == CL_INVALID_OPERATION);
  CHECK(mapCode(cl, buffer, CL_MAP_WRITE_INVALIDATE_REGION) == CL_INVALID_OPERATION);
  CHECK(clEnqueueWriteImage(cl.queue, picture, CL_TRUE, kOrigin, kRegion, 0, 0, content().data(), 0, nullptr,
                            nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyImage(cl.queue, other, picture, kOrigin, kOrigin, kRegion, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueFillImage(cl.queue, picture, color, kOrigin, kRegion, 0, nullptr, nullptr) == CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyImageToBuffer(cl.queue, other, buffer, kOrigin, kRegion, 0, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyBufferToImage(cl.queue, plain, picture, 0, kOrigin, kRegion, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueCopyImageToBuffer(cl.queue, picture, plain, kOrigin, kRegion, 0, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(cl.read<cl_uint>(plain) == content());

  const Program program =
      cl.build("kernel void k(write_only image2d_t out, global int *p, const global int *q, constant int *c) {\n"
               "  write_imageui(out, (int2)(0), (uint4)(*p + *q + *c));\n"
               "}\n");
  const Kernel kernel = cl.kernel(program, "k");
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), picture.address()) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), other.address()) == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), buffer.address()) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), plain.address()) == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), buffer.address()) == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), buffer.address()) == CL_SUCCESS);
  cl_int code = 1;
  CHECK(clEnqueueMapImage(cl.queue, picture, CL_TRUE, CL_MAP_WRITE, kOrigin, kRegion, nullptr, nullptr, 0, nullptr,
                          nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(cl.read<cl_uint>(buffer) == content());
}
