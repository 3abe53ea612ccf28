// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a debugger is to stop in a random kernel, and what it must find there.
#pragma once

#include "generate/generators.h"
#include "run/case.h"

namespace lanecl::fuzz {

struct SeenVariable {
  std::string name{};
  Base base = Base::Int;
  std::vector<uint64_t> scalars{}; // of its elements and components, in order, as raw bits
};

struct Stop {
  Case test{};
  unsigned line = 0;                     // of the source
  std::array<size_t, 3> global_id{};     // of the work-item that comes to the line for the first time
  std::vector<SeenVariable> variables{}; // that have a value there
};

// A line and a work-item, chosen by the number; sub-groups have that size where the kernel requires none. Nothing where
// no statement was found that a work-item comes to.
std::optional<Stop> planStop(const Sample &sample, const Variant &variant, unsigned width, uint64_t number);

// The plan as JSON.
std::string describe(const Stop &stop, const std::string &source_file, const std::string &case_file);

} // namespace lanecl::fuzz
