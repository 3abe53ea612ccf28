// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program, its launches and what they must leave in memory: all that is needed to run it again, as one text.
#pragma once

#include "generate/guards.h"

#include <iosfwd>

namespace lanecl::fuzz {

struct Argument {
  enum class Kind { Buffer, Same, Local, Scalar, Image } kind = Kind::Scalar;
  Type type{};
  std::vector<uint64_t> values{}; // of a buffer, an image's channels; a scalar has one; the same buffer as argument …
  size_t bytes = 0;               // of local memory
  ImageShape image{};
};

struct Expectation {
  unsigned width = 0; // of the sub-groups that it holds for; 0 for any
  unsigned argument = 0;
  std::vector<uint64_t> values{};
  // Which bits of the values may be anything, as those of a struct's padding are; empty where none may.
  std::vector<uint64_t> open{};
};

struct CaseLaunch {
  std::string kernel{};
  NDRange range{};
  bool shares_buffer = false; // all buffers are parts of one
  std::vector<Argument> arguments{};
  std::vector<Expectation> expectations{};
};

struct Case {
  std::string notes{}; // for readers
  std::string options{}, source{};
  // The program is given as a SPIR-V module, and this says in which order its blocks stand (spirv.h); 0: as source.
  uint64_t block_order = 0;
  std::vector<CaseLaunch> launches{};
};

// How a program is built and given its constants.
struct Variant {
  std::string options{};
  bool constants_at_build = false;
  uint64_t block_order = 0; // see Case
};
Variant variantNumber(uint64_t number); // all of them in turn

struct Tested {
  const Kernel *kernel;
  const std::vector<Outcome> *outcomes;
};
// First launches of all kernels, then the second ones.
Case makeCase(const std::vector<Tested> &kernels, const Variant &variant);

void write(std::ostream &out, const Case &test);
Case readCase(std::istream &in); // throws std::runtime_error with what is wrong in the text

} // namespace lanecl::fuzz
