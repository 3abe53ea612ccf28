// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel: its functions, what it is given, and how it is launched.
#pragma once

#include "language/records.h"
#include "language/statement.h"

#include <functional>

namespace lanecl::fuzz {

// An image, and what kernels do with it.
struct ImageShape {
  unsigned dims = 2, width = 1, height = 1, depth = 1;
  unsigned channels = 4; // R, RG or RGBA
  Base base = Base::Int; // of a channel: an integer of up to 32 bits
  enum class Access : uint8_t { Read, Write, ReadWrite } access = Access::Read;
  unsigned writer = 0; // the sub-group that alone writes, by its number in the NDRange
};

// An array in memory.
struct MemoryObject {
  enum class Role {
    Input,       // of `count` elements, a power of two; never written
    Zeros,       // as many zeros, which the compiler does not know
    Table,       // of `count` elements in constant memory, declared by the program
    Image,       // `type` is what a read gives
    Output,      // `count` elements for each work-item of the NDRange
    Kept,        // the same, for the variables in the end
    Open,        // the same, for values with unknown bits, which are not compared
    Counters,    // changed by atomic functions only
    Relay,       // the turns of work-groups
    Locks,       // and what they protect, see Locking
    Twin,        // the memory of the Output `twin`, by another argument
    Program,     // `count` elements for each work-item of the NDRange, declared by the program, written before read
    Local,       // `count` elements for each work-item of the work-group, declared by the kernel
    LocalGiven,  // the same as an argument
    Turns,       // those of sub-groups, in local memory declared by the kernel
    LocalLocks,  // the same
    Scratch,     // through which sub-group functions go: `count` elements for each lane, unused ones included
    LocalScratch // the same in local memory, an argument
  } role = Role::Input;
  std::string name{};
  Type type{};
  unsigned count = 0;
  unsigned number = 0; // that its contents depend on
  unsigned twin = 0;
  bool is_filled = false; // an output, with any numbers at first
  ImageShape image{};

  bool isLocal() const { return role == Role::Local || role == Role::LocalGiven; }
  bool isScratch() const { return role == Role::Scratch || role == Role::LocalScratch; }
  bool isOfTurns() const { return role == Role::Turns || role == Role::Relay; }
  bool isDeclaredForAll() const { return role == Role::Turns || role == Role::LocalLocks; } // in local memory
  bool isInLocalMemory() const { return isLocal() || role == Role::LocalScratch || isDeclaredForAll(); }
  bool isOfItems() const {
    return role == Role::Output || role == Role::Kept || role == Role::Open || role == Role::Program;
  }
  bool isRead() const { return role <= Role::Table; } // by any work-item at any index, and never written
  bool isCompared() const {
    return role == Role::Output || role == Role::Kept || role == Role::Open || role == Role::Counters ||
           role == Role::Relay || role == Role::Locks || role == Role::Scratch ||
           (role == Role::Image && image.access != ImageShape::Access::Read);
  }
};

struct NDRange {
  std::vector<size_t> global{}, local{}, offset{}; // global need be no multiple of local
  bool open = false;                               // the device chooses the local size; no work-item can tell it

  size_t globalSize(unsigned dim) const { return dim < global.size() ? global[dim] : 1; }
  size_t localSize(unsigned dim) const { return dim < local.size() ? local[dim] : 1; }
  size_t globalOffset(unsigned dim) const { return dim < offset.size() ? offset[dim] : 0; }
  size_t groups(unsigned dim) const { return (globalSize(dim) + localSize(dim) - 1) / localSize(dim); }
  size_t items() const { return globalSize(0) * globalSize(1) * globalSize(2); }
  size_t groupItems() const { return localSize(0) * localSize(1) * localSize(2); } // of the largest work-group
  size_t groupLanes() const; // with the unused ones of its last sub-group, however large sub-groups are
};

struct Parameter {
  Type type{};
  uint64_t bits = 0;
};

struct Kernel {
  std::string name{};
  uint64_t seed = 0;           // of the contents of its memory, too
  unsigned required_width = 0; // of a sub-group, by attribute; 0 leaves it to the device
  // Built with options that permit excess precision and any order of operations. So numbers are small whole ones, which
  // all ways to compute lead to, and the signs of their zeros do not count.
  bool relaxed = false;
  bool required_local = false; // the local size as an attribute; all launches have it
  bool shares_buffer = false;  // all buffers are parts of one
  Turns::Order group_order{};  // in which work-groups take turns, and are evaluated
  std::vector<Parameter> parameters{};
  std::vector<Record> records{};
  std::vector<MemoryObject> memories{};
  std::vector<Function> functions{}; // the kernel itself is the last one and returns nothing
  std::vector<NDRange> launches{};

  size_t maxGroupItems() const;
  size_t maxItems() const;
  size_t elements(unsigned memory, const NDRange &range) const; // that a launch needs
};

// What numbers are in relaxed kernels: at first, and what operations may make of them.
inline constexpr int kMostAtFirst = 2, kMostComputed = 128;

// Contents of a kernel's memory, scalar by scalar as raw bits; one vector for each memory object, local ones are empty.
using Contents = std::vector<std::vector<uint64_t>>;
Contents initialContents(const Kernel &kernel, const NDRange &range);

// Fills in what each statement and function needs.
void findNeeds(Kernel &kernel);
// Whether results depend on the size of sub-groups.
bool asksForSubGroups(const Kernel &kernel);

// The scalars and vectors of which a value of that type consists, in order.
std::vector<Type> leavesOf(Type type, const std::vector<Record> &records);
// Whether `memory` of such an expression or statement counts.
bool usesMemory(const Expr &e);
bool usesMemory(const Stmt &s);

// Every expression of a statement, those of its blocks not included.
void forEachExpression(Stmt &s, const std::function<void(ExprPtr &)> &visit);
void forEachStatement(Block &block, const std::function<void(Stmt &)> &visit); // nested ones included
void forEachStatement(const Block &block, const std::function<void(const Stmt &)> &visit);
// The tree with every node replaced, leaves first.
ExprPtr rewrite(const ExprPtr &e, const std::function<ExprPtr(const ExprPtr &original, Expr copy)> &change);

} // namespace lanecl::fuzz
