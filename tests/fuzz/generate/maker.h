// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a kernel that is valid for every work-item: it has no data race, its synchronization is in flow that is uniform
// enough, and every loop ends. Levels (see Level) are kept by construction: what is at a place of some level depends
// only on values of that level or below. Undefined arithmetic is guarded afterwards, see guards.h.
#pragma once

#include "generate/choices.h"

#include <random>

namespace lanecl::fuzz {

// Number of elements before and after those that are the work-items' own in a grid.
inline constexpr unsigned kBorder = 3;

// Functions that no kernel uses: --without.
using Without = std::set<Op>;

// Says which cells of an output or of local memory belong to which work-item.
struct Layout {
  // ByColumns: in columns of the NDRange, so that neighbors along y are neighbors in memory.
  enum class Order { Straight, Reversed, Rotated, ByColumns } order = Order::Straight;
  unsigned axis = 1; // which axis takes the part of y
  // The first cells of all work-items, then the second ones, and so on; otherwise each work-item's cells are in a row.
  bool by_slot = false;
  Base index = Base::ULong;
  unsigned next_slot = 0;
};

// A variable that is computed from the work-item's number, and the number computed back from it if that is possible.
struct Progression {
  unsigned variable;
  ExprPtr linear_id; // GlobalLinearId, or null
};

// What a guard makes known about the variable in focus.
struct Fact {
  enum class Kind { None, LowBits, NotNegative } kind = Kind::None;
  int64_t mask = 0, bits = 0; // the bits that are known, and their values
};

// Makes one kernel from a seed: the same seed and choices give the same kernel. The kernel is complete, but not
// guarded, when run() returns it.
class Maker {
public:
  Maker(const Choices &choices, const Without &without, uint64_t seed);
  Kernel run();

  Kernel kernel;
  Function function;             // the function that is being made
  std::vector<unsigned> visible; // visible variables of the function
  std::vector<Layout> layouts;   // by memory object of the kernel
  std::vector<Progression> progressions;
  Fact fact;
  unsigned axis = 1;    // the axis along which neighbors are neighbors in columns
  unsigned columns = 8; // percentage of memory objects that are laid out in columns
  // Whether the kernel may ask about its work-group; otherwise it asks about the NDRange instead.
  bool sees_groups = true;
  int focus = -1; // a variable that expressions should preferably use
  // Whether a work-item may read its own cells of local memory and of program scope variables.
  bool locals_ready = true;
  bool reading = false;         // whether others' cells of local memory may be read, and none written
  int busy = -1;                // local memory that atomic functions change at present
  AtomicOp busy_with{};         // the kind of these functions
  Level returns = Level::Group; // places up to this level may return
  unsigned statements_left = 0;
  unsigned width = 0; // the intended sub-group size

