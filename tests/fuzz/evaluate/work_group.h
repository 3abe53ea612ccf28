// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The evaluation of one work-group. The member functions are defined in several files, by subject.
#pragma once

#include "evaluate/callers.h"
#include "evaluate/cells.h"

#include <map>

namespace lanecl::fuzz {

enum class Flow { Next, Break, Continue, Return };

// A place in memory: cell `position` of an object that has `size` cells.
struct Address {
  unsigned memory = 0; // 0: the work-item's stack; otherwise the number of a memory object plus one
  uint32_t begin = 0;  // first cell of the object
  uint32_t size = 0;
  int64_t position = 0;

  static Address fromBits(uint64_t bits);
  uint64_t bits() const; // the value that a pointer to it holds
};

// The state of one work-item.
struct Item {
  std::array<size_t, 3> local{};
  size_t linear = 0;             // number in the work-group
  int32_t global_linear = 0;     // number in the NDRange
  std::vector<uint64_t> stack{}; // variables of the functions that are being called, scalar by scalar
  // Whether each scalar has a value; a value whose bits are unknown counts if it is settled.
  std::vector<uint8_t> assigned{};
  std::vector<uint64_t> unknown{}; // which bits of each scalar are unknown
  size_t base = 0;                 // where the variables of the running function start
  Flow flow = Flow::Next;
  Value result{};
};
using Items = std::vector<Item *>;

// The state of a launch, which its work-groups share.
struct Launch {
  const Kernel &kernel;
  const NDRange &range;
  unsigned width; // size of sub-groups
  Unguarded &unguarded;
  std::vector<Cells> memory{};                        // by memory object; empty for local ones
  std::vector<std::vector<size_t>> variable_places{}; // by function: where each variable is in the function's frame
  std::vector<size_t> frame_sizes{};
  uint64_t budget = 2'000'000 + 500 * range.items(); // number of steps left
  Watch *watch;                                      // may be null
  uint64_t choice;                                   // the assumed value of unknown bits

  Launch(const Kernel &kernel, const NDRange &range, unsigned width, Unguarded &unguarded, Watch *watch,
         uint64_t choice);
};

// Evaluates the kernel for one work-group. Its work-items run in turn; they run in step where they synchronize or
// exchange values, see in_step.cpp.
class WorkGroup {
public:
  WorkGroup(Launch &launch, std::array<size_t, 3> number, unsigned position);
  void run();

private:
  Launch &launch;
  const Kernel &kernel = launch.kernel;
  std::array<size_t, 3> number, size;
  unsigned position;   // when the work-group takes its turns
  unsigned relays = 0; // how many turns it has taken
  std::vector<Item> items;
  std::vector<Cells> locals; // local memory, by number of the memory object
  unsigned function = 0;     // the function that is running

  void makeItems();
  void enter(unsigned callee, const Items &active);
  void spend();
  void look(const Stmt &s, const Item &item);

  // Defined in expressions.cpp.
  size_t place(const Item &item, unsigned variable) const;
  const Variable &variableAt(unsigned index) const { return kernel.functions[function].variables[index]; }
  Value value(const ExprPtr &e, Item &item);
  uint64_t bits(const ExprPtr &e, Item &item) { return known(value(e, item)); }
  Wide integer(const ExprPtr &e, Item &item) { return wide(e->type.base, bits(e, item)); }
  Value compound(const Expr &e, Item &item);
  Value operation(const Expr &e, Item &item);
  Value logical(const Expr &e, Item &item);
  Value conversion(const Expr &e, const Value &v);
  Value toSmallNumber(const Expr &e, const Value &v);
  Value reinterpretation(const Expr &e, const Value &v);

  // Defined in unknown.cpp: what becomes of bits that may be anything.
  Scalar anything(Base base) const;
  Value knownValue(const ExprPtr &e, Item &item);
  void unguard(const Expr &e);
  bool isLeftOpen(const Expr &e) const;
  Value operationOnUnknown(const Expr &e, const Value (&args)[3]);
  Value logicalOnUnknown(const Expr &e, bool left, Item &item);
  Value conversionOfUnknown(const Expr &e, const Value &v);
  Value selected(const Expr &e, Item &item);
  Value reinterpreted(Type to, Type from, const Value &v) const;
  Value piecewise(const Expr &e, const Value &v) const;
  Value shuffled(const Expr &e, Item &item);

