// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inserts the calls that checking passes need into the scalar kernel. A checking pass only adds such calls, so a
// checked kernel computes the same results as an unchecked one. Calls of the run time are made lane by lane, but calls
// that only compute, such as those for bounds, are made once where their operands are uniform.
#pragma once

#include "vectorizer/contract/check_site.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// The functions of CheckRuntime, as generated code names them.
inline constexpr llvm::StringLiteral kCheckBegin = "lanecl.check.begin";
inline constexpr llvm::StringLiteral kCheckReadEnd = "lanecl.check.read.end";
inline constexpr llvm::StringLiteral kCheckWriteEnd = "lanecl.check.write.end";
inline constexpr llvm::StringLiteral kCheckFound = "lanecl.check.found";
inline constexpr llvm::StringLiteral kCheckFoundInCall = "lanecl.check.found.in.call";
inline constexpr llvm::StringLiteral kCheckReached = "lanecl.check.reached";
inline constexpr llvm::StringLiteral kCheckDone = "lanecl.check.done";
inline constexpr llvm::StringLiteral kCheckBegun = "lanecl.check.begun";

// Whether a function is one of those that checks call.
bool isCheckCall(const llvm::Function &callee);

// Uninitialized values (mark_initialization.h). A call of kCheckUnwritten, (i64 number), returns such a value; a call
// of kCheckDecides, (value), marks a value that decides what the program does. Both exist for any type, whose name
// follows the prefix after a point.
inline constexpr llvm::StringLiteral kCheckUnwritten = "lanecl.check.unwritten", kCheckDecides = "lanecl.check.decides";
// Creates an uninitialized value of the variable of this name. Values with different numbers are never merged.
llvm::Value *createUnwritten(llvm::IRBuilderBase &b, llvm::Type *type, uint64_t number, llvm::StringRef variable);
bool isUnwritten(const llvm::Value &value);
std::string variableOf(const llvm::CallInst &unwritten); // the variable's name; empty: unknown
// Inserts before `at` that `value` decides something. `function` says what: "branch", or what depends on it.
void tellDecision(llvm::Instruction &at, llvm::Value *value, llvm::StringRef function);
// Returns what a call of kCheckDecides decides; nothing if the instruction is no such call.
std::optional<std::string> decisionOf(const llvm::Instruction &instruction);
// Returns the address of the shadow memory, an i64: see CheckRuntime::shadow.
llvm::Value *createShadowBase(llvm::IRBuilderBase &b);

// Calls of primitives. Where they are inserted determines which lanes are active.
llvm::Value *createLaneId(llvm::IRBuilderBase &b);
llvm::Value *createActiveMask(llvm::IRBuilderBase &b);   // i64
llvm::Value *createSubGroupSize(llvm::IRBuilderBase &b); // i32: lanes that exist
llvm::Value *createWidth(llvm::IRBuilderBase &b);        // i32
// Returns the value of the first active lane. The type is i32 or i64.
llvm::Value *createFirstLanes(llvm::IRBuilderBase &b, llvm::Value *value);

llvm::Value *createExistingMask(llvm::IRBuilderBase &b); // i64, the mask of the lanes that exist

// Returns the program's calls of functions for which is_wanted(name) holds; the name is the one in OpenCL C. Calls
// within the built-in library are not returned: they have no source location in the program.
llvm::SmallVector<std::pair<llvm::CallBase *, llvm::StringRef>>
findCalls(llvm::Function &function, llvm::function_ref<bool(llvm::StringRef)> is_wanted);
bool beginsWithAny(llvm::StringRef name, std::initializer_list<llvm::StringRef> prefixes);

// Creates the bounds, as i64, of the memory that a pointer points into: see CheckRuntime.
llvm::Value *createMemoryBegin(llvm::IRBuilderBase &b, llvm::Value *pointer); // i64
llvm::Value *createMemoryEnd(llvm::IRBuilderBase &b, llvm::Value *pointer, bool of_writes);

// A piece of memory that reports can name: see abi::CheckSite.
struct NamedMemory {
  abi::CheckMemory kind = abi::CheckMemory::Unknown;
  std::string name;
  uint64_t bytes = 0; // its size; 0: only the launch knows it
};

// The description of a pointer's memory that a kept function gets, all as i64: its address, its size (0: to be found at
// run time), and the address of its abi::CheckObject (0: the memory has no name). Addresses are numbers, so that they
// have the same type for every address space and are uniform where lanes share the memory.
struct ArgumentMemory {
  llvm::Value *begin, *bytes, *object;
};

