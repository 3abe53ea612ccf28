// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs families of calls on the device and compares each lane with its reference.
#pragma once

#include "launches.hpp"
#include "support/session.hpp"

namespace lanecl::test::table {

// LANECL_TEST_COMPLETE=1 runs every function in every shape and flow. Otherwise each family runs in full sub-groups and
// in some other shape; vectors, whose components are lanes like any other, in some shape, and only those of two
// components in divergent flow.
bool runsComplete();

class Runner {
public:
  // Prints the number of cases that were compared.
  explicit Runner(const char *name) : name(name) {}
  ~Runner();

  void run(const std::vector<Family> &families, unsigned width);
  // What went wrong, empty when nothing did.
  std::string failures() const;

private:
  enum class Flow { Uniform, Divergent };
  struct Test {
    const Family &family;
    Flow flow;
    std::vector<Call> calls;
    std::string kernel;
    std::vector<Shape> shapes; // to run in
  };
  struct Choice { // of what to launch; `skip` and `pattern` take sub-groups and lanes out
    uint32_t skip;
    uint64_t pattern;
  };

  static std::vector<Test> testsOf(const std::vector<Family> &families, unsigned width);
  static std::vector<Shape> shapesOf(const Family &family, size_t number, unsigned width);
  static std::string kernelText(const Test &test);
  void launch(const Test &test, const Kernel &kernel, const Shape &shape, unsigned width);
  void compare(const Test &test, std::vector<SubGroup> sub_groups, const Choice &choice, const Shape &shape,
               const std::vector<std::byte> &got);
  bool compareCall(const Test &test, size_t call, const SubGroup &sub_group, const std::vector<std::byte> &got,
                   size_t items, std::string &difference) const;

  const char *name;
  Session cl;
  size_t cases = 0, failed = 0;
  std::vector<std::string> messages;
};

} // namespace lanecl::test::table