  // Defined in either_way.cpp: one work-item for which it is unknown which way it goes.
  using Place = std::pair<unsigned, size_t>; // number of the memory object, and cell
  using Journal = std::map<Place, Scalar>;   // what cells held before they were written
  Journal *journal = nullptr;                // of the way that is being evaluated, or null
  void note(unsigned memory, size_t cell);
  void eitherWay(Item &item, bool first_is_taken, const std::function<void()> &first,
                 const std::function<void()> &second);

  // Defined in queries.cpp.
  uint64_t query(const Expr &e, const Item &item) const;
  size_t subGroupSize(const Item &item) const;

  // Defined in memory.cpp.
  Address locate(const Expr &e, Item &item);
  void follow(const Expr &e, size_t subscript, Address &address, Item &item);
  int64_t subscript(const Expr &e, size_t arg, unsigned count, Item &item);
  Value read(const Address &address, Type type, Item &item);
  void write(const Address &address, unsigned count, const Value &v, Item &item);
  Value load(const Expr &e, Item &item);
  Value address(const Expr &e, Item &item);
  Value vectorLoad(const Expr &e, Item &item);
  Value readImage(const Expr &e, Item &item);
  bool pointsTo(const Expr &e, Item &item);
  void vectorStore(const Stmt &s, Item &item);
  Cells &cells(unsigned memory);
  void assign(const Target &target, const Value &v, Item &item);
  void declare(const Stmt &s, Item &item);
  void store(const Stmt &s, Item &item);
  void atomic(const Stmt &s, Item &item);
  void barrier();

  // Defined in parts.cpp.
  size_t partOffset(const Expr &e, Item &item);
  Value part(const Expr &e, Item &item);
  void assignPart(const Target &target, const Value &v, Item &item);

  // Defined in statements.cpp: for one work-item.
  void block(const Block &statements, Item &item);
  void statement(const Stmt &s, Item &item);
  void loop(const Stmt &s, Item &item);
  void switchStatement(const Stmt &s, Item &item);
  void startLoop(const Stmt &s, Item &item);
  Truth again(const Stmt &s, Item &item);
  void count(const Stmt &s, Item &item);
  void branch(const Stmt &s, Item &item);
  void goOn(const Stmt &s, Item &item, bool first_round);
  bool runRound(const Stmt &s, Item &item);
  size_t chosenCase(const Stmt &s, uint64_t bits) const;
  void cases(const Stmt &s, size_t first, Item &item);
  void anyCase(const Stmt &s, const Value &v, uint64_t from, Item &item);

  // Defined in in_step.cpp: for several work-items.
  void inStep(const Block &statements, const Items &active);
  void inStep(const Stmt &s, const Items &active);
  void together(const Stmt &s, const Items &active);
  void branchTogether(const Stmt &s, const Items &active);
  void switchTogether(const Stmt &s, const Items &active);
  void loopTogether(const Stmt &s, const Items &active);
  void call(const Stmt &s, const Items &active);
  Address frame(const Item &item, unsigned variable) const;

  // Defined in sub_groups.cpp.
  void subGroupCall(const Stmt &s, const Items &active);
  Callers callersOf(const Stmt &s, const Items &active);
  void findPlace(Callers &callers) const;
  Results results(Callers &callers, const Items &active);
  Results inWholeSubGroup(Callers &callers, const Items &active);
  size_t subGroupNumber(const Item &first) const;
  size_t scratchOf(unsigned memory, const Item &first) const;
  void keepStored(const Callers &callers, const Item &first);
  Results blockLoad(const Callers &callers, const Items &active);

  // Defined in turns.cpp.
  void takeTurns(const Stmt &s, const Items &active);
  void takeTurn(const Stmt &s, Cells &cells, unsigned first, const Items &waiting);
  Value takeTurn(const Stmt &s, Cells &cells, unsigned first, Item &item);
  void relay(const Stmt &s, const Items &active);
  uint32_t rotationOf(const Stmt &s, const Items &active);

  // Defined in locks.cpp.
  void lock(const Stmt &s, Item &item);
  unsigned firstLockSum(bool of_group) const;

  // Defined in image_blocks.cpp.
  Results imageBlock(const Callers &callers, const Item &first);

  // Defined in blocks_2d.cpp.
  size_t regionOf(const Callers &callers, const Item &first) const;
  Results block2dRead(const Callers &callers, const Item &first);
  Results block2dWrite(const Callers &callers, const Item &first);
  Results block2dPrefetch(const Callers &callers, const Item &first);
};

} // namespace lanecl::fuzz