// Returns the address of the memory's abi::CheckObject, as an i64 constant; 0 if the memory has no name.
llvm::Constant *createObject(llvm::Module &module, const NamedMemory &memory);

// Reports that a rule is broken if `broken` holds, in a new block before the instruction `at`. `function` names the
// OpenCL C function or the operation whose rule it is. `value` and `other` are i64. Each report splits the block, which
// moves all that follows; passes therefore report the last instruction of a block first, so that each is moved once.
void reportIf(llvm::Value *broken, llvm::Instruction &at, abi::CheckRule rule, llvm::StringRef function,
              llvm::Value *value, llvm::Value *other, const NamedMemory &memory = {},
              const llvm::DebugLoc &place = {}, // the reported location; by default the location of `at`
              llvm::Value *object = nullptr);   // ArgumentMemory::object, if the memory was passed to a kept function

// Records, before the instruction, that the sub-group has reached it. `arguments` is an i64 that stands for the call's
// arguments.
void recordArrival(llvm::Instruction &at, llvm::StringRef function, llvm::Value *arguments);

// Record an access at the place of `b`, and barriers and fences before the instruction, with the parameters of
// CheckRuntime::record_access, record_barrier and record_fence. Each is one call for each lane here, and becomes one
// call for all lanes in widen/widen_checks.cpp.
void recordAccess(llvm::IRBuilderBase &b, llvm::Instruction &access, llvm::Value *pointer, llvm::Value *bytes,
                  uint32_t kind, llvm::Value *value, const NamedMemory &memory, llvm::Value *object);
void recordBarrier(llvm::Instruction &barrier, bool of_work_group, llvm::Value *flags);
void recordFence(llvm::Instruction &instruction);

// The calls of one lane have the parameters (site, i64 address, i64 bytes, i64 value, i32 kind, i32 sub_group, i64
// group) for an access, (i32 sub_group, i32 of_work_group, i32 flags) for a barrier, and none for a fence. The calls of
// all lanes have the parameters of CheckRuntime's functions.
inline constexpr llvm::StringLiteral kLaneAccess = "lanecl.check.lane.access",
                                     kLanesAccess = "lanecl.check.lanes.access";
// In a kept function, these follow the parameters of an access: the address of the abi::CheckObject, and the
// abi::CheckCall.
inline constexpr llvm::StringLiteral kLaneAccessInCall = "lanecl.check.lane.access.in.call",
                                     kLanesAccessInCall = "lanecl.check.lanes.access.in.call";
inline constexpr llvm::StringLiteral kLaneBarrier = "lanecl.check.lane.barrier",
                                     kLanesBarrier = "lanecl.check.lanes.barrier";
inline constexpr llvm::StringLiteral kLaneFence = "lanecl.check.lane.fence", kLanesFence = "lanecl.check.lanes.fence";

// Creates a copy of a pointer to the start of the memory, which carries the memory's name. Optimizations cannot look
// through the copy, so an address that is computed from it still shows where it comes from after them.
llvm::Value *createMark(llvm::IRBuilderBase &b, llvm::Value *pointer, const NamedMemory &memory);
// Returns the memory of such a copy; nothing for other values.
std::optional<NamedMemory> marked(const llvm::Value &value);
// Does the same for a pointer that a kept function gets.
llvm::Value *createArgumentMark(llvm::IRBuilderBase &b, llvm::Value *pointer, const ArgumentMemory &memory);
// Returns the memory of such a copy; nothing for other values.
std::optional<ArgumentMemory> argumentMemory(const llvm::Value &value);
// Replaces all such copies by the pointers themselves.
void removeMarks(llvm::Function &function);

// Type (ptr calls, call): returns an abi::CheckCall on the stack of the calling function. It is valid until the same
// function makes the next one.
inline constexpr llvm::StringLiteral kCheckCall = "lanecl.check.call";
// Creates that call before a call of a kept function. `own_call` is the abi::CheckCall of the calling function; null:
// that is a kernel.
llvm::Value *createCheckCall(llvm::CallBase &call, llvm::Value *own_call);

// Gives the reports of a function their sites, which name the source location and the functions that it was inlined
// into. Must run after inlining. `own_call` is the parameter by which a kept function gets its abi::CheckCall; null:
// the function is a kernel.
void placeReports(llvm::Function &function, llvm::Value *own_call);

} // namespace lanecl::vectorizer
