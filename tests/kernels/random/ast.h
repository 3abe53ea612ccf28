// A random kernel: made once, printed as OpenCL C and evaluated on the host.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanecl::test::random_kernels {

enum class Base { Int, UInt, Long, Float };

struct Type {
  Base base = Base::Int;
  unsigned lanes = 1; // components of a vector type
  bool operator==(const Type &) const = default;
};

inline constexpr Type kInt{Base::Int, 1};

// Which work-items surely agree: those of a work-group, those of a sub-group, or no two. A value has a level, and so
// has a place in the program: work-group barriers stand only at level Group, sub-group functions not at level Lane.
enum class Level { Group, SubGroup, Lane };

struct Variable {
  std::string name{};
  Type type{};
  unsigned count = 1; // elements of an array, or behind a pointer; a power of two
  bool array = false;
  bool pointer = false; // a parameter that points to private memory of the caller
  bool fixed = false;   // a loop's counter: never assigned by the body
  Level level = Level::Lane;
};

enum class Op {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Min,
  Max,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  LogicalAnd,
  LogicalOr
};

enum class Query {
  GlobalId,
  LocalId,
  GroupId,
  LocalSize,
  NumGroups,
  GlobalLinearId,
  LocalLinearId, // the first five take a dimension
  LaneId,
  SubGroupId,
  SubGroupSize,
  MaxSubGroupSize,
  NumSubGroups
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  enum class Kind {
    Constant, // number
    Variable, // variable
    Element,  // variable[args[0] & (count - 1)], of an array or behind a pointer
    Input,    // in[args[0] & 255]
    Table,    // table[args[0] & 15], in constant memory
    OwnLocal, // local array `number` at the work-item's own slot
    AnyLocal, // local array `number` at args[0] modulo the work-group's size
    Argument, // kernel argument a or b: number
    Query,    // query of dimension number
    Binary,   // op
    Divide,   // guarded quotient, by number: 0 in a conditional expression, 1 in a helper that returns early
    Remainder,
    Not,          // ~
    Select,       // args[0] ? args[1] : args[2]
    VectorSelect, // args[0] < args[1] ? args[2] : args[3], by component
    Convert,      // to type, by value
    Disguise,     // args[0], so that the compiler cannot see on whom it depends
    Component,    // number of the vector args[0]
    Construct     // a vector of the args
  } kind;
  Type type;
  std::vector<ExprPtr> args{};
  int64_t number = 0;
  unsigned variable = 0;
  Op op = Op::Add;
  Query query = Query::GlobalId;
};

// Where a value goes: a variable, an element of it, or one component of it.
struct Target {
  unsigned variable = 0;
  ExprPtr index;
  int component = -1;
};

enum class LaneOp {
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  InclusiveAdd,
  InclusiveMin,
  InclusiveMax,
  ExclusiveAdd,
  Broadcast,
  Shuffle,
  ShuffleXor,
  ShuffleDown,
  ShuffleUp,
  All,
  Any
};

enum class AtomicOp { Add, Min, Max, And, Or, Xor };
inline constexpr unsigned kAtomicSlots = 8; // of each operation

struct Stmt;
using Block = std::vector<Stmt>;

struct Stmt {
  enum class Kind {
    Declare,    // target.variable, with values[0] or one value for each element
    Assign,     // target = values[0]
    Store,      // out[own, values[0] & 15] = values[1]
    LocalStore, // local array `number` at the own slot, rotated by `rotate`, = values[0]
    Atomic,     // counters[atomic, values[0] & 7], with values[1]
    If,         // values[0]; blocks[0], blocks[1]
    For,        // counter target.variable from 0 to values[0]; blocks[0]
    While,      // values[0] and less than `number` rounds, counted in target.variable; blocks[0]
    DoWhile,
    Switch, // values[0] & 7; blocks are the cases in order, the last one is the default
    Break,
    Continue,
    Return, // values[0], if the function returns something
    Barrier,
    LaneOp, // target = op(values[0], values[1]...)
    Call    // target = functions[callee](values), pointers: variables handed over in `pointers`
  } kind;
  Target target{};
  std::vector<ExprPtr> values{};
  std::vector<Block> blocks{};
  std::vector<bool> falls_through{}; // of a switch's cases
  std::vector<int> pointers{};       // for each parameter of the callee: the variable handed over, or -1
  int64_t number = 0;
  unsigned rotate = 0;
  random_kernels::LaneOp lane_op = random_kernels::LaneOp::ReduceAdd;
  AtomicOp atomic = AtomicOp::Add;
  unsigned callee = 0;
  Level needs = Level::Lane; // Group: a work-group barrier inside; SubGroup: a sub-group function
};

struct Function {
  std::string name;
  Type result = kInt;
  std::vector<Variable> variables; // the parameters first
  unsigned parameters = 0;
  Block body;
  Level needs = Level::Lane;
  bool stores_local = false;
};

// The kernel is the last function and returns nothing.
struct Kernel {
  uint64_t seed = 0;
  unsigned width = 0;          // of a sub-group
  bool width_required = false; // by attribute; else the width follows from the local size
  std::vector<size_t> local, groups;
  std::vector<Function> functions;
  std::array<int32_t, 2> arguments{};

  size_t groupSize() const {
    size_t size = 1;
    for (size_t n : local)
      size *= n;
    return size;
  }
  bool partial() const { return groupSize() % width != 0; }
};

// Behind the inputs stand as many zeros.
inline constexpr unsigned kInputs = 256, kTable = 16, kOutputs = 16;
extern const std::array<int32_t, kTable> table;

Kernel generate(uint64_t seed);
std::string preamble();                  // once for a program
std::string print(const Kernel &kernel); // the kernel is named after its seed
std::string kernelName(const Kernel &kernel);

struct Memory {
  std::vector<int32_t> in, out;
  std::vector<uint32_t> counters;
};
Memory initialMemory(const Kernel &kernel);

// Runs all work-groups. False when the kernel takes too long to be worth the time.
bool evaluate(const Kernel &kernel, Memory &memory);

} // namespace lanecl::test::random_kernels
