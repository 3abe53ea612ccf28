// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions of the kernel language: trees that never change, shared between copies of a kernel.
#pragma once

#include "language/operations.h"
#include "language/types.h"

#include <memory>
#include <vector>

namespace lanecl::fuzz {

enum class Query {
  GlobalId,
  LocalId,
  GroupId,
  LocalSize,
  NumGroups,
  GlobalSize,
  GlobalOffset,
  EnqueuedLocalSize, // those before take a dimension
  GlobalLinearId,
  LocalLinearId,
  LocalItems,  // of the work-group
  GlobalItems, // of the NDRange
  LaneId,      // from here on they ask about sub-groups
  SubGroupId,
  SubGroupSize,
  MaxSubGroupSize,
  NumSubGroups,
  EnqueuedNumSubGroups
};

// Where a pointer points to. A generic one may point to private, local or global memory.
enum class Space : uint8_t { Generic, Private, Local, Global, Constant };

// Components of a vector, as they are chosen and spelled: v.s02, v.xz; the halves as v.lo, v.hi, v.even, v.odd.
struct Swizzle {
  enum class Spelling : uint8_t { Numbers, Letters, Half } spelling = Spelling::Numbers;
  std::vector<uint8_t> components{};
};

// What a Piecewise puts its components into before it reads them as one value.
enum class Pieces : uint8_t { Union, Vector, Array };

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  enum class Kind {
    Constant,     // number: its bits; of a float or half, quarters
    Variable,     // variable
    Element,      // variable[args[0]] of an array or behind a pointer; of a record without a subscript. Then `path`
    Load,         // memory[args[0]], then `path`
    Part,         // the args[1]th value of `type` in the bytes of args[0], a scalar or vector in memory: by the union
                  // that it is (see Field::overlaid), or behind a cast pointer
    Address,      // of args[0], which is a Variable, an Element or a Load
    VectorLoad,   // vloadn(args[0], args[1]), args[1] a pointer; of a float from a half, vload_halfn
    PointsTo,     // whether the pointer args[0] points to `space`
    ReadImage,    // the texel of `memory` at args[0], an int or a vector of as many as the image has dimensions
    Parameter,    // of the kernel: number
    Query,        // query of dimension number
    Operation,    // op(args)
    Select,       // args[0] ? args[1] : args[2], of which one is evaluated
    VectorSelect, // args[0] ? args[1] : args[2] by component
    Convert,      // args[0] by value, integers truncated; number: a Rounding
    ConvertSat,   // args[0] by value, saturated; likewise
    Reinterpret,  // the bits of args[0], which has the same size; with `number` they must be no NaN
    Disguise,     // args[0], so that the compiler cannot see on whom it depends; with `number` by the id in the NDRange
    Piecewise,    // the bits of a vector args[0], of which memory got the components of `swizzle`, one after the other,
                  // and the other bits nothing; by number, see Pieces
    Shuffle,      // components of args[0], or of it and args[1], as the last vector says: shuffle and shuffle2
    Component,    // number of the vector args[0]
    Swizzle,      // several components of the vector args[0]
    Construct     // a vector of the args, or of one in all components
  } kind = Kind::Constant;
  Type type{};
  std::vector<ExprPtr> args{};
  int64_t number = 0;
  unsigned variable = 0;
  unsigned memory = 0;
  Op op = Op::Add;
  fuzz::Query query = fuzz::Query::GlobalId;
  std::vector<uint8_t> path{};  // fields, one within the other; each that is an array takes a subscript of args
  fuzz::Swizzle swizzle{};      // of a Swizzle
  bool pointer = false;         // the value is an address, `type` what lies there
  Space space = Space::Generic; // of an address that is taken: generic ones are converted at once

  // Some work-item takes it where the plain text would be undefined: overflow, division by zero, an index outside; or
  // where a half would be a NaN, whose bits are anybody's choice.
  // Then it is printed with its guard. All others are printed plainly, whatever the work-items that do not come by
  // would make of them. The value is the same.
  bool guarded = false;

  // Printed plainly also where OpenCL C leaves the value open: a quotient of zero, a conversion out of range, mul24 of
  // more than 24 bits, clamp between bounds that are the wrong way round. Then its bits are unknown.
  bool plain = false;
};

inline ExprPtr make(Expr e) {
  return std::make_shared<const Expr>(std::move(e));
}

} // namespace lanecl::fuzz
