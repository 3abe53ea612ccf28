// Features that the device does not report answer with the specification's codes for a device without them.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

TEST_CASE("images are refused", "[unfinished]") {
  Session cl;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 16;
  cl_int code = 1;
  CHECK(clCreateImage(cl.context, 0, &format, &description, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(clCreateImage(nullptr, 0, &format, &description, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  cl_uint count = 5;
  CHECK(clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 0);
  CHECK(clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count) == CL_INVALID_VALUE);
}

TEST_CASE("a buffer is no image", "[unfinished]") {
  Session cl;
  Memory memory = cl.bytes(1024);
  const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  char host[16];
  CHECK(clEnqueueReadImage(cl.queue, memory, CL_TRUE, origin, region, 0, 0, host, 0, nullptr, nullptr) ==
        CL_INVALID_MEM_OBJECT);
  CHECK(clGetImageInfo(memory, CL_IMAGE_WIDTH, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}

TEST_CASE("samplers and pipes are refused", "[unfinished]") {
  Session cl;
  cl_int code = 1;
  CHECK(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(clCreatePipe(cl.context, 0, 4, 16, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
}