  // Defined in maker.cpp.
  unsigned below(unsigned n) { return unsigned(random() % n); }
  uint64_t bits() { return random(); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T> const T &pick(const std::vector<T> &list) { return list[below(unsigned(list.size()))]; }
  Level atLeast(Level level) { return Level(unsigned(level) + below(3 - unsigned(level))); }
  Type anyType() { return pick(types); }
  bool allows(Op op) const { return !without.contains(op); }
  const Choices &what() const { return choices; }
  unsigned addMemory(MemoryObject object);
  unsigned addParameter(Type type, int64_t number);
  void takes(Variable parameter); // adds a parameter to the function that is being made
  std::vector<unsigned> memoriesWhere(const std::function<bool(const MemoryObject &)> &accept) const;
  std::vector<unsigned> variablesWhere(const std::function<bool(const Variable &)> &accept) const;

  // Defined in expressions.cpp.
  ExprPtr expr(Type type, Level level, unsigned depth);
  ExprPtr leaf(Type type, Level level, unsigned depth);
  ExprPtr condition(Level level, unsigned depth);
  ExprPtr steering(Level level, ExprPtr value);
  ExprPtr index(Level level, unsigned depth); // of any integer type
  ExprPtr construct(Type type, Level level, unsigned depth);
  ExprPtr conversion(Type type, Level level, unsigned depth);
  ExprPtr toNumber(Type type, Level level, unsigned depth);
  ExprPtr constant(Type type, int64_t number);
  ExprPtr anyConstant(Type type);
  ExprPtr variable(unsigned number);
  ExprPtr ask(Query query, Type type = kInt, unsigned dim = 0);
  ExprPtr operation(Op op, Type type, std::vector<ExprPtr> args);
  ExprPtr converted(Type type, ExprPtr e);

  // Defined in arithmetic.cpp.
  ExprPtr arithmetic(Type type, Level level, unsigned depth);
  ExprPtr functionCall(Type type, Level level, unsigned depth);
  ExprPtr onNumbers(Type type, Level level, unsigned depth);

  // Defined in revealing.cpp.
  ExprPtr guardOn(unsigned variable, Level level); // a condition on the variable
  ExprPtr chainOn(unsigned variable, unsigned steps);
  int64_t revealingNumber(Op op, Type type);

  // Defined in cells.cpp.
  ExprPtr cellOf(unsigned memory, ExprPtr owner, ExprPtr items, ExprPtr slot);
  ExprPtr itemsOf(unsigned memory);
  bool isRow() const;                                // whether all launches have one dimension and no offset
  ExprPtr placeInColumns(Type type, unsigned along); // for Layout::Order::ByColumns
  ExprPtr idFrom0(Type type, unsigned dim);          // the global id minus its offset
  ExprPtr ownCell(unsigned memory, ExprPtr slot);
  ExprPtr slot(unsigned memory, Level level, unsigned depth);
  unsigned anyOutput();

  // Defined in places.cpp: what has a value within memory, arrays and records.
  ExprPtr within(Expr place,
                 Level level = Level::Lane); // `within`: a scalar or vector of `place`, if that is a record
  ExprPtr subscript();                       // divergent or uniform
  ExprPtr elementOf(unsigned variable);
  ExprPtr ownElement(unsigned memory); // an element that only the calling work-item may write
  ExprPtr anyElement(unsigned memory, Level level, unsigned depth);
  std::vector<unsigned> locals() const;  // local memory that no atomic functions change at present
  bool mayRead(const Variable &v) const; // whether the variable, or what it points to, may be read
  bool mayWrite(const Variable &v) const;
  Swizzle swizzle(unsigned lanes, unsigned count, bool distinct);

  // Defined in records.cpp.
  Type addRecord();
  Type addStructure();
  ExprPtr recordValue(Type type, Level level);
  void declareRecord(Block &out, Type type);

  // Defined in addresses.cpp.
  struct Pointee {
    Type type{};
    unsigned count = 1; // number of consecutive elements
    Space space = Space::Generic;
    bool constant = false; // nothing is written there
  };
  // Returns the address of something in the first `scope` visible variables or in memory, or null if there is none.
  ExprPtr address(const Pointee &wanted, size_t scope, bool chosen = true);

  // Defined in statements.cpp.
  Block block(Place place, unsigned count); // with declarations of its own
  Block open(Place place, unsigned count);  // its declarations stay visible
  void statement(Block &out, const Place &place);
  unsigned addVariable(Variable v);
  unsigned declare(Block &out, Type type, Level place, Level level);
  unsigned declareAs(Block &out, Type type, ExprPtr value, Level level = Level::Lane);
  void declareArray(Block &out, Type type);
  bool chooseTarget(Level level, Target &target, Type &type);
  bool chooseVariable(Level level, Target &target, Type type);
  void chooseElement(Target &target, Type &type, unsigned variable);
  void chooseComponents(Target &target, Type &type); // sometimes, for a vector

private:
  const Choices &choices;
  const Without &without;
  std::mt19937_64 random;
  std::vector<Type> types; // types of this kernel's variables

  void chooseTypes();
  void chooseSizes();
  NDRange chooseRange();
  NDRange chooseShortRange();
  std::vector<size_t> chooseGlobal(const std::vector<size_t> &local);
  void startFunction(const std::string &name, Level level, unsigned statements);
  void finishFunction();
  void add(Block statements);
  void makeHelper(unsigned number);
  void writeFirst(unsigned memory);
  void makeKernel();
  ExprPtr kept(Type type, ExprPtr value);
  void keepVariables();
};

// Adds ints, a parameter of another type, and a pointer to private memory.
void addParameters(Maker &);

// The statements that generators choose from, by the file that defines them.
// statements.cpp:
void makeAssignment(Maker &, Block &, const Place &);
void makeStore(Maker &, Block &, const Place &);
void makeArray(Maker &, Block &, const Place &); // an array in private memory
// records.cpp:
void makeRecord(Maker &, Block &, const Place &);
// addresses.cpp:
void makePointer(Maker &, Block &, const Place &);     // declares a pointer
void makePointerMove(Maker &, Block &, const Place &); // lets a pointer point to something else from now on
// vectors.cpp:
void makeVectorStore(Maker &, Block &, const Place &); // vstore
// atomics.cpp:
void makeAtomic(Maker &, Block &, const Place &);
void makeLocalAtomics(Maker &, Block &, const Place &); // on local memory, between two barriers
// flow.cpp:
void makeBranch(Maker &, Block &, const Place &);
void makeLoop(Maker &, Block &, const Place &);
void makeSwitch(Maker &, Block &, const Place &);
void makeStaggeredLoop(Maker &, Block &, const Place &);
void makeLeave(Maker &, Block &, const Place &); // break, continue or return, under a condition
void makeGuard(Maker &, Block &, const Place &); // a branch on the range of a variable, which is used inside
// grids.cpp:
void makeMembers(Maker &, Block &, const Place &); // fields of the work-item's own record, one after the other
// revealing.cpp:
void makeUse(Maker &, Block &, const Place &); // uses the variable in focus, if there is one
// quotients.cpp:
void makeQuotients(Maker &, Block &, const Place &); // quotients and remainders by one divisor
// progressions.cpp:
void makeProgression(Maker &, Block &, const Place &); // for example int x = get_global_id(0) - border
// calls.cpp:
void makeCall(Maker &, Block &, const Place &);
// Calls in a loop, whose turns pass the same elements in another order.
void makeSwaps(Maker &, Block &, const Place &);
// local_memory.cpp:
void makeLocalStore(Maker &, Block &, const Place &);
void makeExchange(Maker &, Block &, const Place &); // every work-item writes a cell, then reads what others wrote
// sub_group_calls.cpp:
void makeSubGroupCall(Maker &, Block &, const Place &);
// turns.cpp:
void makeTurns(Maker &, Block &, const Place &); // turns of sub-groups
void makeRelay(Maker &, Block &, const Place &); // turns of work-groups

// Defined in grids.cpp. Adds memory with a place for each work-item and a border around them, so that a work-item's
// neighbors are also within the memory.
unsigned addGrid(Maker &, const char *name, Type);

// Leaves, defined in leaves.cpp.
ExprPtr variableLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr elementLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr componentLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr inputLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr parameterLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr queryLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr subGroupQueryLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr localLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr ownOutputLeaf(Maker &, Type, Level, unsigned depth); // what was written before
// Leaves that are defined in the files of their statements.
ExprPtr pointsToLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr swizzleLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr vectorLoadLeaf(Maker &, Type, Level, unsigned depth);
// grids.cpp:
ExprPtr gridLeaf(Maker &, Type, Level, unsigned depth); // what neighboring work-items find next to each other
// images.cpp:
ExprPtr imageLeaf(Maker &, Type, Level, unsigned depth);

} // namespace lanecl::fuzz
