// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Identifiers of the device and the driver, which are UUIDs of version 5.
#include "device/uuid.h"

#include <catch2/catch.hpp>

#include <string>

using namespace lanecl::icd;

namespace {

// Returns the identifier in hexadecimal, without hyphens.
std::string text(const Uuid &uuid) {
  std::string result;
  for (uint8_t byte : uuid)
    for (int digit : {byte >> 4, byte & 15})
      result += "0123456789abcdef"[digit];
  return result;
}

// The standard's namespace for host names.
constexpr Uuid kHosts{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};

} // namespace

TEST_CASE("identifiers from names follow the standard") {
  CHECK(text(uuidOf(kHosts, "www.example.com")) == "2ed6657de927568b95e12665a8aea6a2"); // RFC 9562, A.4
  CHECK(text(uuidOf(kHosts, "python.org")) == "886313e13b8a53729b900c9aee199e5d");
}

TEST_CASE("all characters of long names count") {
  const auto of = [](size_t length) { return text(uuidOf(kHosts, std::string(length, 'x'))); };
  // Lengths near the ends of blocks. The values are those of Python's uuid.uuid5.
  CHECK(of(39) == "2f80c0d11c62579f8d68e61ad5592c9b");
  CHECK(of(40) == "e56fd57a76335e1d8f8070e05ac413e5");
  CHECK(of(47) == "a112377b82585ef7b5b0d2540bc03abb");
  CHECK(of(48) == "83993b6cdea955cabe5b9989c85943fc");
  CHECK(of(111) == "1a48738adc985032bf56974c361d949d");
  CHECK(of(112) == "0243b19e8bd45b5795a21fcacc3142a0");
}

TEST_CASE("device and driver have different identifiers") {
  CHECK(deviceUuid() != driverUuid());
  CHECK(deviceUuid() == deviceUuid());
}
