// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values some of whose bits OpenCL C leaves open, and what may be done with them. They are in variables of their own,
// see Variable::open, which other expressions and statements do not use.
#pragma once

#include "generate/maker.h"

namespace lanecl::fuzz {

unsigned bytesOf(Type type); // including the fourth component that a vector of three has in memory

// Defined in open_values.cpp: where open bits come from.
ExprPtr zeroOf(Maker &, Type scalar);        // recognized by the compiler early, late or never
ExprPtr openQuotient(Maker &, Type);         // a quotient or a remainder
ExprPtr openConversion(Maker &, Type);       // of numbers out of range and of NaNs
ExprPtr openFunction(Maker &, Type);         // mul24, mad24 or clamp
ExprPtr openReinterpretation(Maker &, Type); // of a vector of three; null if no type has that size
ExprPtr settledValue(Maker &, Type);         // one of the first three above
// Defined in open_expressions.cpp: what becomes of open bits.
Type openType(Maker &);
ExprPtr openExpr(Maker &, Type, unsigned depth);
ExprPtr openCondition(Maker &);
std::vector<unsigned> openVariables(const Maker &, const std::function<bool(const Variable &)> &accept);
// Defined in closed_expressions.cpp: expressions that contain open bits, but whose value is known.
ExprPtr closedExpr(Maker &, Type, unsigned depth);

// Statements, defined in open_variables.cpp.
void makeOpenVariable(Maker &, Block &, const Place &);
void makeOpenAssignment(Maker &, Block &, const Place &);
void makeSettled(Maker &, Block &, const Place &);   // a scalar that never changes
void makeOpenArray(Maker &, Block &, const Place &); // an array of vectors, some of whose components are written
// Some members of a record are written, then the record is copied.
void makeOpenRecord(Maker &, Block &, const Place &);
void makeOpenStore(Maker &, Block &, const Place &);
void makeClosed(Maker &, Block &, const Place &); // a known value is stored to a variable that other code uses
// Defined in open_flow.cpp: what depends on open bits and is overwritten.
void makeOpenBranch(Maker &, Block &, const Place &);
void makeOpenLoop(Maker &, Block &, const Place &);
void makeOpenSwitch(Maker &, Block &, const Place &);
void makeTested(Maker &, Block &, const Place &); // a quotient that is used if a test finds its divisor not zero
void makeOverwritten(Maker &, Block &, const Place &);

} // namespace lanecl::fuzz
