// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a generator chooses from. Generators share the Maker and differ in these lists; a new kind of statement or leaf
// is a free function that some list names.
#pragma once

#include "language/kernel.h"

#include <set>

namespace lanecl::fuzz {

class Maker;

// Where a statement stands.
struct Place {
  Level level = Level::Group;
  Level breaks = Level::Group, continues = Level::Group; // of the statements they leave
  bool in_loop = false, in_breakable = false;
  unsigned depth = 0, loops = 0;
};

// Adds statements for that place, or nothing where they would not be valid.
using StatementMaker = void (*)(Maker &, Block &, const Place &);
// An expression that holds no deeper one but subscripts, of values at most of that level; null where there is none.
using LeafMaker = ExprPtr (*)(Maker &, Type, Level, unsigned depth);

template <class F> struct Weighted {
  unsigned weight;
  F make;
};

struct Choices {
  std::vector<Type> types{}; // of variables, see Maker::chooseTypes; named several times they are likelier
  std::vector<Weighted<StatementMaker>> statements{};
  std::vector<Weighted<LeafMaker>> leaves{};
  std::vector<std::vector<size_t>> local_sizes{}; // besides those that follow from the sub-group size
  unsigned kernel_statements = 20, helper_statements = 8, helpers = 2; // at most
  unsigned progressions = 1;     // variables that the kernel begins with, see makeProgression
  unsigned agreeing = 100;       // of a hundred kernels, how many have variables on which work-items agree
  unsigned arrays = 0;           // of a hundred kernels and types, how many begin with a private array
  unsigned functions = 20;       // of a hundred operations on integers, how many are functions like hadd
  bool relaxed = false;          // see Kernel
  unsigned restricts = 0;        // of a hundred kernels, how many take their memory by restrict pointers
  unsigned calls_on_leaving = 0; // of a hundred ways out with an effect, how many call a sub-group function before
  NDRange (*range)(Maker &) = nullptr; // of a launch; by default from the local sizes
  void (*start)(Maker &) = nullptr;    // memory, parameters and first variables
  void (*helper)(Maker &) = nullptr;   // what the function that is made gives and takes, see addParameters
};

} // namespace lanecl::fuzz
