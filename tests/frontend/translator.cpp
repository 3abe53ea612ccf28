// The translator of SPIR-V as a program: that it is found, and that it ends.
#include "support.hpp"

#include "spirv/translator.h"

#include <chrono>
#include <csignal>
#include <thread>

using namespace test;
using namespace std::chrono_literals;
using spirv::translate;

namespace {

fs::path script(const TemporaryDirectory &directory, const std::string &name, const std::string &commands) {
  const fs::path path = directory.write(name, "#!/bin/sh\n" + commands + "\n");
  fs::permissions(path, fs::perms(0755));
  return path;
}

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
  CHECK(contains(error, "'" + hangs.string() + "' gave no result: it was ended after 1 seconds"));
  CHECK(contains(error, "LANECL_SPIRV_TRANSLATOR"));
  pid_t started = 0;
  REQUIRE(std::ifstream(pid) >> started);
  CHECK(isGone(started));
}

TEST_CASE("Why there is no translation is said", "[translator]") {
  TemporaryDirectory directory;
  std::string bitcode, error;
  CHECK_FALSE(translate(script(directory, "fails", "echo no good >&2; exit 3").string(), "module", bitcode, error));
  CHECK(contains(error, "it failed: no good\n"));
  CHECK_FALSE(translate(script(directory, "dies", "kill -9 $$").string(), "module", bitcode, error));
  CHECK(contains(error, "it crashed, with signal 9"));
  CHECK_FALSE(translate(script(directory, "silent", "cat >/dev/null").string(), "module", bitcode, error));
  CHECK(contains(error, "it wrote no bitcode"));
  CHECK_FALSE(translate("/nowhere/llvm-spirv", "module", bitcode, error));
  CHECK(contains(error, "it cannot be run: No such file"));
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
