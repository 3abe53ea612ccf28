// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The SPIR-V translator is a program of its own: which one is used, and that it never outlives the build.
#include "support.hpp"

#include "cache/build_id.h"
#include "opencl_c/child_process.h"
#include "spirv/translator/translator.h"
#include "spirv/translator/translator_identity.h"

#include <chrono>
#include <csignal>
#include <thread>

using namespace test;
using namespace std::chrono_literals;
using spirv::translate;
using spirv::translatorIdentity;

namespace {

// Writes an executable shell script, which stands in for the translator.
fs::path script(const TemporaryDirectory &directory, const std::string &name, const std::string &commands) {
  const fs::path path = directory.write(name, "#!/bin/sh\n" + commands + "\n");
  fs::permissions(path, fs::perms(0755));
  return path;
}

// Waits for up to two seconds and returns whether the process has ended.
bool isGone(pid_t process) {
  for (int tries = 0; tries < 200; ++tries, std::this_thread::sleep_for(10ms)) {
    std::ifstream state("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, letter;
    if (!(state >> number >> name >> letter) || letter == "Z")
      return true;
  }
  return false;
}

} // namespace

TEST_CASE("A translator that does not end is ended, with what it has started", "[translator]") {
  TemporaryDirectory directory;
  const fs::path pid = directory.path() / "pid";
  const fs::path hangs = script(directory, "hangs", "sleep 1000 & echo $! >" + pid.string() + "; wait");
  std::string bitcode, error;
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(translate(hangs.string(), "module", bitcode, error, 1000ms));
  CHECK(std::chrono::steady_clock::now() - begin < 30s);
  CHECK(contains(error, "'" + hangs.string() + "' failed: it was stopped after 1 seconds"));
  CHECK(contains(error, "LANECL_SPIRV_TRANSLATOR"));
  pid_t started = 0;
  REQUIRE(std::ifstream(pid) >> started);
  CHECK(isGone(started));
}

TEST_CASE("Why there is no translation is said", "[translator]") {
  TemporaryDirectory directory;
  std::string bitcode, error;
  CHECK_FALSE(translate(script(directory, "fails", "echo no good >&2; exit 3").string(), "module", bitcode, error));
  CHECK(contains(error, "it failed: no good; it must be llvm-spirv of LLVM 15"));
  CHECK(contains(error, "LANECL_SPIRV_TRANSLATOR can name another one\n"));
  CHECK_FALSE(translate(script(directory, "is-killed", "kill -9 $$").string(), "module", bitcode, error));
  CHECK(contains(error, "it crashed with signal 9"));
  CHECK_FALSE(translate(script(directory, "silent", "cat >/dev/null").string(), "module", bitcode, error));
  CHECK(contains(error, "it wrote no LLVM bitcode"));
  CHECK_FALSE(translate("/nowhere/llvm-spirv", "module", bitcode, error));
  CHECK(contains(error, "it cannot be run: No such file"));
}

TEST_CASE("A translator has a limit of memory", "[translator]") {
  TemporaryDirectory directory;
  const ChildResult result =
      runChild(script(directory, "tells", "sleep 0.3; ulimit -v; ulimit -c").string(), {}, "", 10000ms);
  CHECK(result.output == std::to_string(kChildMemory / 1024) + "\n0\n");
}

TEST_CASE("A translator is a path, and never searched", "[translator]") {
  TemporaryDirectory directory;
  script(directory, "llvm-spirv-x", "printf 'BC\\300\\336'");
  const std::string before = std::getenv("PATH");
  setenv("PATH", (directory.path().string() + ":" + before).c_str(), 1);
  std::string bitcode, error;
  CHECK_FALSE(translate("llvm-spirv-x", "module", bitcode, error));
  CHECK(contains(error, "it cannot be run"));
  CHECK(translate((directory.path() / "llvm-spirv-x").string(), "module", bitcode, error));
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("Another translator is another key", "[translator]") {
  TemporaryDirectory directory, kept;
  DiskCache cache({.directory = kept.path().string()});
  const fs::path one = script(directory, "one", "exit 0"), same = script(directory, "same", "exit 0");
  const std::string identity = translatorIdentity(one.string(), cache);
  CHECK_FALSE(identity.empty());
  CHECK(translatorIdentity(same.string(), cache) == identity);
  script(directory, "one", "exit 1");
  CHECK(translatorIdentity(one.string(), cache) != identity);
  fs::remove(one);
  CHECK(translatorIdentity(one.string(), cache).empty());
}

// The program LANECL_TEST_TRANSLATOR loads libpart.so from its own folder. There are two builds of that library.
TEST_CASE("A translator with another library is another key", "[translator]") {
  TemporaryDirectory directory, kept;
  const fs::path program = directory.path() / "translator", library = directory.path() / "libpart.so";
  fs::copy_file(LANECL_TEST_TRANSLATOR, program);
  const auto identityWith = [&](const char *part, const fs::path &folder) {
    fs::remove(library);
    fs::copy_file(part, library);
    DiskCache cache({.directory = folder.string()});
    return translatorIdentity(program.string(), cache);
  };
  const std::string first = identityWith(LANECL_TEST_PART_ONE, kept.path());
  const std::string second = identityWith(LANECL_TEST_PART_TWO, kept.path());
  CHECK_FALSE(first.empty());
  CHECK_FALSE(second.empty());
  CHECK(first != second);
  CHECK(identityWith(LANECL_TEST_PART_ONE, kept.path()) == first);
  CHECK(identityWith(LANECL_TEST_PART_ONE, {}) == first); // also when there is no folder to keep anything in
  fs::remove(library);
  DiskCache cache({.directory = kept.path().string()}), empty({});
  CHECK(translatorIdentity(program.string(), cache).empty());
  CHECK(translatorIdentity(program.string(), empty).empty()); // the loader does not find the library
}

TEST_CASE("What another translator made is not taken from the cache", "[translator]") {
  TemporaryDirectory directory, kept;
  LanguageTraits with_cache = traits();
  with_cache.cache = std::make_shared<DiskCache>(DiskCache::Settings{.directory = kept.path().string()});
  with_cache.spirv_translator = (directory.path() / "translator").string();
  Frontend frontend(with_cache);
  const uint32_t words[] = {0x07230203, 0x00010000, 0, 1, 0}; // an empty module
  const std::string module(reinterpret_cast<const char *>(words), sizeof words);
  const auto kernelBy = [&](const std::string &name) {
    const fs::path made = directory.path() / (name + ".bc");
    if (!fs::exists(made))
      directory.write(name + ".bc", *frontend.compile("kernel void " + name + "(void) {}", "", {}).module.bitcode);
    script(directory, "translator", "echo >>" + directory.path().string() + "/calls; cat " + made.string());
    const CompileOutput output = frontend.buildSpirv(module, "", {});
    INFO(output.log);
    REQUIRE(output.status == Status::Success);
    return output.module.info->kernels.at(0).name;
  };
  for (const char *name : {"one", "two", "one"})
    CHECK(kernelBy(name) == name);
  CHECK(fs::file_size(directory.path() / "calls") == 2); // the last result came from the cache
}
