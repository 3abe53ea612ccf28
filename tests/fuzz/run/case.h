// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program, its launches and what they must leave in memory. It is all that is needed to run the program again, as one
// text.
#pragma once

#include "generate/guards.h"

#include <iosfwd>

namespace lanecl::fuzz {

// An argument of a kernel and, for memory, what it contains before the launch.
struct Argument {
  enum class Kind { Buffer, Same, Local, Scalar, Image } kind = Kind::Scalar;
  Type type{};
  // The elements of a buffer, the channels of an image, or the one value of a scalar. For Same, the number of the
  // argument whose buffer it is.
  std::vector<uint64_t> values{};
  size_t bytes = 0; // size of local memory
  ImageShape image{};
};

// The contents of an argument after the launch.
struct Expectation {
  unsigned width = 0; // the sub-group size that it holds for; 0 for any
  unsigned argument = 0;
  std::vector<uint64_t> values{};
  // Which bits of the values may have any value, for example those of a struct's padding. Empty if there are none.
  std::vector<uint64_t> open{};
};

// One launch, which runs after the previous launches of the case have completed.
struct CaseLaunch {
  std::string kernel{};
  NDRange range{};
  bool shares_buffer = false; // all buffers are parts of one buffer
  std::vector<Argument> arguments{};
  std::vector<Expectation> expectations{};
};

// A program and its launches.
struct Case {
  std::string notes{}; // for human readers
  std::string options{}, source{};
  // If not 0, the program is given as a SPIR-V module whose blocks are in the order that this number determines
  // (spirv.h). 0: the program is given as source.
  uint64_t block_order = 0;
  std::vector<CaseLaunch> launches{};
};

// How a program is built and how it gets its constants.
struct Variant {
  std::string options{};
  bool constants_at_build = false;
  uint64_t block_order = 0; // see Case::block_order
};
Variant variantNumber(uint64_t number); // goes through all variants in turn

// A kernel and what its launches must leave in memory.
struct Tested {
  const Kernel *kernel;
  const std::vector<Outcome> *outcomes;
};
// Makes a case of the first launches of all kernels, followed by the second ones, and so on.
Case makeCase(const std::vector<Tested> &kernels, const Variant &variant);

void write(std::ostream &out, const Case &test);
Case readCase(std::istream &in); // throws std::runtime_error that says what is wrong in the text

} // namespace lanecl::fuzz
