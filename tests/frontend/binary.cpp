// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program's binary brings back everything that the program was.
#include "support.hpp"

using namespace test;

namespace {

Module program() {
  const CompileOutput output = device().build("kernel void k(global float *p) { p[0] = 1; }", "-g -DA=1");
  REQUIRE(output.status == Status::Success);
  return output.module;
}

} // namespace

TEST_CASE("A binary brings everything back", "[binary]") {
  const Module before = program();
  const std::string binary = Frontend::serialize(before);
  Module after;
  std::string error;
  REQUIRE(Frontend::deserialize(binary, after, error));
  CHECK(after.kind == ModuleKind::Executable);
  CHECK(after.options == "-g -DA=1");
  CHECK(after.debug);
  CHECK(after.optimize);
  CHECK(*after.bitcode == *before.bitcode);
  const auto info = Frontend::describe(after, error);
  REQUIRE(info);
  CHECK(info->kernels.size() == 1);
  CHECK(info->kernels[0].name == before.info->kernels[0].name);
  CHECK(Frontend::serialize(after) == binary);
}

TEST_CASE("Objects and libraries keep their kind, and link after the round trip", "[binary]") {
  const CompileOutput object = device().compile("int f(int x) { return x; }", "", {});
  const CompileOutput user = device().compile("int f(int); kernel void k(global int *p) { *p = f(1); }", "", {});
  Module loaded;
  std::string error;
  REQUIRE(Frontend::deserialize(Frontend::serialize(object.module), loaded, error));
  CHECK(loaded.kind == ModuleKind::Object);
  CHECK(device().link({loaded, user.module}, "").status == Status::Success);
}

TEST_CASE("Every flipped byte and every cut is noticed", "[binary]") {
  const std::string binary = Frontend::serialize(program());
  Module module;
  std::string error;
  for (size_t i = 0; i < binary.size(); i += i < 64 ? 1 : 97) {
    std::string broken = binary;
    broken[i] = static_cast<char>(broken[i] ^ 0x10);
    INFO("byte " << i);
    CHECK_FALSE(Frontend::deserialize(broken, module, error));
    CHECK_FALSE(Frontend::deserialize(std::string_view(binary).substr(0, i), module, error));
  }
  CHECK_FALSE(Frontend::deserialize(binary + "x", module, error));
  CHECK_FALSE(Frontend::deserialize("", module, error));
  CHECK_FALSE(Frontend::deserialize("\x7f"
                                    "ELF something else",
                                    module, error));
  CHECK(error != "");
  CHECK_FALSE(module);
}
