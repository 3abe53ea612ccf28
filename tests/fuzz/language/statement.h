// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Statements and functions of the kernel language.
#pragma once

#include "language/expression.h"
#include "language/locks.h"
#include "language/sub_group_functions.h"
#include "language/turns.h"

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
  bool pointer = false; // to `count` elements
  Space space = Space::Generic;
  bool constant = false;  // nothing is written through the pointer
  bool restrict_ = false; // nothing else leads to what it points to
  bool fixed = false;     // a loop's counter: never assigned by the body
  bool size_t_ = false;   // a ulong that is spelled size_t
  bool open = false;      // bits of it may be unknown: most expressions leave it alone
  Level level = Level::Lane;
};

// A variable on its own: neither an array nor a pointer nor a record.
inline bool isPlain(const Variable &v) {
  return !v.array && !v.pointer && !isRecord(v.type);
}

// Where a value goes: a variable, or what an Element or a Load stands for; of a vector, components if there are any.
struct Target {
  unsigned variable = 0;
  ExprPtr element{};
  Swizzle swizzle{};
};

enum class AtomicOp { Add, Min, Max, And, Or, Xor, Sub, Inc, Dec };
// Operations that may come in any order are of one kind; Sub, Inc and Dec are of Add's.
inline constexpr unsigned kAtomicOps = 6, kAtomicSlots = 32; // kinds, and counters of each
constexpr unsigned kindOf(AtomicOp op) {
  return op > AtomicOp::Xor ? 0 : unsigned(op);
}

// atomic_add, or atom_add where there are 64 bits; atomic_fetch_add; the same with an order and a scope.
enum class AtomicForm { Plain, Fetch, Explicit };

struct Stmt;
using Block = std::vector<Stmt>;

struct Stmt {
  enum class Kind {
    Declare, // target.variable, with values[0], one value for each element, the first fields of a record or elements
             // of an array of records (see leavesOf), or none: then it is assigned before use
    Assign,  // target = values[0]
    Store,   // memory[values[0]] = values[1]
    VectorStore, // vstoren(values[0], values[1], values[2]), values[2] a pointer; of floats to halves, vstore_halfn
                 // with `number`, a Rounding
    Atomic,      // at values[0], a Load, with values[1]; by number, see AtomicForm
    If,          // values[0]; blocks[0], blocks[1]
    For,         // counter target.variable from values[0], while it is below values[1], by number or by values[2] if
                 // there is one; blocks[0]. With a negative number it runs down, while it is above.
    While,       // values[0] and less than `number` rounds, counted in target.variable; blocks[0]
    DoWhile,
    Switch, // values[0] & 7; blocks are the cases in order, the last one is the default
    Break,
    Continue,
    Return,       // values[0], if the function returns something
    Barrier,      // of the work-group, for local memory
    SubGroupCall, // target = sub_group(values...), of values of `type`
    Call,         // target = functions[callee](values)
    Lock,         // values[1] is added to the sum that the lock of the number values[0] protects; see Locking
    TakeTurns     // target = what was found; values[0] is added to it. If the order is rotated, the next value says how
                  // far, the same in all; if some wait, the last one says who.
  } kind = Kind::Declare;
  Target target{};
  std::vector<ExprPtr> values{};
  std::vector<Block> blocks{};
  std::vector<bool> falls_through{}; // of a switch's cases
  int64_t number = 0;
  unsigned memory = 0;
  SubGroupFunction sub_group = SubGroupFunction::ReduceAdd;
  Type type = kInt;     // of a sub-group function's value
  bool guarded = false; // some lane would get an undefined value from the sub-group function; it gets zero
  AtomicOp atomic = AtomicOp::Add;
  Turns turns{};
  Locking locking{};
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
  bool stores_local = false, loads_local = false;
  bool restrict_ = false;        // all memory is handed over by restrict pointers
  bool whole_sub_groups = false; // must call it
};

} // namespace lanecl::fuzz
