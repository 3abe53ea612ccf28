// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a kernel that is valid for every work-item: no data race, synchronization in flow that is uniform enough, and
// every loop ends. Levels (see Level) are kept by construction: what stands in a place of some level depends on values
// of that level or below. Undefined arithmetic gets its guards afterwards, see guards.h.
#pragma once

#include "generate/choices.h"

#include <random>

namespace lanecl::fuzz {

// Elements before and behind those that are the work-items' own in a grid.
inline constexpr unsigned kBorder = 3;

// Functions that no kernel has: --without.
using Without = std::set<Op>;

// An output or local memory whose cells are the work-items' own: which of them is whose.
struct Layout {
  // ByColumns: of the NDRange, so that neighbours along y are neighbours in memory.
  enum class Order { Straight, Reversed, Rotated, ByColumns } order = Order::Straight;
  unsigned axis = 1;    // instead of y
  bool by_slot = false; // all first cells, then all second ones; else each work-item's cells in a row
  Base index = Base::ULong;
  unsigned next_slot = 0;
};

// A variable that follows a work-item's number, and that number computed from it, where that is possible.
struct Progression {
  unsigned variable;
  ExprPtr linear_id; // GlobalLinearId, or null
};

// What a guard tells of the variable in focus.
struct Fact {
  enum class Kind { None, LowBits, NotNegative } kind = Kind::None;
  int64_t mask = 0, bits = 0; // the bits that are known
};

class Maker {
public:
  Maker(const Choices &choices, const Without &without, uint64_t seed);
  Kernel run();

  Kernel kernel;
  Function function;             // that is made
  std::vector<unsigned> visible; // its variables
  std::vector<Layout> layouts;   // of the kernel's memory objects
  std::vector<Progression> progressions;
  Fact fact;
  unsigned axis = 1;            // along which neighbours are neighbours in columns
  unsigned columns = 8;         // of a hundred memory objects, how many are laid out in them
  bool sees_groups = true;      // queries of work-groups are asked; else of the NDRange in their place
  int focus = -1;               // a variable that expressions should rather use
  bool locals_ready = true;     // a work-item's own cells of local memory and program scope variables may be read
  bool reading = false;         // others' cells of local memory may be read, and none be written
  int busy = -1;                // local memory that atomic functions change now
  AtomicOp busy_with{};         // and the kind of function
  Level returns = Level::Group; // places up to this level may return
  unsigned statements_left = 0;
  unsigned width = 0; // the sub-group size that is meant

  // maker.cpp
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
  void takes(Variable parameter); // the function that is made
  std::vector<unsigned> memoriesWhere(const std::function<bool(const MemoryObject &)> &accept) const;
  std::vector<unsigned> variablesWhere(const std::function<bool(const Variable &)> &accept) const;

  // expressions.cpp
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

  // arithmetic.cpp
  ExprPtr arithmetic(Type type, Level level, unsigned depth);
  ExprPtr functionCall(Type type, Level level, unsigned depth);
  ExprPtr onNumbers(Type type, Level level, unsigned depth);

  // telling.cpp
  ExprPtr guardOn(unsigned variable, Level level); // a condition on it
  ExprPtr chainOn(unsigned variable, unsigned steps);
  int64_t tellingNumber(Op op, Type type);

  // cells.cpp
  ExprPtr cellOf(unsigned memory, ExprPtr owner, ExprPtr items, ExprPtr slot);
  ExprPtr itemsOf(unsigned memory);
  bool isRow() const;                                // all launches are of one dimension and without an offset
  ExprPtr placeInColumns(Type type, unsigned along); // for Layout::Order::ByColumns
  ExprPtr idFrom0(Type type, unsigned dim);          // the global id without its offset
  ExprPtr ownCell(unsigned memory, ExprPtr slot);
  ExprPtr slot(unsigned memory, Level level, unsigned depth);
  unsigned anyOutput();

  // places.cpp: what has a value within memory, arrays and records
  ExprPtr within(Expr place,
                 Level level = Level::Lane); // a scalar or vector of the record that `place` is, if it is one
  ExprPtr subscript();                       // divergent or not
  ExprPtr elementOf(unsigned variable);
  ExprPtr ownElement(unsigned memory); // which the work-item alone may write
  ExprPtr anyElement(unsigned memory, Level level, unsigned depth);
  std::vector<unsigned> locals() const;  // local memory that no atomic functions change now
  bool mayRead(const Variable &v) const; // what it points to, if it is a pointer
  bool mayWrite(const Variable &v) const;
  Swizzle swizzle(unsigned lanes, unsigned count, bool distinct);

