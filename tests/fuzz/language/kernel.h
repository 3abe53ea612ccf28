// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel: its functions, its arguments, and how it is launched.
#pragma once

#include "language/records.h"
#include "language/statement.h"

#include <functional>

namespace lanecl::fuzz {

// The shape of an image, and what kernels do with it.
struct ImageShape {
  unsigned dims = 2, width = 1, height = 1, depth = 1;
  unsigned channels = 4; // 1, 2 or 4: R, RG or RGBA
  Base base = Base::Int; // type of a channel: an integer of up to 32 bits
  enum class Access : uint8_t { Read, Write, ReadWrite } access = Access::Read;
  unsigned writer = 0; // the only sub-group that writes, by its number in the NDRange
};

// An array in memory.
struct MemoryObject {
  enum class Role {
    Input,    // `count` elements, a power of two; never written
    Zeros,    // as many zeros, which the compiler does not know to be zero
    Table,    // `count` elements in constant memory, declared by the program
    Image,    // an image; `type` is the type of a read
    Output,   // `count` elements for each work-item of the NDRange
    Kept,     // the same, for the values of variables at the end
    Open,     // the same, for values with unknown bits, which are not compared
    Counters, // changed by atomic functions only
    Relay,    // the turns of work-groups
    Locks,    // locks and what they protect, see Locking
    Twin,     // the memory of the Output `twin`, as another argument
    // `count` elements for each work-item of the NDRange, declared by the program and written before they are read.
    Program,
    Local,      // `count` elements for each work-item of the work-group, declared by the kernel
    LocalGiven, // the same, as an argument
    Turns,      // the turns of sub-groups, in local memory declared by the kernel
    LocalLocks, // locks in such memory
    // Memory that sub-group functions go through: `count` elements for each lane, including unused lanes.
    Scratch,
    LocalScratch // the same in local memory, as an argument
  } role = Role::Input;
  std::string name{};
  Type type{};
  unsigned count = 0;
  unsigned number = 0; // the contents depend on this number
  unsigned twin = 0;
  bool is_filled = false; // an output that initially contains arbitrary numbers
  ImageShape image{};

  bool isLocal() const { return role == Role::Local || role == Role::LocalGiven; }
  bool isScratch() const { return role == Role::Scratch || role == Role::LocalScratch; }
  bool isOfTurns() const { return role == Role::Turns || role == Role::Relay; }
  bool isDeclaredForAll() const { return role == Role::Turns || role == Role::LocalLocks; } // in local memory
  bool isInLocalMemory() const { return isLocal() || role == Role::LocalScratch || isDeclaredForAll(); }
  bool isOfItems() const {
    return role == Role::Output || role == Role::Kept || role == Role::Open || role == Role::Program;
  }
  // Whether any work-item reads it at any index, and none writes it.
  bool isRead() const { return role <= Role::Table; }
  bool isCompared() const {
    return role == Role::Output || role == Role::Kept || role == Role::Open || role == Role::Counters ||
           role == Role::Relay || role == Role::Locks || role == Role::Scratch ||
           (role == Role::Image && image.access != ImageShape::Access::Read);
  }
};

// One launch. Vectors may be shorter than three dimensions; the sizes of missing dimensions are 1 and their offsets 0.
struct NDRange {
  std::vector<size_t> global{}, local{}, offset{}; // `global` need not be a multiple of `local`
  // The device chooses the local size; no work-item can tell which one.
  bool open = false;

  size_t globalSize(unsigned dim) const { return dim < global.size() ? global[dim] : 1; }
  size_t localSize(unsigned dim) const { return dim < local.size() ? local[dim] : 1; }
  size_t globalOffset(unsigned dim) const { return dim < offset.size() ? offset[dim] : 0; }
  size_t groups(unsigned dim) const { return (globalSize(dim) + localSize(dim) - 1) / localSize(dim); }
  size_t items() const { return globalSize(0) * globalSize(1) * globalSize(2); }
  size_t groupItems() const { return localSize(0) * localSize(1) * localSize(2); } // of the largest work-group
  size_t groupLanes() const; // including the unused lanes of its last sub-group, for any size of sub-groups
};

// A scalar parameter of the kernel and the value that all launches pass.
struct Parameter {
  Type type{};
  uint64_t bits = 0;
};

// A kernel with its helper functions, its memory and its launches.
struct Kernel {
  std::string name{};
  uint64_t seed = 0;           // also determines the contents of the kernel's memory
  unsigned required_width = 0; // sub-group size as an attribute; 0 leaves it to the device
  // The kernel is built with options that permit excess precision and any order of operations. Its numbers are
  // therefore small whole numbers, for which all ways to compute lead to the same result, and the signs of zeros are
  // not compared.
  bool relaxed = false;
  bool required_local = false; // the local size is an attribute, and all launches have it
  bool shares_buffer = false;  // all buffers are parts of one buffer
  Turns::Order group_order{};  // the order in which work-groups take turns, and in which they are evaluated
  std::vector<Parameter> parameters{};
  std::vector<Record> records{};
  std::vector<MemoryObject> memories{};
  std::vector<Function> functions{}; // the kernel itself is the last one and returns nothing
  std::vector<NDRange> launches{};

  size_t maxGroupItems() const;
  size_t maxItems() const;
  size_t elements(unsigned memory, const NDRange &range) const; // number of elements that a launch needs
};

// The largest numbers in relaxed kernels: initially, and as results of operations.
inline constexpr int kMostAtFirst = 2, kMostComputed = 128;

// The contents of a kernel's memory, scalar by scalar as raw bits. There is one vector for each memory object; those of
// local objects are empty.
using Contents = std::vector<std::vector<uint64_t>>;
Contents initialContents(const Kernel &kernel, const NDRange &range);

// Fills in what each statement and each function needs.
void findNeeds(Kernel &kernel);
// Whether results depend on the size of sub-groups.
bool asksForSubGroups(const Kernel &kernel);

// Returns the scalars and vectors that make up a value of that type, in order.
std::vector<Type> leavesOf(Type type, const std::vector<Record> &records);
// Whether the member `memory` has a meaning for such an expression or statement.
bool usesMemory(const Expr &e);
bool usesMemory(const Stmt &s);

// Visits every expression of a statement, except those in its blocks.
void forEachExpression(Stmt &s, const std::function<void(ExprPtr &)> &visit);
void forEachStatement(Block &block, const std::function<void(Stmt &)> &visit); // including nested ones
void forEachStatement(const Block &block, const std::function<void(const Stmt &)> &visit);
// Returns the tree with every node replaced, leaves first.
ExprPtr rewrite(const ExprPtr &e, const std::function<ExprPtr(const ExprPtr &original, Expr copy)> &change);

} // namespace lanecl::fuzz
