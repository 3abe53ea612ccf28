// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Contexts.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

void CL_CALLBACK ignore(const char *, const void *, size_t, void *) {}

cl_int creationCode(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                    void *user_data = nullptr) {
  cl_int code = 1;
  Context context(clCreateContext(properties, count, devices, nullptr, user_data, &code));
  CHECK((context.get() != nullptr) == (code == CL_SUCCESS));
  return code;
}

cl_context_properties platformProperty() {
  return reinterpret_cast<cl_context_properties>(laneclPlatform());
}

} // namespace

TEST_CASE("a context reports its device and its properties", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platformProperty(), 0};
  cl_device_id device = laneclDevice();
  cl_int code = 1;
  Context context(clCreateContext(properties, 1, &device, ignore, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  cl_device_id found = nullptr;
  CHECK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof found, &found, nullptr) == CL_SUCCESS);
  CHECK(found == device);
  cl_context_properties read[3];
  size_t size = 0;
  CHECK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof read, read, &size) == CL_SUCCESS);
  CHECK(size == sizeof read);
  CHECK(read[1] == properties[1]);
  CHECK(clGetContextInfo(context, 0x1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("a context from a type", "[context]") {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, platformProperty(), 0};
  cl_int code = 1;
  Context context(clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code));
  CHECK(code == CL_SUCCESS);
  CHECK(clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_DEVICE_NOT_FOUND);
  CHECK(clCreateContextFromType(properties, 0, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE_TYPE);
}

TEST_CASE("contexts refuse what the specification refuses", "[context]") {
  cl_device_id device = laneclDevice();
  CHECK(creationCode(nullptr, 1, &device) == CL_SUCCESS);
  CHECK(creationCode(nullptr, 0, &device) == CL_INVALID_VALUE);
  CHECK(creationCode(nullptr, 1, &device, &device) == CL_INVALID_VALUE);
  const cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM, platformProperty(), 0x5555, 1, 0};
  CHECK(creationCode(unknown, 1, &device) == CL_INVALID_PROPERTY);
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platformProperty(), CL_CONTEXT_PLATFORM,
                                         platformProperty(), 0};
  CHECK(creationCode(twice, 1, &device) == CL_INVALID_PROPERTY);
  const cl_context_properties bad_value[] = {CL_CONTEXT_INTEROP_USER_SYNC, 5, 0};
  CHECK(creationCode(bad_value, 1, &device) == CL_INVALID_PROPERTY);
}

TEST_CASE("reference counts include only the application's references", "[context]") {
  Context context = makeContext();
  const auto count = [&] {
    cl_uint value = 0;
    check(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof value, &value, nullptr), "clGetContextInfo");
    return value;
  };
  CHECK(count() == 1);
  CommandQueue queue = makeQueue(context);
  CHECK(count() == 1); // the queue's reference is internal
  REQUIRE(clRetainContext(context) == CL_SUCCESS);
  CHECK(count() == 2);
  REQUIRE(clReleaseContext(context) == CL_SUCCESS);
  CHECK(count() == 1);
}

TEST_CASE("a context lives as long as its queue", "[context]") {
  CommandQueue queue = makeQueue(makeContext());
  cl_context context = nullptr;
  REQUIRE(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr) == CL_SUCCESS);
  cl_uint devices = 0;
  CHECK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, nullptr) == CL_SUCCESS);
  CHECK(devices == 1);
  CHECK(clReleaseContext(context) == CL_INVALID_CONTEXT); // the application has no references left
}

TEST_CASE("destructor callbacks run once, the one registered last first", "[context]") {
  static std::vector<int> order;
  order.clear();
  {
    Context context = makeContext();
    REQUIRE(clSetContextDestructorCallback(context, [](cl_context, void *) { order.push_back(1); }, nullptr) == 0);
    REQUIRE(clSetContextDestructorCallback(context, [](cl_context, void *) { order.push_back(2); }, nullptr) == 0);
    CHECK(clSetContextDestructorCallback(context, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(order.empty());
  }
  CHECK(order == std::vector<int>{2, 1});
}

TEST_CASE("a handle of another kind is not a context", "[context]") {
  Session cl;
  CHECK(clRetainContext(reinterpret_cast<cl_context>(cl.queue.get())) == CL_INVALID_CONTEXT);
}
