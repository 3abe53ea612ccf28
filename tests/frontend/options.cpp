// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How the options of a build are read.
#include "support.hpp"

#include "program/build_options.h"

using namespace test;

namespace {

std::vector<std::string> split(const char *text) {
  return splitOptions(text).value();
}

// Returns whether a program sees the macro X with this value.
bool seesMacro(const std::string &options, const std::string &value) {
  return builds("#define TEXT2(x) #x\n#define TEXT(x) TEXT2(x)\n"
                "__constant char got[] = TEXT(X);\n__constant char want[] = " +
                    value +
                    ";\n"
                    "_Static_assert(sizeof(got) == sizeof(want), \"length\");\n"
                    "kernel void k(global int *p) { *p = got[0] + want[0]; }",
                options);
}

// Returns the status of a build with these options.
Status statusOf(const std::string &options) {
  return device().build("kernel void k() {}", options).status;
}

} // namespace

TEST_CASE("Options are split at white space outside quotes", "[options]") {
  using Words = std::vector<std::string>;
  CHECK(split("") == Words{});
  CHECK(split("  -w \t -Werror\n") == Words{"-w", "-Werror"});
  CHECK(split(R"(-D "A=a b" -I"x y")") == Words{"-D", "A=a b", "-Ix y"});
  CHECK(split(R"(-DS=\"text\")") == Words{R"(-DS="text")"});
  CHECK(split(R"(-D 'S="a  b"')") == Words{"-D", R"(S="a  b")"});
  CHECK(split(R"("-DS=\"a b\"")") == Words{R"(-DS="a b")"});
  CHECK(split(R"(-I a\ b "")") == Words{"-I", "a b", ""});
  CHECK(split(R"(-I C:\dir)") == Words{"-I", R"(C:\dir)"});
  CHECK_FALSE(splitOptions("-D \"A=1").has_value());
}

TEST_CASE("Macros arrive with their value", "[options]") {
  CHECK(seesMacro("-DX=12", "\"12\""));
  CHECK(seesMacro("-D X=12", "\"12\""));
  CHECK(seesMacro("-DX", "\"1\""));
  CHECK(seesMacro("-D \"X=a b\"", "\"a b\""));
  CHECK(seesMacro("-DX=1 -DX=222", "\"222\""));
  CHECK_FALSE(seesMacro("-DX=12", "\"123\""));
  CHECK(builds(
      "__constant char s[] = X; _Static_assert(sizeof(s) == 8, \"\"); kernel void k(global int *p) { *p = s[0]; }",
      R"(-DX=\"a\ b\ cde\")"));
  CHECK(builds("kernel void k(global int *p) { *p = ADD(1, 2); }", "\"-DADD(a,b)=((a)+(b))\""));
}

TEST_CASE("Every option of the specification is accepted", "[options]") {
  for (const char *option : {"-cl-single-precision-constant",
                             "-cl-denorms-are-zero",
                             "-cl-fp32-correctly-rounded-divide-sqrt",
                             "-cl-opt-disable",
                             "-cl-strict-aliasing",
                             "-cl-uniform-work-group-size",
                             "-cl-no-subgroup-ifp",
                             "-cl-mad-enable",
                             "-cl-no-signed-zeros",
                             "-cl-unsafe-math-optimizations",
                             "-cl-finite-math-only",
                             "-cl-fast-relaxed-math",
                             "-w",
                             "-Werror",
                             "-cl-std=CL1.1",
                             "-cl-std=CL1.2",
                             "-cl-std=CL2.0",
                             "-cl-std=CL3.0",
                             "-cl-std=CLC++",
                             "-cl-kernel-arg-info",
                             "-g",
                             "-O0",
                             "-O2",
                             "-cl-intel-greater-than-4GB-buffer-required",
                             "-cl-intel-256-GRF-per-thread -cl-intel-anything=3",
                             "-ze-intel-enable-auto-large-GRF-mode"})
    CHECK(std::make_pair(std::string(option), statusOf(option)) ==
          std::make_pair(std::string(option), Status::Success));
}

TEST_CASE("What is no option of the compiler is refused by name", "[options]") {
  for (const char *option : {"-cl-foo", "-foo", "file.cl", "-cl-std=CL9.9", "-D", "-I", "-D 1x=2", "-DX=\"", "-x spir",
                             "-create-library", "-cl-std"})
    CHECK(std::make_pair(std::string(option), statusOf(option)) ==
          std::make_pair(std::string(option), Status::InvalidOptions));
  CHECK(contains(device().build("kernel void k() {}", "-w -cl-foo").log, "'-cl-foo'"));
  const std::string for_vectors = device().build("kernel void k() {}", "-vc-codegen").log;
  CHECK(contains(for_vectors, "'-vc-codegen' is for the vector compiler"));
  CHECK(contains(for_vectors, "LANECL_DEVICE=gen9"));
  const auto object = device().compile("kernel void k() {}", "", {});
  for (const char *option : {"-w", "-cl-opt-disable", "-enable-link-options", "-foo"})
    CHECK(device().link({object.module}, option).status == Status::InvalidOptions);
  for (const char *option : {"-create-library", "-create-library -enable-link-options", "-cl-fast-relaxed-math"})
    CHECK(device().link({object.module}, option).status == Status::Success);
}

TEST_CASE("Options that later rooms must know are kept in the module", "[options]") {
  const std::string source = "kernel void k() {}";
  CHECK_FALSE(device().build(source, "").module.debug);
  CHECK(device().build(source, "").module.optimize);
  CHECK(device().build(source, "-g").module.debug);
  CHECK_FALSE(device().build(source, "-cl-opt-disable").module.optimize);
  CHECK(device().build(source, "-g -DA=1").module.options == "-g -DA=1");
}
