// Features that the device does not report answer with the specification's codes for a device without them.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

TEST_CASE("pipes are refused", "[pipe]") {
  Session cl;
  cl_int code = 1;
  CHECK(clCreatePipe(cl.context, 0, 4, 16, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(clCreatePipe(nullptr, 0, 4, 16, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(clGetPipeInfo(cl.bytes(64), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
}
