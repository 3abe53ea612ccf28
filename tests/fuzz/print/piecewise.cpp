// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values whose components are put together in memory, each by a helper function.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

// Repeats `text` for each component that is written, with the component's digit for each %.
std::string forEach(const Swizzle &written, const std::string &text) {
  std::string result;
  for (uint8_t i : written.components)
    for (char c : text)
      result += c == '%' ? "0123456789abcdef"[i] : c;
  return result;
}

std::string bodyOf(const Expr &e) {
  const Type from = e.args[0]->type, scalar{from.base, 1};
  const std::string to = nameOf(e.type), whole = nameOf(from), one = nameOf(scalar);
  const std::string lanes = std::to_string(from.lanes == 3 ? 4 : from.lanes);
  switch (Pieces(e.number)) {
  case Pieces::Union:
    return "union { " + to + " whole; " + one + " part[" + lanes + "]; } u; " +
           forEach(e.swizzle, "u.part[0x%] = x.s%; ") + "return u.whole;";
  case Pieces::Vector: return whole + " v; " + forEach(e.swizzle, "v.s% = x.s%; ") + "return as_" + to + "(v);";
  case Pieces::Array:
    return whole + " a[2]; size_t i = get_local_id(0) & 1; " + forEach(e.swizzle, "a[i].s% = x.s%; ") + "return as_" +
           to + "(a[i]);";
  }
  return "";
}

} // namespace

std::string Printer::piecewise(const Expr &e) {
  constexpr const char *kNames[] = {"union", "vector", "array"};
  const std::string to = nameOf(e.type), from = nameOf(e.args[0]->type);
  const std::string name = to + "_by_" + kNames[e.number] + forEach(e.swizzle, "_%") + "_of";
  helpers.insert("__attribute__((overloadable)) " + to + " " + name + "(" + from + " x) { " + bodyOf(e) + " }\n");
  return name + "(" + expr(e.args[0]) + ")";
}

} // namespace lanecl::fuzz
