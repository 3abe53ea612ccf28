// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Linking compiled programs and libraries.
#include "support.hpp"

#include "program/linker.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace test;

namespace {

// Compiles a program without linking it.
Module object(const std::string &source, const std::string &options = "") {
  const CompileOutput output = device().compile(source, options, {});
  INFO(output.log);
  REQUIRE(output.status == Status::Success);
  CHECK(output.module.kind == ModuleKind::Object);
  return output.module;
}

const char *kCaller = "int twice(int x);\nkernel void k(global int *p) { *p = twice(*p); }";
const char *kTwice = "int twice(int x) { return 2 * x; }";

} // namespace

TEST_CASE("Objects make an executable, and kernels keep their facts", "[link]") {
  const CompileOutput output = device().link(
      {object(kCaller), object("int twice(int x) { return 2 * x; }\n"
                               "__attribute__((intel_reqd_sub_group_size(8))) kernel void other(local float *f) {}")},
      "");
  INFO(output.log);
  REQUIRE(output.status == Status::Success);
  CHECK(output.module.kind == ModuleKind::Executable);
  const auto &kernels = output.module.info->kernels;
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "k");
  CHECK(kernels[1].name == "other");
  CHECK(kernels[1].required_sub_group_size == 8);
  CHECK(kernels[1].attributes == "intel_reqd_sub_group_size(8)");
  REQUIRE(kernels[1].arguments.size() == 1);
  CHECK(kernels[1].arguments[0].name == "f");
}

TEST_CASE("The message names an undefined function", "[link]") {
  const CompileOutput output = device().link({object(kCaller)}, "");
  CHECK(output.status == Status::Failure);
  CHECK(output.log == "error: undefined symbol 'twice', used by 'k'\n");
  CHECK(device().build(kCaller, "").status == Status::Failure);
}

TEST_CASE("An unused declaration is no error", "[link]") {
  CHECK(device().build("int twice(int x);\nkernel void k() {}", "").status == Status::Success);
}

TEST_CASE("A function defined twice is named", "[link]") {
  const CompileOutput output = device().link({object(kTwice), object(kTwice), object(kCaller)}, "");
  CHECK(output.status == Status::Failure);
  CHECK(output.log == "error: 'twice' is defined in more than one program\n");
  const CompileOutput kernels = device().link({object("kernel void k() {}"), object("kernel void k() {}")}, "");
  CHECK(kernels.status == Status::Failure);
  CHECK(contains(kernels.log, "'k' is defined in more than one program"));
}

TEST_CASE("static and inline functions of the same name do not collide", "[link]") {
  const std::string first = "static int f(int x) { return x; } inline int g(int x) { return f(x); }\n"
                            "kernel void a(global int *p) { *p = g(*p); }";
  const std::string second = "static int f(int x) { return x + 1; } inline int g(int x) { return f(x); }\n"
                             "kernel void b(global int *p) { *p = g(*p); }";
  const CompileOutput output = device().link({object(first), object(second)}, "");
  INFO(output.log);
  CHECK(output.status == Status::Success);
}

TEST_CASE("A library may leave functions open, and links later", "[link]") {
  const CompileOutput library = device().link({object(kCaller)}, "-create-library");
  REQUIRE(library.status == Status::Success);
  CHECK(library.module.kind == ModuleKind::Library);
  CHECK(device().link({library.module, object(kTwice)}, "").status == Status::Success);
}

TEST_CASE("Recursion across objects is found", "[link]") {
  const CompileOutput output = device().link(
      {object("int b(int); int a(int x) { return b(x); }"), object("int a(int); int b(int x) { return a(x); }\n"
                                                                   "kernel void k(global int *p) { *p = a(1); }")},
      "");
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "recursion is not supported"));
}

TEST_CASE("Recursion across objects may end by constants", "[link]") {
  const std::string caller = "int f(int n); int g(int n) { return n < 2 ? 1 : n * f(n - 1); }\n"
                             "kernel void k(global int *p) { *p = f(";
  const auto link = [&](const std::string &argument) {
    return device().link({object("int g(int); int f(int n) { return g(n); }"), object(caller + argument + "); }")}, "");
  };
  CHECK(link("5").status == Status::Success);
  CHECK(link("*p").status == Status::Failure);
}

TEST_CASE("An object with recursion that ended links with others", "[link]") {
  const std::string function = "int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n";
  const Module first = object(function + "kernel void a(global int *p) { *p = f(5); }");
  CHECK(device().link({first, object(kTwice)}, "").status == Status::Success);
  const CompileOutput other =
      device().link({first, object("int f(int); kernel void b(global int *p) { *p = f(*p); }")}, "");
  CHECK(other.status == Status::Failure);
  CHECK(contains(other.log, "recursion is not supported"));
}

TEST_CASE("Different language versions and options link together", "[link]") {
  const CompileOutput output =
      device().link({object(kCaller, "-cl-std=CL1.1 -g"), object(kTwice, "-cl-std=CL3.0 -cl-opt-disable")}, "");
  INFO(output.log);
  CHECK(output.status == Status::Success);
  CHECK(output.module.debug);
  CHECK_FALSE(output.module.optimize);
}

TEST_CASE("Nothing, or something not compiled, cannot be linked", "[link]") {
  CHECK(device().link({}, "").status == Status::Failure);
  CHECK(device().link({Module()}, "").status == Status::Failure);
}

TEST_CASE("The built-in library decides what a program may leave open", "[link]") {
  TemporaryDirectory directory;
  // A built-in library with a single function, compiled by the frontend itself.
  const Module library = object("float __attribute__((overloadable)) known(float x) { return x; }");
  LanguageTraits with_library = traits();
  with_library.builtins_path = directory.write("builtins.bc", *library.bitcode).string();
  Frontend frontend(with_library);
  const std::string declare = "float __attribute__((overloadable)) known(float x);\n"
                              "float __attribute__((overloadable)) unknown(float x);\n";
  CHECK(frontend.build(declare + "kernel void k(global float *p) { *p = known(*p); }", "").status == Status::Success);
  const CompileOutput output = frontend.build(declare + "kernel void k(global float *p) { *p = unknown(*p); }", "");
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "undefined symbol 'unknown(float)', used by 'k'"));
}

TEST_CASE("The symbol table of the built-in library names what its module defines", "[link]") {
  auto file = llvm::MemoryBuffer::getFile(LANECL_TEST_BUILTINS);
  REQUIRE(file);
  llvm::LLVMContext context;
  auto module = llvm::getLazyBitcodeModule((*file)->getMemBufferRef(), context);
  REQUIRE(bool(module));
  BuiltinNames names(LANECL_TEST_BUILTINS);
  size_t defined = 0;
  for (const llvm::GlobalValue &value : (*module)->global_values()) {
    const std::string name = value.getName().str();
    const bool expected = !value.isDeclaration() && !value.hasLocalLinkage();
    if (names.provides(name) != (expected || contains(name, "__lanecl_") || name == "printf"))
      FAIL(name);
    defined += expected;
  }
  CHECK(defined > 1000);
}
