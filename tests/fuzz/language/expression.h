// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions of the kernel language. They are trees that never change and that copies of a kernel share.
#pragma once

#include "language/operations.h"
#include "language/types.h"

#include <memory>
#include <vector>

namespace lanecl::fuzz {

// Built-in functions that a work-item calls to learn its ids and the sizes of what it is in.
enum class Query {
  GlobalId,
  LocalId,
  GroupId,
  LocalSize,
  NumGroups,
  GlobalSize,
  GlobalOffset,
  EnqueuedLocalSize, // the queries up to here take a dimension
  GlobalLinearId,
  LocalLinearId,
  LocalItems,  // number of work-items of the work-group
  GlobalItems, // number of work-items of the NDRange
  LaneId,      // the queries from here on are about sub-groups
  SubGroupId,
  SubGroupSize,
  MaxSubGroupSize,
  NumSubGroups,
  EnqueuedNumSubGroups
};

// The address space that a pointer points to. A generic pointer may point to private, local or global memory.
enum class Space : uint8_t { Generic, Private, Local, Global, Constant };

// Components of a vector, and how they are written: v.s02 or v.xz; halves as v.lo, v.hi, v.even, v.odd.
struct Swizzle {
  enum class Spelling : uint8_t { Numbers, Letters, Half } spelling = Spelling::Numbers;
  std::vector<uint8_t> components{};
};

// What a Piecewise writes its components to before it reads them as one value.
enum class Pieces : uint8_t { Union, Vector, Array };

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// A node of an expression. Which members it uses depends on its kind.
struct Expr {
  enum class Kind {
    Constant, // number: its bits; for a floating-point type, a count of quarters
    Variable, // the value of `variable`
    // variable[args[0]], for an array or a pointer; without a subscript for a record. `path` follows.
    Element,
    Load, // memory[args[0]], followed by `path`
    // The value number args[1] of `type` in the bytes of args[0], which is a scalar or vector in memory. It is accessed
    // through the union that it is a member of (see Field::overlaid), or through a cast pointer.
    Part,
    Address,    // the address of args[0], which is a Variable, an Element or a Load
    VectorLoad, // vloadn(args[0], args[1]), where args[1] is a pointer; vload_halfn if it loads a float from a half
    PointsTo,   // whether the pointer args[0] points to `space`
    // The texel of `memory` at args[0]: an int, or a vector with as many components as the image has dimensions.
    ReadImage,
    Parameter,    // parameter `number` of the kernel
    Query,        // `query`, for dimension `number`
    Operation,    // op(args)
    Select,       // args[0] ? args[1] : args[2], of which one is evaluated
    VectorSelect, // args[0] ? args[1] : args[2] for each component
    Convert,      // args[0] converted by value, truncated for integers; number: a Rounding
    ConvertSat,   // the same, saturated
    // The bits of args[0], which has the same size. If `number` is set, a NaN is not allowed.
    Reinterpret,
    // args[0], disguised so that the compiler cannot see which work-items it depends on. With `number`, the disguise
    // uses the id in the NDRange.
    Disguise,
    // The bits of a vector args[0] that was written to memory piece by piece: first memory gets the components that
    // `swizzle` names, one after the other, and the other bits stay unwritten. `number` says what it is written to, see
    // Pieces.
    Piecewise,
    // Components of args[0], or of args[0] and args[1], that the last argument selects: shuffle and shuffle2.
    Shuffle,
    Component, // component `number` of the vector args[0]
    Swizzle,   // several components of the vector args[0]
    Construct  // a vector of the args, or of a single arg in all components
  } kind = Kind::Constant;
  Type type{};
  std::vector<ExprPtr> args{};
  int64_t number = 0;
  unsigned variable = 0;
  unsigned memory = 0;
  Op op = Op::Add;
  fuzz::Query query = fuzz::Query::GlobalId;
  // Fields, one within the other; each field that is an array takes a subscript from args.
  std::vector<uint8_t> path{};
  fuzz::Swizzle swizzle{};      // for Kind::Swizzle
  bool pointer = false;         // the value is an address, and `type` is the type of what lies there
  Space space = Space::Generic; // of an address that is taken; a generic one is converted at once

  // Some work-item evaluates the expression where the plain text would be undefined: an overflow, a division by zero,
  // an index that is out of bounds, or a NaN in a half, whose bits are not specified. Such an expression is printed
  // with its guard. All others are printed plainly, whatever they would do for work-items that do not reach them. The
  // guard does not change the value where it is defined.
  bool guarded = false;

  // The expression is printed plainly even if OpenCL C leaves the value open: a quotient by zero, a conversion out of
  // range, mul24 of more than 24 bits, clamp with bounds in the wrong order. The value's bits are then unknown.
  bool plain = false;
};

inline ExprPtr make(Expr e) {
  return std::make_shared<const Expr>(std::move(e));
}

} // namespace lanecl::fuzz
