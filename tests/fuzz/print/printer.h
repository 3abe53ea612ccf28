// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints one kernel. The member functions are defined in several files, by subject.
#pragma once

#include "print/print.h"

#include <sstream>

namespace lanecl::fuzz {

using Helpers = std::set<std::string>; // definitions of helper functions that the text uses

// Returns a constant of the type; `number` counts quarters if the type is a floating-point one.
std::string literal(Type type, int64_t number);
std::string spelled(const Swizzle &swizzle, unsigned lanes);
// Returns the suffix for a block function's component type and their number, such as _us4. The suffix for uints may be
// left out.
std::string blockSuffix(Type type, bool is_short = false);
// The number of the sub-group's first lane among all lanes of the NDRange.
std::string firstLaneHelper();
// Counts the turns that a work-item has seen; an array or a pointer to it.
std::string turnCounter(const MemoryObject &object);
std::string spelled(Space space); // followed by a space, unless it is empty

// A number that no counter of turns reaches. Loops that give up after so many turns never do.
inline constexpr const char *kNeverReached = "4000000000u";

// Prints a kernel and its helper functions as OpenCL C. Names at program scope end in the kernel's name, so that
// several kernels fit into one program. The arithmetic of a guarded expression is printed so that its behavior is
// defined.
class Printer {
public:
  Printer(const Kernel &kernel, bool constants_at_build, Helpers &helpers);
  std::string run();
  std::string options() const;
  // The line of run()'s result on which each statement starts, counted from 1.
  const std::map<const Stmt *, unsigned> &statementLines() const { return lines; }

private:
  const Kernel &kernel;
  const bool constants_at_build;
  Helpers &helpers;
  const Function *function = nullptr;
  std::ostringstream text;
  std::map<const Stmt *, unsigned> lines;
  int indent = 1;
  unsigned labels = 0; // number of labels so far

  // Defined in program.cpp.
  void records();
  void programVariables();
  void helper(const Function &f);
  void entry(const Function &f);
  std::string parameterName(size_t number) const;
  std::string passed() const;
  std::string sharedParameters(bool of_kernel, bool restricted) const;
  std::string functionName(const Function &f) const { return f.name + "_" + kernel.name; }
  std::string typeName(Type type) const;
  std::string nameOfMemory(const MemoryObject &object) const;
  std::string declaration(const Variable &v) const;
  std::set<unsigned> usedRecords() const;

  // Defined in statements.cpp.
  std::ostream &line() { return text << std::string(size_t(indent) * 2, ' '); }
  void block(const Block &statements);
  void nested(const Block &statements);
  void statement(const Stmt &s);
  void declare(const Stmt &s);
  void branch(const Stmt &s);
  void switchStatement(const Stmt &s);
  void forLoop(const Stmt &s);
  void whileLoop(const Stmt &s);
  void atomic(const Stmt &s);
  void vectorStore(const Stmt &s);
  void call(const Stmt &s);
  std::string target(const Target &t);

  // Defined in sub_groups.cpp.
  void subGroupCall(const Stmt &s);
  void guardedCall(const Stmt &s);
  void barrier(const Stmt &s);
  void matrix(const Stmt &s);
  void blockLoad(const Stmt &s);
  std::string elementOfInput(const Stmt &s, const std::string &index);
  void throughMemory(const Stmt &s);
  std::string fill(const Stmt &s);
  std::string fetched(const Stmt &s);
  std::string kept(const Stmt &s, const std::string &result);

  // Defined in turns.cpp.
  void startTurns();
  void takeTurns(const Stmt &s);
  void startTurn(const Stmt &s);
  void takeTurn(const Stmt &s);
  void takeTurnEach(const Stmt &s);
  void takeTurnInStep(const Stmt &s);
  void turnFence(const Stmt &s);
  void branch(const std::string &condition, const std::function<void()> &inside);
  void braced(const std::string &head, const std::function<void()> &inside);
  bool isRelay(const Stmt &s) const; // whether the turns are those of work-groups
  std::string spread(const Stmt &s, const std::string &taker) const;
  std::string scopeOf(const Stmt &s) const;
  std::string given(const Stmt &s) const;
  std::string meeting(const Stmt &s) const;
  std::string turnPointer(const Stmt &s, bool atomic) const;

  // Defined in turn_loops.cpp.
  void waitForTurn(const Stmt &s);
  void waitEndlessly(const Stmt &s, const std::string &entry);
  void waitEntered(const Stmt &s);
  void startAsking(const Stmt &s);
  void startCounting(const Stmt &s);
  std::string isCounting(const Stmt &s) const;
  std::string answer(const Stmt &s);
  std::string asked(const Stmt &s) const;
  std::string asker(const Stmt &s);
  std::string askerOfSubGroup(const Stmt &s);

  // Defined in locks.cpp.
  void startLocks();
  void lock(const Stmt &s);
  void lockInLoop(const Stmt &s);
  void lockOnce(const Stmt &s, const std::string &end);
  void lockByStates(const Stmt &s);
  void lockBySwitch(const Stmt &s);
  void underLock(const Stmt &s);
  void takeInner();
  void giveLock(const Stmt &s);
  void useMailbox(const Stmt &s);
  std::string taken(const Stmt &s);

  // Defined in image_blocks.cpp.
  void imageBlock(const Stmt &s);
  std::string imageBlockRead(const Stmt &s, size_t first);

  // Defined in blocks_2d.cpp.
  void block2d(const Stmt &s);
  void block2dRead(const Stmt &s);
  void block2dWrite(const Stmt &s);
  std::string block2dCall(const Stmt &s, size_t first, const std::string &data);

  // Defined in expressions.cpp.
  std::string expr(const ExprPtr &e);
  std::string subscript(const Expr &e, size_t arg, unsigned count);
  std::string path(const Expr &e, Type type, size_t subscripts);
  std::string element(const Expr &e);
  bool isVolatile(unsigned memory) const;
  std::string load(const Expr &e, bool plainly = false);
  std::string part(const Expr &e);
  std::string address(const Expr &e);
  std::string selectPointer(const Expr &e);
  std::string vectorLoad(const Expr &e);
  std::string readImage(const Expr &e);
  std::string query(const Expr &e) const;
  std::string conversion(const Expr &e);
  std::string list(const std::vector<ExprPtr> &args);
  std::string piecewise(const Expr &e);
  std::string narrowed(Type type, const std::string &promoted) const;

  // Defined in operations.cpp.
  std::string operation(const Expr &e);
  std::string infix(const Expr &e);
  std::string wrapping(const Expr &e);
  std::string division(const Expr &e);
  std::string functionCall(const Expr &e);
  std::string bounded(unsigned lanes, const std::string &value, int most);
  std::string inIntegers(const Expr &e);
  std::string settled(Type type, const std::string &value);
};

} // namespace lanecl::fuzz
