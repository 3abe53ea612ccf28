// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The module with Clang is loaded by the first compilation, and must then be the one that was identified before.
#include "support.hpp"

#include "cache/build_id.h"
#include "frontend/compiler_identity.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <link.h>

using namespace test;

namespace {

constexpr const char *kProgram = "kernel void k(global int *p) { *p = 1; }";

// Returns whether this process has loaded the module with Clang.
bool clangIsLoaded() {
  bool found = false;
  dl_iterate_phdr(
      [](dl_phdr_info *file, size_t, void *found) {
        *static_cast<bool *>(found) |= contains(file->dlpi_name, "libclang-cpp");
        return 0;
      },
      &found);
  return found;
}

CompileOutput compileWith(const fs::path &module) {
  LanguageTraits with_module = traits();
  with_module.clang_module = module.string();
  return Frontend(with_module).compile(kProgram, "", {});
}

// Writes a copy of the module that differs in its build id only.
void writeAnotherBuild(const fs::path &path) {
  const std::string id = buildIdOfFile(LANECL_TEST_CLANG_MODULE);
  REQUIRE(id != "");
  std::ifstream original(LANECL_TEST_CLANG_MODULE, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(original), {});
  const size_t place = bytes.find(llvm::fromHex(id));
  REQUIRE(place != std::string::npos);
  bytes[place] = char(~bytes[place]);
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  REQUIRE(buildIdOfFile(path) != id);
}

int loaded_calls = 0;

} // namespace

// This test is hidden, because it has to be the first in its process.
TEST_CASE("Clang is identified without being loaded, and loaded by the first compilation", "[.clang_module]") {
  REQUIRE_FALSE(clangIsLoaded());
  LanguageTraits device_traits = traits();
  device_traits.clang_loaded = [] { ++loaded_calls; };
  Frontend frontend(device_traits);
  const std::string identity = clangIdentity(device_traits.clang_module);
  CHECK(contains(identity, buildIdOfFile(LANECL_TEST_CLANG_MODULE)));
  CHECK_FALSE(frontend.build(kProgram, "-no-such-option").status == Status::Success);
  CHECK_FALSE(clangIsLoaded());
  CHECK(loaded_calls == 0);

  CHECK(frontend.build(kProgram, "").log == "");
  CHECK(clangIsLoaded());
  CHECK(clangIdentity(device_traits.clang_module) == identity);
  CHECK(frontend.build(kProgram, "-DX").log == "");
  CHECK(loaded_calls == 1);
}

TEST_CASE("a compilation without Clang says what is missing", "[clang_module]") {
  const CompileOutput output = compileWith("/nowhere/lanecl-clang.so");
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "error: Clang cannot be loaded: /nowhere/lanecl-clang.so"));
  CHECK(contains(output.log, "reinstall LaneCL"));
}

TEST_CASE("a module that is none, or of another build, is refused", "[clang_module]") {
  CHECK(contains(compileWith(LANECL_TEST_PART_ONE).log, "error: Clang cannot be loaded"));
  const CompileOutput output = compileWith(LANECL_TEST_OTHER_CLANG_MODULE);
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "belongs to another version of LaneCL; reinstall LaneCL"));
}

TEST_CASE("a module that was replaced after it was identified is refused", "[clang_module]") {
  const TemporaryDirectory directory;
  const fs::path module = directory.path() / "lanecl-clang.so";
  fs::copy(LANECL_TEST_CLANG_MODULE, module);
  const std::string identity = clangIdentity(module.string());
  REQUIRE(identity == clangIdentity(LANECL_TEST_CLANG_MODULE));

  writeAnotherBuild(module);
  const CompileOutput output = compileWith(module);
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "updated while this program was running; start it again"));

  // A module that has another build id from the start is another compiler, not an updated one.
  const fs::path other = directory.path() / "other.so";
  writeAnotherBuild(other);
  CHECK(clangIdentity(other.string()) != identity);
  CHECK(compileWith(other).status == Status::Success);
}
