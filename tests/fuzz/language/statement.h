// Statements and functions of the kernel language.
#pragma once

#include "language/expression.h"
#include "language/sub_group_functions.h"

#include <string>

namespace lanecl::fuzz {

// Which work-items surely agree: those of a work-group, those of a sub-group, or no two. A value has a level, and so
// has a place in the program: work-group barriers stand only at level Group. The same scale says what a statement
// needs: Group when a work-group barrier or a work-group function stands in it, SubGroup for a sub-group function.
enum class Level { Group, SubGroup, Lane };

struct Variable {
  std::string name{};
  Type type{};
  unsigned count = 1; // elements of an array, or behind a pointer; a power of two
  bool array = false;
  bool pointer = false; // a parameter that points to private memory of the caller
  bool fixed = false;   // a loop's counter: never assigned by the body
  bool size_t_ = false; // a ulong that is spelled size_t
  Level level = Level::Lane;
};

// Where a value goes: a variable, an element of it (an expression of kind Element), or one component of either.
struct Target {
  unsigned variable = 0;
  ExprPtr element{};
  int component = -1;
};

enum class AtomicOp { Add, Min, Max, And, Or, Xor };
inline constexpr unsigned kAtomicOps = 6, kAtomicSlots = 8; // of each operation

struct Stmt;
using Block = std::vector<Stmt>;

struct Stmt {
  enum class Kind {
    Declare, // target.variable, with values[0], one value for each element, or none: then it is assigned before use
    Assign,  // target = values[0]
    Store,   // memory[values[0]] = values[1]
    Atomic,  // counters[atomic, values[0] & 7], with values[1]
    If,      // values[0]; blocks[0], blocks[1]
    For,     // counter target.variable from values[0], while it is below values[1], by number; blocks[0].
             // With a negative number it runs down, while it is above.
    While,   // values[0] and less than `number` rounds, counted in target.variable; blocks[0]
    DoWhile,
    Switch, // values[0] & 7; blocks are the cases in order, the last one is the default
    Break,
    Continue,
    Return,       // values[0], if the function returns something
    Barrier,      // of the work-group, for local memory
    SubGroupCall, // target = sub_group(values...), of values of `type`
    Call          // target = functions[callee](values), pointers: variables handed over in `pointers`
  } kind = Kind::Declare;
  Target target{};
  std::vector<ExprPtr> values{};
  std::vector<Block> blocks{};
  std::vector<bool> falls_through{}; // of a switch's cases
  std::vector<int> pointers{};       // for each parameter of the callee: the variable handed over, or -1
  int64_t number = 0;
  unsigned memory = 0;
  SubGroupFunction sub_group = SubGroupFunction::ReduceAdd;
  Type type = kInt;     // of a sub-group function's value
  bool guarded = false; // some lane would get an undefined value from the sub-group function; it gets zero
  AtomicOp atomic = AtomicOp::Add;
  unsigned callee = 0;
  Level needs = Level::Lane; // see findNeeds
};

struct Function {
  std::string name{};
  Type result = kInt;
  std::vector<Variable> variables{}; // the parameters first
  unsigned parameters = 0;
  Block body{};
  Level needs = Level::Lane;
  bool stores_local = false;
  bool whole_sub_groups = false; // must call it
};

} // namespace lanecl::fuzz
