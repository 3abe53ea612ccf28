// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Headers that clCompileProgram gets with the source.
#include "support.hpp"

#include <unistd.h>

using namespace test;

namespace {

CompileOutput compile(const std::string &source, const std::string &options, const std::vector<Header> &headers) {
  return device().compile(source, options, headers);
}

// Changes the working directory while the object lives.
class InDirectory {
public:
  explicit InDirectory(const fs::path &path) : before(fs::current_path()) { fs::current_path(path); }
  ~InDirectory() { fs::current_path(before); }

private:
  fs::path before;
};

const char *kUsesValue = "#include \"value.h\"\nkernel void k(global int *p) { *p = VALUE; }";

} // namespace

TEST_CASE("Headers given with the source are found under their names", "[include]") {
  CHECK(compile(kUsesValue, "", {{"value.h", "#define VALUE 1"}}).status == Status::Success);
  CHECK(compile("#include <sub/dir/a.h>\nkernel void k(global int *p) { *p = A; }", "",
                {{"sub/dir/a.h", "#include \"b.h\"\n#define A B"}, {"sub/dir/b.h", "#define B 2"}})
            .status == Status::Success);
  const CompileOutput missing = compile(kUsesValue, "", {{"other.h", "#define VALUE 1"}});
  CHECK(missing.status == Status::Failure);
  CHECK(contains(missing.log, "program.cl:1:10: fatal error: 'value.h' file not found"));
}

TEST_CASE("An error in a header names the header", "[include]") {
  const CompileOutput output = compile(kUsesValue, "", {{"value.h", "int f( { }\n#define VALUE 1"}});
  CHECK(output.status == Status::Failure);
  CHECK(contains(output.log, "value.h:1:8: error:"));
  CHECK(contains(output.log, "In file included from program.cl:1:"));
}

TEST_CASE("-I finds files on disk, with spaces in the name too", "[include]") {
  TemporaryDirectory directory;
  directory.write("with space/value.h", "#define VALUE 3\n");
  const std::string path = (directory.path() / "with space").string();
  CHECK(compile(kUsesValue, "-I \"" + path + "\"", {}).status == Status::Success);
  CHECK(compile(kUsesValue, "\"-I" + path + "\"", {}).status == Status::Success);
  CHECK(compile(kUsesValue, "", {}).status == Status::Failure);
}

TEST_CASE("Without -I files are found relative to the working directory", "[include]") {
  TemporaryDirectory directory;
  directory.write("value.h", "#define VALUE 4\n");
  directory.write("sub/value.h", "#define VALUE 5\n");
  InDirectory here(directory.path());
  CHECK(compile(kUsesValue, "", {}).status == Status::Success);
  CHECK(compile("#include <value.h>\nkernel void k(global int *p) { *p = VALUE; }", "", {}).status == Status::Success);
  CHECK(compile("#include \"sub/value.h\"\n_Static_assert(VALUE == 5, \"\");", "", {}).status == Status::Success);
  CHECK(compile("#include <value.h>\n_Static_assert(VALUE == 5, \"\");", "-Isub", {}).status == Status::Success);
}

TEST_CASE("A header given with the source goes before one on disk by <>", "[include]") {
  TemporaryDirectory directory;
  directory.write("value.h", "#define VALUE 1\n");
  CHECK(compile("#include <value.h>\n_Static_assert(VALUE == 2, \"\");", "-I" + directory.path().string(),
                {{"value.h", "#define VALUE 2\n"}})
            .status == Status::Success);
}
