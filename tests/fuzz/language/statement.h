// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Statements and functions of the kernel language.
#pragma once

#include "language/expression.h"
#include "language/locks.h"
#include "language/sub_group_functions.h"
#include "language/turns.h"

#include <string>

namespace lanecl::fuzz {

// Which work-items are certain to agree: those of a work-group, those of a sub-group, or no two. A value has a level,
// and so has a place in the program: a work-group barrier is only placed at level Group. The same scale says what a
// statement needs: Group if it contains a work-group barrier or a work-group function, SubGroup if it contains a
// sub-group function.
enum class Level { Group, SubGroup, Lane };

// A variable or a parameter of a function.
struct Variable {
  std::string name{};
  Type type{};
  unsigned count = 1; // number of elements of an array or behind a pointer, a power of two
  bool array = false;
  bool pointer = false; // points to `count` elements
  Space space = Space::Generic;
  bool constant = false;  // nothing is written through the pointer
  bool restrict_ = false; // nothing else leads to what it points to
  bool fixed = false;     // a loop's counter, which the body never assigns
  bool size_t_ = false;   // a ulong that is written as size_t
  bool open = false;      // some of its bits may be unknown; most expressions do not use it
  Level level = Level::Lane;
};

// Whether the variable is neither an array nor a pointer nor a record.
inline bool isPlain(const Variable &v) {
  return !v.array && !v.pointer && !isRecord(v.type);
}

// Where a value is assigned: a variable, or what an Element or a Load names. For a vector, `swizzle` may name
// components.
struct Target {
  unsigned variable = 0;
  ExprPtr element{};
  Swizzle swizzle{};
};

// Atomic functions whose result is not used.
enum class AtomicOp { Add, Min, Max, And, Or, Xor, Sub, Inc, Dec };
// Operations that may come in any order are of the same kind. Sub, Inc and Dec have the kind of Add.
inline constexpr unsigned kAtomicOps = 6, kAtomicSlots = 32; // number of kinds, and of counters for each
constexpr unsigned kindOf(AtomicOp op) {
  return op > AtomicOp::Xor ? 0 : unsigned(op);
}

// Plain: atomic_add, or atom_add for 64 bits. Fetch: atomic_fetch_add. Explicit: the same with memory order and scope.
enum class AtomicForm { Plain, Fetch, Explicit };

struct Stmt;
using Block = std::vector<Stmt>;

// A statement. Which members it uses depends on its kind.
struct Stmt {
  enum class Kind {
    // Declares target.variable. `values` holds its value, one value for each element, the first fields of a record or
    // of the elements of an array of records (see leavesOf()), or nothing if it is assigned before use.
    Declare,
    Assign, // target = values[0]
    Store,  // memory[values[0]] = values[1]
    // vstoren(values[0], values[1], values[2]), where values[2] is a pointer. It is vstore_halfn for floats that become
    // halves; `number` is its Rounding.
    VectorStore,
    Atomic, // at values[0], a Load, with values[1]; number: an AtomicForm
    If,     // condition values[0]; blocks[0], blocks[1]
    // Counts target.variable from values[0] while it is below values[1]. The step is values[2] if there is one,
    // otherwise `number`. With a negative `number` it counts down while it is above. The body is blocks[0].
    For,
    // While values[0] holds and there were fewer than `number` rounds, which target.variable counts. The body is
    // blocks[0].
    While,
    DoWhile,
    Switch, // on values[0] & 7; `blocks` are the cases in order, the last one is the default
    Break,
    Continue,
    Return,       // returns values[0], if the function returns something
    Barrier,      // work-group barrier, for local memory
    SubGroupCall, // target = sub_group(values...), for values of `type`
    Call,         // target = functions[callee](values)
    Lock,         // values[1] is added to the sum that lock number values[0] protects, see Locking
    // target = the value found; values[0] is added to it. If the order is rotated, the next value says by how many,
    // which must be the same for all work-items. If only some wait, the last value says which.
    TakeTurns
  } kind = Kind::Declare;
  Target target{};
  std::vector<ExprPtr> values{};
  std::vector<Block> blocks{};
  std::vector<bool> falls_through{}; // by case of a switch
  int64_t number = 0;
  unsigned memory = 0;
  SubGroupFunction sub_group = SubGroupFunction::ReduceAdd;
  Type type = kInt; // type of the sub-group function's value
  // Some lane would get an undefined value from the sub-group function. With the guard, it gets zero.
  bool guarded = false;
  AtomicOp atomic = AtomicOp::Add;
  Turns turns{};
  Locking locking{};
  unsigned callee = 0;
  Level needs = Level::Lane; // see findNeeds()
};

// A helper function or the kernel itself.
struct Function {
  std::string name{};
  Type result = kInt;
  std::vector<Variable> variables{}; // the parameters come first
  unsigned parameters = 0;
  Block body{};
  Level needs = Level::Lane;
  bool stores_local = false, loads_local = false;
  bool restrict_ = false;        // all memory is passed by restrict pointers
  bool whole_sub_groups = false; // whole sub-groups must call it
};

} // namespace lanecl::fuzz
