// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// clGetPlatformIDs, clGetPlatformInfo and what the loader sees.
#include "support/session.hpp"

#include <catch2/catch.hpp>

using namespace lanecl::test;

namespace {

std::string text(cl_platform_info name) {
  size_t size = 0;
  check(clGetPlatformInfo(laneclPlatform(), name, 0, nullptr, &size), "clGetPlatformInfo");
  std::string value(size, '\0');
  check(clGetPlatformInfo(laneclPlatform(), name, size, value.data(), nullptr), "clGetPlatformInfo");
  return value.c_str();
}

} // namespace

TEST_CASE("the loader finds the platform and its identity", "[platform]") {
  CHECK(text(CL_PLATFORM_NAME) == "LaneCL");
  // The text contains no version of LaneCL, because programs take any "1.0" in it for OpenCL 1.0.
  CHECK(text(CL_PLATFORM_VERSION) == "OpenCL 3.1 LaneCL");
  CHECK(text(CL_PLATFORM_PROFILE) == "FULL_PROFILE");
  CHECK(text(CL_PLATFORM_EXTENSIONS).find("cl_khr_icd") != std::string::npos);
  CHECK(text(CL_PLATFORM_ICD_SUFFIX_KHR) == "LANECL");
}

TEST_CASE("the platform's numeric version is 3.1", "[platform]") {
  cl_version version = 0;
  REQUIRE(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, nullptr) ==
          CL_SUCCESS);
  CHECK(CL_VERSION_MAJOR(version) == 3);
  CHECK(CL_VERSION_MINOR(version) == 1);
}

TEST_CASE("platform queries refuse what the specification refuses", "[platform]") {
  char small[2];
  CHECK(clGetPlatformInfo(laneclPlatform(), CL_PLATFORM_NAME, sizeof small, small, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetPlatformInfo(laneclPlatform(), 0x1234, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("extension functions are found by name, unknown ones are not", "[platform]") {
  CHECK(clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clGetKernelSubGroupInfoKHR") != nullptr);
  CHECK(clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clIcdGetPlatformIDsKHR") != nullptr);
  CHECK(clGetExtensionFunctionAddressForPlatform(laneclPlatform(), "clNoSuchFunctionKHR") == nullptr);
}

// CTest runs this with an unknown LANECL_ variable and checks the warning on stderr.
TEST_CASE("the device works although a setting is unknown", "[.settings-probe]") {
  Session cl;
  CHECK_NOTHROW(cl.build("kernel void empty() {}"));
}
