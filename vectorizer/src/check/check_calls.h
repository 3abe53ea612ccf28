// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that checking passes insert into the scalar kernel. Lanes make them one by one, but those that only compute
// are made once where their operands are uniform.
#pragma once

#include "vectorizer/contract/check_site.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

inline constexpr llvm::StringLiteral kCheckBegin = "lanecl.check.begin";
inline constexpr llvm::StringLiteral kCheckReadEnd = "lanecl.check.read.end";
inline constexpr llvm::StringLiteral kCheckWriteEnd = "lanecl.check.write.end";
inline constexpr llvm::StringLiteral kCheckFound = "lanecl.check.found";
inline constexpr llvm::StringLiteral kCheckFoundInCall = "lanecl.check.found.in.call";
inline constexpr llvm::StringLiteral kCheckReached = "lanecl.check.reached";
inline constexpr llvm::StringLiteral kCheckDone = "lanecl.check.done";
inline constexpr llvm::StringLiteral kCheckBegun = "lanecl.check.begun";

// Whether it is called by what checks insert.
bool isCheckCall(const llvm::Function &callee);

// What nobody has written, see mark_initialisation.h: a value of that kind, (i64 number); and a value that decides what
// the program does, (value). Both for any type, whose name is behind a point.
inline constexpr llvm::StringLiteral kCheckUnwritten = "lanecl.check.unwritten", kCheckDecides = "lanecl.check.decides";
llvm::Value *createUnwritten(llvm::IRBuilderBase &b, llvm::Type *type, uint64_t number, llvm::StringRef variable);
bool isUnwritten(const llvm::Value &value);
std::string variableOf(const llvm::CallInst &unwritten); // its name; empty: not known
void tellDecision(llvm::Instruction &at, llvm::Value *value, llvm::StringRef function);
// The function that a decision names; null: no decision.
std::optional<std::string> decisionOf(const llvm::Instruction &instruction);
// i64, see CheckRuntime::shadow.
llvm::Value *createShadowBase(llvm::IRBuilderBase &b);

// Calls of primitives.
llvm::Value *createLaneId(llvm::IRBuilderBase &b);
llvm::Value *createActiveMask(llvm::IRBuilderBase &b);                     // i64
llvm::Value *createSubGroupSize(llvm::IRBuilderBase &b);                   // i32: lanes that exist
llvm::Value *createWidth(llvm::IRBuilderBase &b);                          // i32
llvm::Value *createFirstLanes(llvm::IRBuilderBase &b, llvm::Value *value); // of the first active lane; i32 or i64

llvm::Value *createExistingMask(llvm::IRBuilderBase &b); // i64: of the lanes that exist

// The program's calls of functions whose names in OpenCL C a check asks for. The built-in library's own calls have no
// place in the program.
llvm::SmallVector<std::pair<llvm::CallBase *, llvm::StringRef>>
findCalls(llvm::Function &function, llvm::function_ref<bool(llvm::StringRef)> is_wanted);
bool beginsWithAny(llvm::StringRef name, std::initializer_list<llvm::StringRef> prefixes);

// The memory around a pointer, see CheckRuntime.
llvm::Value *createMemoryBegin(llvm::IRBuilderBase &b, llvm::Value *pointer); // i64
llvm::Value *createMemoryEnd(llvm::IRBuilderBase &b, llvm::Value *pointer, bool of_writes);

// Memory that has a name, see abi::CheckSite.
struct NamedMemory {
  abi::CheckMemory kind = abi::CheckMemory::Unknown;
  std::string name;
  uint64_t bytes = 0; // 0: only the launch knows
};

// What the caller of a kept function says of the memory that a pointer belongs to: where it begins, how long it is (0:
// to be asked for at run time) and its abi::CheckObject (0: it has no name). All i64: addresses of memory that lanes
// share are the same for them, of whatever address space.
struct PassedMemory {
  llvm::Value *begin, *bytes, *object;
};

// The address, an i64 constant, of what says this; 0: it has no name.
llvm::Constant *createObject(llvm::Module &module, const NamedMemory &memory);

// Reports, where `broken` holds, what breaks a rule at the instruction, in a block of its own before it. The function
// names whose rule it is. Both values are i64. In a block the last is made first: each moves all that is behind it.
void reportIf(llvm::Value *broken, llvm::Instruction &at, abi::CheckRule rule, llvm::StringRef function,
              llvm::Value *value, llvm::Value *other, const NamedMemory &memory = {},
              const llvm::DebugLoc &place = {}, // by default the instruction's
              llvm::Value *object = nullptr);   // of memory that was passed: PassedMemory::object

// Tells, before the instruction, that the sub-group has reached it, and with which arguments; an i64.
void tellArrival(llvm::Instruction &at, llvm::StringRef function, llvm::Value *arguments);

// Tells what CheckRuntime::accessed, passed and synchronized get: of an access where `b` stands, of others before the
// instruction. These calls become one for all lanes, see widen_checks.cpp.
void tellAccess(llvm::IRBuilderBase &b, llvm::Instruction &access, llvm::Value *pointer, llvm::Value *bytes,
                uint32_t kind, llvm::Value *value, const NamedMemory &memory, llvm::Value *object);
void tellBarrier(llvm::Instruction &barrier, bool of_work_group, llvm::Value *flags);
void tellSynchronization(llvm::Instruction &instruction);

// Those of one lane: (site, i64 address, i64 bytes, i64 value, i32 kind, i32 sub_group, i64 group), (i32 sub_group, i32
// of_work_group, i32 flags) and (); and those of all lanes, as CheckRuntime has them.
inline constexpr llvm::StringLiteral kCheckAccess = "lanecl.check.access", kCheckAccessed = "lanecl.check.accessed";
// In a kept function, with the address of the object and the call behind these.
inline constexpr llvm::StringLiteral kCheckAccessInCall = "lanecl.check.access.in.call",
                                     kCheckAccessedInCall = "lanecl.check.accessed.in.call";
inline constexpr llvm::StringLiteral kCheckPass = "lanecl.check.pass", kCheckPassed = "lanecl.check.passed";
inline constexpr llvm::StringLiteral kCheckSynchronize = "lanecl.check.synchronize",
                                     kCheckSynchronized = "lanecl.check.synchronized";

// A pointer to the begin of the memory. Optimizations see nothing of what it points to, so that all that is computed
// from it still shows where it came from.
llvm::Value *createMark(llvm::IRBuilderBase &b, llvm::Value *pointer, const NamedMemory &memory);
std::optional<NamedMemory> marked(const llvm::Value &value); // of such a pointer
// The same of a pointer that a kept function gets.
llvm::Value *createPassedMark(llvm::IRBuilderBase &b, llvm::Value *pointer, const PassedMemory &memory);
std::optional<PassedMemory> passedMemory(const llvm::Value &value); // of such a pointer
void removeMarks(llvm::Function &function);

// (ptr calls, call): an abi::CheckCall on the stack, which lasts until the next one of the same function is made.
inline constexpr llvm::StringLiteral kCheckCall = "lanecl.check.call";
llvm::Value *createCheckCall(llvm::CallBase &call, llvm::Value *own_call);

// The reports so far get their sites: the place of the call with those that it was inlined from. After inlining. In a
// kept function `own_call` is how it was called; null: the function is a kernel.
void placeReports(llvm::Function &function, llvm::Value *own_call);

} // namespace lanecl::vectorizer
