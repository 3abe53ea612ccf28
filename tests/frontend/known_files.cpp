// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The cache remembers the hashes of files, and notices when a file has changed.
#include "support.hpp"

#include "frontend/file_hash.h"
#include "vectorizer/content_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

using namespace test;

namespace {

size_t entriesIn(const fs::path &folder) {
  size_t count = 0;
  if (fs::exists(folder / "entries"))
    for (const auto &entry : fs::recursive_directory_iterator(folder / "entries"))
      count += entry.is_regular_file();
  return count;
}

// Sets the times of a file that a program can set to those of `other`.
void copyTimes(const fs::path &path, const struct stat &other) {
  const timespec times[2] = {other.st_atim, other.st_mtim};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

} // namespace

TEST_CASE("A file's hash is that of its contents, with and without a cache", "[known_files]") {
  TemporaryDirectory directory;
  DiskCache cache({.directory = (directory.path() / "cache").string()});
  const std::string path = directory.write("file", "contents").string();
  CHECK(hashOfFile(path, nullptr) == lanecl::hashOf("contents"));
  CHECK(hashOfFile(path, &cache) == lanecl::hashOf("contents"));
  CHECK(hashOfFile(path + "x", &cache) == "");
}

TEST_CASE("A file that was just written is not remembered", "[known_files]") {
  TemporaryDirectory directory;
  DiskCache cache({.directory = (directory.path() / "cache").string()});
  for (const char *contents : {"one", "two", "six", "six", "one"}) { // all contents have the same size
    const std::string path = directory.write("file", contents).string();
    CHECK(hashOfFile(path, &cache) == lanecl::hashOf(contents));
    CHECK(entriesIn(directory.path() / "cache") == 0);
  }
}

TEST_CASE("A file that has settled is remembered until it changes", "[known_files]") {
  TemporaryDirectory directory;
  DiskCache cache({.directory = (directory.path() / "cache").string()});
  const std::string path = directory.write("file", "one").string();
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(4100));
  for (int round = 0; round < 2; ++round) {
    CHECK(hashOfFile(path, &cache) == lanecl::hashOf("one"));
    CHECK(entriesIn(directory.path() / "cache") == 1);
  }
  const std::string together = hashOfFiles({path, path + "x"}, &cache);
  CHECK(entriesIn(directory.path() / "cache") == 2);
  CHECK(hashOfFiles({path, path + "x"}, &cache) == together);
  CHECK(hashOfFiles({path, path + "x"}, nullptr) == together);

  SECTION("in place, with the size and time that it had") {
    directory.write("file", "two");
    copyTimes(path, status);
    CHECK(hashOfFile(path, &cache) == lanecl::hashOf("two"));
    CHECK(hashOfFiles({path, path + "x"}, &cache) != together);
  }
  SECTION("by another file that takes its name") {
    copyTimes(directory.write("other", "two"), status);
    fs::rename(directory.path() / "other", path);
    CHECK(hashOfFile(path, &cache) == lanecl::hashOf("two"));
  }
  SECTION("by one that was missing") {
    directory.write("filex", "");
    CHECK(hashOfFiles({path, path + "x"}, &cache) != together);
  }
  SECTION("because it is removed") {
    fs::remove(path);
    CHECK(hashOfFile(path, &cache) == "");
    CHECK(hashOfFiles({path, path + "x"}, &cache) != together);
  }
}

TEST_CASE("The order of files and which of them is missing is part of their hash", "[known_files]") {
  TemporaryDirectory directory;
  const std::string one = directory.write("one", "1").string(), two = directory.write("two", "").string();
  const std::string none = (directory.path() / "none").string();
  CHECK(hashOfFiles({one, two}, nullptr) != hashOfFiles({two, one}, nullptr));
  CHECK(hashOfFiles({one, two}, nullptr) != hashOfFiles({one, none}, nullptr));
}
