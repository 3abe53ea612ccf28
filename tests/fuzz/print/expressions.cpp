// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints expressions other than operations, which are in operations.cpp.
#include "print/printer.h"

#include <utility>

namespace lanecl::fuzz {

namespace {

// Indexed by Query. Those before get_global_linear_id take a dimension.
constexpr const char *kQueries[] = {
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_local_size",
    "get_num_groups",
    "get_global_size",
    "get_global_offset",
    "get_enqueued_local_size",
    "get_global_linear_id()",
    "get_local_linear_id()",
    "(get_local_size(0) * get_local_size(1) * get_local_size(2))",
    "(get_global_size(0) * get_global_size(1) * get_global_size(2))",
    "get_sub_group_local_id()",
    "get_sub_group_id()",
    "get_sub_group_size()",
    "get_max_sub_group_size()",
    "get_num_sub_groups()",
    "get_enqueued_num_sub_groups()",
};

// Returns a decimal literal. C has no literal for the least number, so it is printed as a difference.
std::string signedLiteral(int64_t number, int64_t lowest, const std::string &suffix) {
  if (number == lowest)
    return "(-" + std::to_string(uint64_t(-(lowest + 1))) + suffix + "-1" + suffix + ")";
  const std::string text = std::to_string(number) + suffix;
  return number < 0 ? "(" + text + ")" : text;
}

} // namespace

std::string literal(Type type, int64_t number) {
  if (type.base == Base::Float)
    return "(" + std::to_string(number) + " * 0.25f)";
  if (!isInteger(type.base))
    return "((" + nameOf(type) + ")(" + std::to_string(number) + " * 0.25))";
  const uint64_t bits = truncated(type.base, uint64_t(number));
  const int64_t value = extended(type.base, bits);
  switch (type.base) {
  case Base::Int: return signedLiteral(value, INT32_MIN, "");
  case Base::Long: return signedLiteral(value, INT64_MIN, "L");
  case Base::UInt: return std::to_string(bits) + "u";
  case Base::ULong: return std::to_string(bits) + "UL";
  default: return "((" + nameOf(type) + ")" + std::to_string(value) + ")";
  }
}

namespace {

using Components = std::vector<uint8_t>;

// Returns the component numbers from `first` up to but excluding `end`, in steps.
Components every(unsigned first, unsigned end, unsigned step) {
  Components result;
  for (unsigned i = first; i < end; i += step)
    result.push_back(uint8_t(i));
  return result;
}

// Returns the name of that half of a vector, or an empty string if the components are not a half.
std::string halfOf(const Components &components, unsigned lanes) {
  return components == every(0, lanes / 2, 1)       ? "lo"
         : components == every(lanes / 2, lanes, 1) ? "hi"
         : components == every(0, lanes, 2)         ? "even"
         : components == every(1, lanes, 2)         ? "odd"
                                                    : "";
}

} // namespace

std::string spelled(const Swizzle &swizzle, unsigned lanes) {
  if (swizzle.spelling == Swizzle::Spelling::Half && lanes != 3)
    if (const std::string half = halfOf(swizzle.components, lanes); !half.empty())
      return half;
  const bool letters = swizzle.spelling == Swizzle::Spelling::Letters && lanes <= 4;
  std::string result = letters ? "" : "s";
  for (uint8_t c : swizzle.components)
    result += letters ? "xyzw"[c] : "0123456789abcdef"[c];
  return result;
}

std::string spelled(Space space) {
  constexpr const char *kNames[] = {"", "private ", "local ", "global ", "constant "};
  return kNames[unsigned(space)];
}

// Converts an int, which a narrower scalar was promoted to, back to its type.
std::string Printer::narrowed(Type type, const std::string &promoted) const {
  return isPromoted(type) ? "((" + nameOf(type) + ")" + promoted + ")" : promoted;
}

// Prints a subscript of an array whose element count is a power of two; the guard is a mask.
std::string Printer::subscript(const Expr &e, size_t arg, unsigned count) {
  return "[" + expr(e.args[arg]) + (e.guarded ? " & " + std::to_string(count - 1) : "") + "]";
}

// Prints the fields from a record down to the one that is accessed. `subscripts` is the first operand that is a
// subscript of a field.
std::string Printer::path(const Expr &e, Type type, size_t subscripts) {
  std::string result;
  for (uint8_t number : e.path) {
    const Field &field = kernel.records[type.record - 1].fields[number];
    result += "." + field.name;
    if (field.array)
      result += subscript(e, subscripts++, field.count);
    if (field.overlaid)
      result += ".whole";
    type = field.type;
  }
  return result;
}

// Prints an element of an array or a field of a record, or either one through a pointer.
std::string Printer::element(const Expr &e) {
  const Variable &v = function->variables[e.variable];
  const bool subscripted = v.array || v.pointer;
  std::string result = v.name;
  if (v.pointer && v.count == 1 && !e.path.empty())
    return v.name + "->" + path(e, v.type, 1).substr(1); // the only subscript is zero
  if (subscripted)
    result += subscript(e, 0, v.count);
  return result + path(e, v.type, subscripted);
}

// Whether the kernel accesses the elements of this memory as volatile ones. The values are the same, but no pass may
// join, move or remove the accesses. One in eight kernels has such memory.
bool Printer::isVolatile(unsigned memory) const {
  const MemoryObject &object = kernel.memories[memory];
  const bool is_buffer = object.isInLocalMemory() || object.isOfItems() || object.role == MemoryObject::Role::Input;
  return is_buffer && kernel.seed % 8 == 3 && (kernel.seed / 8 + memory) % 2 == 0;
}

// Prints an element of memory. `plainly` leaves out the volatile access, for an operand of &.
std::string Printer::load(const Expr &e, bool plainly) {
  const MemoryObject &object = kernel.memories[e.memory];
  const std::string index = object.isRead() ? subscript(e, 0, object.count) : "[" + expr(e.args[0]) + "]";
  std::string element = nameOfMemory(object) + index;
  if (!plainly && isVolatile(e.memory))
    element = std::string("(*(volatile ") + (object.isInLocalMemory() ? "local " : "global ") + typeName(object.type) +
              " *)&" + element + ")";
  return element + path(e, object.type, 1);
}

// Prints a part, such as s.u.in_uchar[2] or ((global uchar *)&s.x)[2].
std::string Printer::part(const Expr &e) {
  const Expr &whole = *e.args[0];
  const std::string place = expr(e.args[0]), at = subscript(e, 1, partsOf(whole.type, e.type));
  if (const std::string end = ".whole"; place.ends_with(end))
    return place.substr(0, place.size() - end.size()) + ".in_" + nameOf(e.type) + at;
  const bool is_pointer = whole.kind == Expr::Kind::Element && function->variables[whole.variable].pointer;
  const Space space = whole.kind == Expr::Kind::Load
                          ? kernel.memories[whole.memory].isLocal() ? Space::Local : Space::Global
                      : is_pointer ? function->variables[whole.variable].space
                                   : Space::Private;
  return "((" + spelled(space) + nameOf(e.type) + " *)&" + place + ")" + at;
}

// Prints the address of a variable, an element or a field; a generic pointer is cast to its type.
std::string Printer::address(const Expr &e) {
  const Expr &place = *e.args[0];
  const std::string text = "&" + (place.kind == Expr::Kind::Load ? load(place, /*plainly=*/true) : expr(e.args[0]));
  return e.space == Space::Generic ? "((" + typeName(e.type) + " *)" + text + ")" : "(" + text + ")";
}

// A conditional operator does not accept pointers to disjoint address spaces, although both convert to generic ones.
std::string Printer::selectPointer(const Expr &e) {
  const auto choice = [&](const ExprPtr &arg) {
    const bool named = arg->kind == Expr::Kind::Variable && function->variables[arg->variable].space != Space::Generic;
    return named && e.space == Space::Generic ? "((" + typeName(e.type) + " *)" + expr(arg) + ")" : expr(arg);
  };
  return "(" + expr(e.args[0]) + " ? " + choice(e.args[1]) + " : " + choice(e.args[2]) + ")";
}

std::string Printer::vectorLoad(const Expr &e) {
  const std::string offset = expr(e.args[0]) + (e.guarded ? " & " + std::to_string(e.number - 1) : "");
  const std::string lanes = e.type.lanes > 1 ? std::to_string(e.type.lanes) : "",
                    operands = "(" + offset + ", " + expr(e.args[1]) + ")";
  if (e.args[1]->type.base != e.type.base)
    return "vload_half" + lanes + operands;
  return "vload" + lanes + operands;
}

std::string Printer::readImage(const Expr &e) {
  const MemoryObject &object = kernel.memories[e.memory];
  const std::string sampler = std::string("CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | ") +
                              (e.number == 0 ? "CLK_ADDRESS_CLAMP" : "CLK_ADDRESS_CLAMP_TO_EDGE");
  return std::string(isSigned(object.type.base) ? "read_imagei(" : "read_imageui(") + object.name + ", " + sampler +
         ", " + expr(e.args[0]) + ")";
}

// Prints a query, converted unless the function returns that type anyway.
std::string Printer::query(const Expr &e) const {
  std::string text = kQueries[unsigned(e.query)];
  if (e.query < Query::GlobalLinearId)
    text += "(" + std::to_string(e.number) + ")";
  const Base natural = e.query < Query::LaneId ? Base::ULong : Base::UInt;
  return e.type.base == natural ? text : "((" + nameOf(e.type) + ")" + text + ")";
}

// A number that the integer type cannot hold in some lane is saturated. This changes nothing in the lanes where it
// fits.
std::string Printer::conversion(const Expr &e) {
  const Type type = e.type;
  std::string value = expr(e.args[0]), suffix = suffixOf(Rounding(e.number));
  if (e.guarded && !isInteger(type.base)) {
    value = "convert_" + nameOf({Base::Int, type.lanes}) + "_sat" + std::exchange(suffix, "") + "(" + value + ")";
    value = bounded(type.lanes, value, kMostAtFirst);
  }
  if (e.kind == Expr::Kind::ConvertSat || (e.guarded && isInteger(type.base)))
    return "convert_" + nameOf(type) + "_sat" + suffix + "(" + value + ")";
  if (type.lanes > 1 || Rounding(e.number) != Rounding::Cast)
    return "convert_" + nameOf(type) + suffix + "(" + value + ")";
  return "((" + nameOf(type) + ")" + value + ")";
}

std::string Printer::list(const std::vector<ExprPtr> &args) {
  std::string result;
  for (const ExprPtr &arg : args)
    result += (result.empty() ? "" : ", ") + expr(arg);
  return result;
}

std::string Printer::expr(const ExprPtr &pointer) {
  const Expr &e = *pointer;
  using Kind = Expr::Kind;
  switch (e.kind) {
  case Kind::Constant: return literal(e.type, e.number);
  case Kind::Variable: return function->variables[e.variable].name;
  case Kind::Element: return element(e);
  case Kind::Load: return load(e);
  case Kind::Part: return part(e);
  case Kind::Address: return address(e);
  case Kind::VectorLoad: return vectorLoad(e);
  case Kind::PointsTo:
    return std::string("(to_") + spelled(e.space).substr(0, spelled(e.space).size() - 1) + "(" + expr(e.args[0]) +
           ") != 0)";
  case Kind::ReadImage: return readImage(e);
  case Kind::Parameter: return parameterName(size_t(e.number));
  case Kind::Query: return query(e);
  case Kind::Operation: return operation(e);
  case Kind::Select:
    return e.pointer
               ? selectPointer(e)
               : narrowed(e.type, "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")");
  case Kind::VectorSelect: return "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")";
  case Kind::Convert:
  case Kind::ConvertSat: return conversion(e);
  case Kind::Reinterpret: {
    const std::string text = "as_" + nameOf(e.type) + "(" + expr(e.args[0]) + ")";
    return e.guarded ? settled(e.type, text) : text;
  }
  case Kind::Disguise:
    return "(" + expr(e.args[0]) + " | " + kernel.memories[e.memory].name + "[" +
           (e.number ? "get_global_linear_id()" : "get_local_linear_id()") + " & " +
           std::to_string(kernel.memories[e.memory].count - 1) + "])";
  case Kind::Piecewise: return piecewise(e);
  case Kind::Shuffle: return (e.args.size() == 2 ? "shuffle(" : "shuffle2(") + list(e.args) + ")";
  case Kind::Component: return "(" + expr(e.args[0]) + ").s" + "0123456789abcdef"[e.number];
  case Kind::Swizzle: return "(" + expr(e.args[0]) + ")." + spelled(e.swizzle, e.args[0]->type.lanes);
  case Kind::Construct: return "((" + nameOf(e.type) + ")(" + list(e.args) + "))";
  }
  return "";
}

} // namespace lanecl::fuzz
