// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The places of findings that the processes of one `lanecl check` claim.
#include "check/findings/report_folder.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>

using lanecl::icd::ReportFolder;

namespace {

// A folder that is deleted at the end of the scope.
class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lanecl-report-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::filesystem::path path;
};

// What libstdc++ hashes a string with, 8 bytes at a time: hash = (hash ^ mix(bytes)) * kFactor. Both steps can be
// undone.
constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;

constexpr uint64_t inverse(uint64_t odd) {
  uint64_t result = odd;
  for (int i = 0; i < 5; ++i) // each step doubles the number of right bits, of which there are three at first
    result *= 2 - odd * result;
  return result;
}
constexpr uint64_t fold(uint64_t value) {
  return value ^ value >> 47;
}
constexpr uint64_t mix(uint64_t bytes) {
  return fold(bytes * kFactor) * kFactor;
}
constexpr uint64_t unmix(uint64_t mixed) {
  return fold(mixed * inverse(kFactor)) * inverse(kFactor);
}

// Returns another string of 16 bytes with the same hash.
std::string collidingWith(const std::string &text) {
  uint64_t words[2];
  REQUIRE(text.size() == sizeof words);
  std::memcpy(words, text.data(), sizeof words);
  const uint64_t start = 0xc70f6907 ^ (sizeof words * kFactor);
  const uint64_t before = (start ^ mix(words[0])) * kFactor, now = (start ^ mix(words[0] + 1)) * kFactor;
  ++words[0];
  words[1] = unmix(mix(words[1]) ^ before ^ now);
  return {reinterpret_cast<const char *>(words), sizeof words};
}

} // namespace

TEST_CASE("a place is claimed once, by whichever process comes first", "[report_folder]") {
  const Folder folder;
  ReportFolder one(folder.path), other(folder.path);
  CHECK(one.claim("data-race\nk\nk.cl\n3:7") == 1);
  CHECK(other.claim("data-race\nk\nk.cl\n3:7") == 0);
  CHECK(other.claim("data-race\nk\nk.cl\n4:7") == 2);
  CHECK(one.claim("data-race\nk\nk.cl\n4:7") == 0);
  CHECK(one.claim("") == 3);
}

TEST_CASE("places of equal hashes are told apart", "[report_folder]") {
  const std::string place = "kernel k.cl 12:5", same_hash = collidingWith(place);
  REQUIRE(same_hash != place);
  REQUIRE(std::hash<std::string>()(same_hash) == std::hash<std::string>()(place));
  const Folder folder;
  ReportFolder one(folder.path), other(folder.path);
  CHECK(one.claim(place) == 1);
  CHECK(other.claim(same_hash) == 2);
  CHECK(one.claim(same_hash) == 0);
  CHECK(other.claim(place) == 0);
}
