// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The source texts that binaries of check mode contain.
#include "program/program_binary.h"

#include <catch2/catch.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace lanecl;
using namespace lanecl::icd;

namespace {

frontend::Module someModule() {
  frontend::Module module;
  module.kind = frontend::ModuleKind::Object;
  module.options = "-DSIZE=1";
  module.bitcode = std::make_shared<const std::string>("BC\xC0\xDE and more");
  return module;
}

ProgramTexts someTexts() {
  ProgramTexts texts;
  texts.push_back(std::make_shared<const ProgramText>(ProgramText{"program.cl", "kernel void k() {}\n"}));
  texts.push_back(std::make_shared<const ProgramText>(ProgramText{"a b.h", std::string("1 2\n\0\xff", 6)}));
  return texts;
}

bool areEqual(const ProgramTexts &a, const ProgramTexts &b) {
  bool equal = a.size() == b.size();
  for (size_t i = 0; equal && i < a.size(); ++i)
    equal = a[i]->name == b[i]->name && a[i]->text == b[i]->text;
  return equal;
}

// Returns the texts of the binary, or nothing if it is refused.
std::optional<ProgramTexts> textsIn(std::string_view binary) {
  frontend::Module module;
  ProgramTexts texts;
  std::string error;
  if (!readBinary(binary, module, texts, error))
    return std::nullopt;
  CHECK(*module.bitcode == *someModule().bitcode);
  return texts;
}

} // namespace

TEST_CASE("Binaries contain the texts that they were made with", "[program_binary]") {
  for (const ProgramTexts &texts : {ProgramTexts(), someTexts()}) {
    const auto read = textsIn(binaryOf(someModule(), texts));
    REQUIRE(read);
    CHECK(areEqual(*read, texts));
  }
}

TEST_CASE("A damaged binary with texts is refused, or has the whole program", "[program_binary]") {
  const std::string binary = binaryOf(someModule(), someTexts());
  size_t refused = 0;
  for (size_t size = 0; size < binary.size(); ++size)
    refused += !textsIn(std::string_view(binary).substr(0, size));
  CHECK(refused == binary.size() - 1); // without any of the texts it is a whole binary
  const std::string mark = "\nLaneCL texts 0000000000000000";
  for (size_t size = 0; size <= mark.size(); ++size) {
    const std::vector<char> alone(mark.begin(), mark.begin() + ptrdiff_t(size)); // a sanitizer knows where it ends
    CHECK(!textsIn(std::string_view(alone.data(), alone.size())));
  }
  for (size_t at = 0; at < binary.size(); ++at)
    for (const char byte : {'\0', '0', '9', 'f', '\xff'}) {
      std::string damaged = binary;
      damaged[at] = byte;
      textsIn(damaged);
    }
}