  // records.cpp
  Type addRecord();
  Type addStructure();
  ExprPtr recordValue(Type type, Level level);
  void declareRecord(Block &out, Type type);

  // addresses.cpp
  struct Pointee {
    Type type{};
    unsigned count = 1; // elements in a row
    Space space = Space::Generic;
    bool constant = false; // nothing is written there
  };
  // The address of something in the first `scope` of the visible variables or in memory; null where there is none.
  ExprPtr address(const Pointee &wanted, size_t scope, bool chosen = true);

  // statements.cpp
  Block block(Place place, unsigned count); // with declarations of its own
  Block open(Place place, unsigned count);  // whose declarations stay visible
  void statement(Block &out, const Place &place);
  unsigned addVariable(Variable v);
  unsigned declare(Block &out, Type type, Level place, Level level);
  unsigned declareAs(Block &out, Type type, ExprPtr value, Level level = Level::Lane);
  void declareArray(Block &out, Type type);
  bool chooseTarget(Level level, Target &target, Type &type);
  bool chooseVariable(Level level, Target &target, Type type);
  void chooseElement(Target &target, Type &type, unsigned variable);
  void chooseComponents(Target &target, Type &type); // of a vector, now and then

private:
  const Choices &choices;
  const Without &without;
  std::mt19937_64 random;
  std::vector<Type> types; // of this kernel's variables

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

// Ints, another type, a pointer to private memory.
void addParameters(Maker &);

// Statements that generators choose from, by file.
// statements.cpp
void makeAssignment(Maker &, Block &, const Place &);
void makeStore(Maker &, Block &, const Place &);
void makeArray(Maker &, Block &, const Place &); // in private memory
// records.cpp
void makeRecord(Maker &, Block &, const Place &);
// addresses.cpp
void makePointer(Maker &, Block &, const Place &);     // a variable
void makePointerMove(Maker &, Block &, const Place &); // it points to something else from now on
// vectors.cpp
void makeVectorStore(Maker &, Block &, const Place &); // vstore
// atomics.cpp
void makeAtomic(Maker &, Block &, const Place &);
void makeLocalAtomics(Maker &, Block &, const Place &); // on local memory, between two barriers
// flow.cpp
void makeBranch(Maker &, Block &, const Place &);
void makeLoop(Maker &, Block &, const Place &);
void makeSwitch(Maker &, Block &, const Place &);
void makeStaggeredLoop(Maker &, Block &, const Place &);
void makeLeave(Maker &, Block &, const Place &); // break, continue, return under a condition
void makeGuard(Maker &, Block &, const Place &); // a branch on where a variable lies, which uses it inside
// grids.cpp
void makeMembers(Maker &, Block &, const Place &); // fields of one's own record, one after the other
// telling.cpp
void makeUse(Maker &, Block &, const Place &); // of the variable in focus, if there is one
// quotients.cpp
void makeQuotients(Maker &, Block &, const Place &); // and remainders by one divisor
// progressions.cpp
void makeProgression(Maker &, Block &, const Place &); // int x = get_global_id(0) - border and the like
// calls.cpp
void makeCall(Maker &, Block &, const Place &);
void makeSwaps(Maker &, Block &, const Place &); // in a loop, whose turns hand the same elements over in another order
// local_memory.cpp
void makeLocalStore(Maker &, Block &, const Place &);
void makeExchange(Maker &, Block &, const Place &); // everybody writes a cell, then reads what others wrote
// sub_group_calls.cpp
void makeSubGroupCall(Maker &, Block &, const Place &);
// turns.cpp
void makeTurns(Maker &, Block &, const Place &); // of sub-groups
void makeRelay(Maker &, Block &, const Place &); // of work-groups

// grids.cpp: with a place for each work-item and a border, so that neighbours are in memory.
unsigned addGrid(Maker &, const char *name, Type);

// Leaves, in leaves.cpp.
ExprPtr variableLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr elementLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr componentLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr inputLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr parameterLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr queryLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr subGroupQueryLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr localLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr ownOutputLeaf(Maker &, Type, Level, unsigned depth); // what was written before
// In the files of their statements.
ExprPtr pointsToLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr swizzleLeaf(Maker &, Type, Level, unsigned depth);
ExprPtr vectorLoadLeaf(Maker &, Type, Level, unsigned depth);
// grids.cpp
ExprPtr gridLeaf(Maker &, Type, Level, unsigned depth); // what neighbours find beside each other
// images.cpp
ExprPtr imageLeaf(Maker &, Type, Level, unsigned depth);

} // namespace lanecl::fuzz
