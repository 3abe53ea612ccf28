// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The precompiled headers that are made when LaneCL is built serve the first compile of a process.
#include "support.hpp"

#include "opencl_c/precompiled_header.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace test;

namespace {

// A copy of the resource folder, which a test may change and move.
class Resources {
public:
  Resources() {
    const fs::path built = fs::path(LANECL_TEST_BUILTINS).parent_path();
    fs::create_directory(folder());
    for (const char *name : {"opencl-c.h", "opencl-c-base.h", "lanecl-c.h"})
      fs::copy(built / name, folder());
  }
  fs::path folder() const { return directory.path() / name; }
  void moveTo(const std::string &other) {
    fs::rename(folder(), directory.path() / other);
    name = other;
  }
  LanguageTraits traits() const {
    LanguageTraits with_resources = test::traits();
    with_resources.resource_directory = folder().string();
    return with_resources;
  }
  // Returns whether a precompiled header is there before the first compile. Since there is no cache, it can only be one
  // from LaneCL's build.
  bool isReady(Language language = Language::CL12) const {
    const LanguageTraits with_resources = traits();
    return LanguagePrefix(with_resources, language).precompiled() != nullptr;
  }
  void precompile() const {
    std::string error;
    Frontend(traits()).precompile(error);
    REQUIRE(error == "");
  }

private:
  TemporaryDirectory directory;
  std::string name = "resources";
};

std::string contentsOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the IR as text without debug information, because that contains the paths of headers.
std::string irOf(const Module &module) {
  llvm::LLVMContext context;
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*module.bitcode, "program"), context);
  REQUIRE(bool(parsed));
  llvm::StripDebugInfo(**parsed);
  std::string text;
  llvm::raw_string_ostream out(text);
  (*parsed)->print(out, nullptr);
  return text;
}

} // namespace

TEST_CASE("A header that is ready serves the first program, wherever its folder lies", "[ready_header]") {
  Resources resources;
  CHECK_FALSE(resources.isReady());
  const std::string right = "kernel void k(global float *p) { *p = sin(*p); }";
  const std::string wrong = "kernel void k(global float *p) { *p = get_global_id(1, 2); }";
  const std::string options = GENERATE("", "-cl-std=CL3.0 -g");
  const CompileOutput as_text = Frontend(resources.traits()).compile(right, options, {});
  resources.precompile();
  resources.moveTo("elsewhere");
  CHECK(resources.isReady());
  CHECK(resources.isReady(Language::CL30));
  CHECK_FALSE(resources.isReady(Language::CL11));
  Frontend frontend(resources.traits());
  const CompileOutput ready = frontend.compile(right, options, {});
  REQUIRE(ready.status == Status::Success);
  CHECK(irOf(ready.module) == irOf(as_text.module));
  const std::string log = frontend.compile(wrong, options, {}).log;
  CHECK(contains(log, "note: 'get_global_id' declared here") + contains(log, "note: candidate function") > 0);
  CHECK(contains(log, (resources.folder() / "opencl-c.h").string() + ":"));
  CHECK(contains(log, "get_global_id(uint)")); // the message quotes the header's line
}

TEST_CASE("A header that is ready is for these headers and these extensions only", "[ready_header]") {
  Resources resources;
  resources.precompile();
  CHECK(resources.isReady());
  SECTION("changed text") {
    std::ofstream(resources.folder() / "opencl-c-base.h", std::ios::app) << "\n";
    CHECK_FALSE(resources.isReady());
  }
  SECTION("a header that is found earlier") {
    fs::create_directory(resources.folder() / "include");
    fs::copy(resources.folder() / "opencl-c.h", resources.folder() / "include");
    CHECK_FALSE(resources.isReady());
  }
  SECTION("another extension") {
    LanguageTraits other = resources.traits();
    other.extensions.pop_back();
    CHECK(LanguagePrefix(other, Language::CL12).precompiled() == nullptr);
  }
}

TEST_CASE("A damaged header is made again", "[ready_header]") {
  Resources resources;
  resources.precompile();
  const fs::path path = resources.folder() / "opencl-c-CL1.2.pch";
  const std::string whole = contentsOf(path);
  REQUIRE(whole.size() > 100000);
  for (const size_t position : {size_t(0), size_t(9), size_t(75), size_t(85), whole.size() / 2, whole.size() - 1}) {
    std::string bytes = whole;
    bytes[position] = char(bytes[position] ^ 4);
    std::ofstream(path, std::ios::binary) << bytes;
    INFO("byte " << position);
    CHECK_FALSE(resources.isReady());
  }
  std::ofstream(path, std::ios::binary) << whole.substr(0, whole.size() / 2);
  CHECK_FALSE(resources.isReady());
  CHECK(Frontend(resources.traits()).compile("kernel void k(void) {}", "", {}).status == Status::Success);
  std::ofstream(path, std::ios::binary) << whole;
  CHECK(resources.isReady());
}
