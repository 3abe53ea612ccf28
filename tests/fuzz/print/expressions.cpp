#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

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

// An int, which scalars narrower than int became, back to their type.
std::string Printer::narrowed(Type type, const std::string &promoted) const {
  return isPromoted(type) ? "((" + nameOf(type) + ")" + promoted + ")" : promoted;
}

std::string Printer::element(const Expr &e) {
  const Variable &v = function->variables[e.variable];
  return v.name + "[" + expr(e.args[0]) + (e.guarded ? " & " + std::to_string(v.count - 1) : "") + "]";
}

std::string Printer::load(const Expr &e) {
  const MemoryObject &object = kernel.memories[e.memory];
  const std::string name = object.role == MemoryObject::Role::Table ? object.name + "_" + kernel.name : object.name;
  return name + "[" + expr(e.args[0]) + (e.guarded ? " & " + std::to_string(object.count - 1) : "") + "]";
}

std::string Printer::query(const Expr &e) const {
  std::string text = kQueries[unsigned(e.query)];
  if (e.query < Query::GlobalLinearId)
    text += "(" + std::to_string(e.number) + ")";
  const Base natural = e.query < Query::LaneId ? Base::ULong : Base::UInt;
  return e.type.base == natural ? text : "((" + nameOf(e.type) + ")" + text + ")";
}

// A float's integer that does not fit goes through int.
std::string Printer::conversion(const Expr &e) {
  const Type type = e.type, from = e.args[0]->type;
  std::string value = expr(e.args[0]);
  if (e.guarded)
    value = type.lanes == 1 ? "(int)" + value : "convert_" + nameOf({Base::Int, type.lanes}) + "(" + value + ")";
  if (e.kind == Expr::Kind::ConvertSat)
    value = "convert_" + nameOf(type) + "_sat(" + value + ")";
  else if (type.lanes > 1 || e.number == 1)
    value = "convert_" + nameOf(type) + "(" + value + ")";
  else
    value = "((" + nameOf(type) + ")" + value + ")";
  return type.base == Base::Float && from.base != Base::Float ? tame(type, value) : value;
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
  case Kind::Parameter: return parameterName(size_t(e.number));
  case Kind::Query: return query(e);
  case Kind::Operation: return operation(e);
  case Kind::Select:
    return narrowed(e.type, "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")");
  case Kind::VectorSelect: return "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")";
  case Kind::Convert:
  case Kind::ConvertSat: return conversion(e);
  case Kind::Reinterpret: return "as_" + nameOf(e.type) + "(" + expr(e.args[0]) + ")";
  case Kind::Disguise:
    return "(" + expr(e.args[0]) + " | " + kernel.memories[e.memory].name + "[get_local_linear_id() & " +
           std::to_string(kernel.memories[e.memory].count - 1) + "])";
  case Kind::Component: return "(" + expr(e.args[0]) + ").s" + "0123456789abcdef"[e.number];
  case Kind::Construct: return "((" + nameOf(e.type) + ")(" + list(e.args) + "))";
  }
  return "";
}

} // namespace lanecl::fuzz
