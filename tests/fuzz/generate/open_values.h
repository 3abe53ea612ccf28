// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values of which OpenCL C leaves bits open, and what may be done with them. They are in variables of their own, see
// Variable::open, which other expressions and statements leave alone.
#pragma once

#include "generate/maker.h"

namespace lanecl::fuzz {

unsigned bytesOf(Type type); // with the fourth component that a vector of three has in memory

// open_values.cpp: where open bits come from.
ExprPtr zeroOf(Maker &, Type scalar);        // which the compiler learns early, late or never
ExprPtr openQuotient(Maker &, Type);         // or a remainder
ExprPtr openConversion(Maker &, Type);       // of numbers out of range and of NaNs
ExprPtr openFunction(Maker &, Type);         // mul24, mad24, clamp
ExprPtr openReinterpretation(Maker &, Type); // of a vector of three; null where no type has that size
ExprPtr settledValue(Maker &, Type);         // one of the first three
// open_expressions.cpp: what they become.
Type openType(Maker &);
ExprPtr openExpr(Maker &, Type, unsigned depth);
ExprPtr openCondition(Maker &);
std::vector<unsigned> openVariables(const Maker &, const std::function<bool(const Variable &)> &accept);
// closed_expressions.cpp: expressions that hold open bits, and whose own are known all the same.
ExprPtr closedExpr(Maker &, Type, unsigned depth);

// Statements. open_variables.cpp
void makeOpenVariable(Maker &, Block &, const Place &);
void makeOpenAssignment(Maker &, Block &, const Place &);
void makeSettled(Maker &, Block &, const Place &);    // a scalar that never changes
void makeOpenArray(Maker &, Block &, const Place &);  // of vectors of which some components are written
void makeOpenRecord(Maker &, Block &, const Place &); // some of its members are written, then it is copied
void makeOpenStore(Maker &, Block &, const Place &);
void makeClosed(Maker &, Block &, const Place &); // what is known goes to a variable that others use
// open_flow.cpp: what depends on open bits and is overwritten.
void makeOpenBranch(Maker &, Block &, const Place &);
void makeOpenLoop(Maker &, Block &, const Place &);
void makeOpenSwitch(Maker &, Block &, const Place &);
void makeTested(Maker &, Block &, const Place &); // a quotient, used where a test finds its divisor not zero
void makeOverwritten(Maker &, Block &, const Place &);

} // namespace lanecl::fuzz
