// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a debugger is to stop in a random kernel, and what it must find there.
#pragma once

#include "generate/generators.h"
#include "run/case.h"

namespace lanecl::fuzz {

// A variable and the value that the debugger must print.
struct SeenVariable {
  std::string name{};
  Base base = Base::Int;
  std::vector<uint64_t> scalars{}; // scalars of its elements and components, in order, as raw bits
};

// A program, and one stop in it.
struct Stop {
  Case test{};
  unsigned line = 0;                     // line of the source
  std::array<size_t, 3> global_id{};     // the work-item that is the first to come to the line
  std::vector<SeenVariable> variables{}; // variables that have a value there
};

// Plans a stop at a line and for a work-item that `number` chooses. Sub-groups have size `width` unless the kernel
// requires another size. Returns nothing if no statement was found that a work-item reaches.
std::optional<Stop> planStop(const Sample &sample, const Variant &variant, unsigned width, uint64_t number);

// Returns the plan as JSON.
std::string describe(const Stop &stop, const std::string &source_file, const std::string &case_file);

} // namespace lanecl::fuzz
