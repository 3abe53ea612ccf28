// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a generator chooses from. All generators use the Maker and differ in these lists. A new kind of statement or
// leaf is a free function that some list names.
#pragma once

#include "language/kernel.h"

#include <set>

namespace lanecl::fuzz {

class Maker;

// The surroundings of a statement.
struct Place {
  Level level = Level::Group;
  Level breaks = Level::Group, continues = Level::Group; // how uniform the flow of the statements that they leave is
  bool in_loop = false, in_breakable = false;
  unsigned depth = 0, loops = 0;
};

// Adds statements at that place, or nothing if they would not be valid there.
using StatementMaker = void (*)(Maker &, Block &, const Place &);
// Returns an expression without nested expressions, except for subscripts, from values of at most that level. Returns
// null if there is none.
using LeafMaker = ExprPtr (*)(Maker &, Type, Level, unsigned depth);

// A function that is chosen with a probability proportional to its weight.
template <class F> struct Weighted {
  unsigned weight;
  F make;
};

// The settings of one generator.
struct Choices {
  // Types of variables, see Maker::chooseTypes(); a type listed several times is more likely.
  std::vector<Type> types{};
  std::vector<Weighted<StatementMaker>> statements{};
  std::vector<Weighted<LeafMaker>> leaves{};
  std::vector<std::vector<size_t>> local_sizes{}; // in addition to those that follow from the sub-group size
  unsigned kernel_statements = 20, helper_statements = 8, helpers = 2; // upper limits
  unsigned progressions = 1;           // variables that the kernel starts with, see makeProgression()
  unsigned agreeing = 100;             // percentage of kernels that have variables on which the work-items agree
  unsigned arrays = 0;                 // percentage of kernels and types that start with a private array
  unsigned functions = 20;             // percentage of operations on integers that are functions like hadd
  bool relaxed = false;                // see Kernel::relaxed
  unsigned restricts = 0;              // percentage of kernels that take their memory as restrict pointers
  unsigned calls_on_leaving = 0;       // percentage of ways out with an effect that call a sub-group function first
  NDRange (*range)(Maker &) = nullptr; // makes a launch; by default the launch follows from the local sizes
  void (*start)(Maker &) = nullptr;    // adds memory, parameters and the first variables
  // Chooses the result and the parameters of a helper function, see addParameters().
  void (*helper)(Maker &) = nullptr;
};

} // namespace lanecl::fuzz
