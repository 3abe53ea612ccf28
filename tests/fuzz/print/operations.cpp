// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations, with the guards that some of them need.
#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

std::string as(Type type, const std::string &value) {
  return "as_" + nameOf(type) + "(" + value + ")";
}

// Defines a helper for division. Division by zero, and the one quotient that does not fit, are undefined in C.
std::string divisionHelper(Type type, bool remainder) {
  const std::string name = nameOf(type), sign = remainder ? "%" : "/";
  const std::string lowest =
      "(" + nameOf(type) + ")" + literal({type.base, 1}, int64_t(uint64_t(1) << (bitsOf(type.base) - 1)));
  const auto number = [&](const char *text) { return "(" + name + ")" + text; };
  std::string trap = "(b == " + number("0") + ")";
  if (isSigned(type.base) && !isPromoted(type))
    trap = "(" + trap + " | ((b == " + number("-1") + ") & (a == " + lowest + ")))";
  const std::string head = "__attribute__((overloadable)) " + name + (remainder ? " remainder_of(" : " quotient_of(") +
                           name + " a, " + name + " b) { ";
  if (type.lanes == 1)
    return head + "if (" + trap + ") return a; return a " + sign + " b; }\n";
  return head + nameOf(signedOf(type)) + " trap = " + trap + "; return trap ? a : a " + sign + " (trap ? (" + name +
         ")1 : b); }\n";
}

std::string settledHelper(Type type) {
  const std::string name = nameOf(type);
  return "__attribute__((overloadable)) " + name + " settled(" + name + " x) { return x == x ? x : (" + name +
         ")(0); }\n";
}

} // namespace

// Replaces a NaN by zero.
std::string Printer::settled(Type type, const std::string &value) {
  helpers.insert(settledHelper(type));
  return "settled(" + value + ")";
}

// Replaces an int that is larger than `most` by zero, in either direction.
std::string Printer::bounded(unsigned lanes, const std::string &value, int most) {
  const std::string name = nameOf({Base::Int, uint8_t(lanes)});
  helpers.insert("__attribute__((overloadable)) " + name + " bounded(" + name +
                 " x, int most) { return (x >= -most) & (x <= most) ? x : (" + name + ")(0); }\n");
  return "bounded(" + value + ", " + std::to_string(most) + ")";
}

// Prints an operation on small whole numbers as one on ints.
std::string Printer::inIntegers(const Expr &e) {
  const Type ints{Base::Int, e.type.lanes};
  const auto arg = [&](size_t i) { return "convert_" + nameOf(ints) + "(" + expr(e.args[i]) + ")"; };
  const std::string text = e.op == Op::Fma ? arg(0) + " * " + arg(1) + " + " + arg(2)
                                           : arg(0) + " " + std::string(infoOf(e.op).text) + " " + arg(1);
  return "convert_" + nameOf(e.type) + "(" + bounded(e.type.lanes, text, kMostComputed) + ")";
}

// Prints a division. The short form repeats its operands, so it is only used for short ones.
std::string Printer::division(const Expr &e) {
  const bool remainder = e.op == Op::Rem;
  const Type type = e.type;
  const std::string l = expr(e.args[0]), r = expr(e.args[1]), sign = remainder ? " % " : " / ";
  if (!e.guarded)
    return narrowed(type, "(" + l + sign + r + ")");
  if (type.lanes == 1 && l.size() + r.size() < 40 && (isPromoted(type) || !isSigned(type.base)))
    return narrowed(type, "(" + r + " == 0 ? " + l + " : " + l + sign + r + ")");
  helpers.insert(divisionHelper(type, remainder));
  return std::string(remainder ? "remainder_of(" : "quotient_of(") + l + ", " + r + ")";
}

// Prints arithmetic that overflows. It is computed in the unsigned type, modulo 2^bits.
std::string Printer::wrapping(const Expr &e) {
  const OpInfo &info = infoOf(e.op);
  const bool promoted = isPromoted(e.type);
  const Type in = promoted ? kUInt : unsignedOf(e.type);
  const auto operand = [&](size_t i) { return promoted ? "(uint)" + expr(e.args[i]) : as(in, expr(e.args[i])); };
  const std::string sign(info.text);
  const std::string text =
      info.operands == 1 ? "(" + sign + operand(0) + ")" : "(" + operand(0) + " " + sign + " " + operand(1) + ")";
  return promoted ? narrowed(e.type, text) : as(e.type, text);
}

std::string Printer::infix(const Expr &e) {
  const std::string sign(infoOf(e.op).text);
  if (infoOf(e.op).operands == 1)
    return narrowed(e.type, "(" + sign + expr(e.args[0]) + ")");
  const std::string text = "(" + expr(e.args[0]) + " " + sign + " " + expr(e.args[1]) + ")";
  return narrowed(e.type, text);
}

std::string Printer::functionCall(const Expr &e) {
  const std::string name(infoOf(e.op).text), plain = name + "(" + list(e.args) + ")";
  if (e.op == Op::Fmin || e.op == Op::Fmax)
    return "(" + plain + " + " + literal({e.type.base, 1}, 0) + ")";
  if (!e.guarded)
    return plain;
  if (e.op == Op::Clamp)
    return "min(max(" + expr(e.args[0]) + ", " + expr(e.args[1]) + "), " + expr(e.args[2]) + ")";
  // mul24 and mad24, for operands that have more than 24 bits.
  const bool is_signed = isSigned(e.type.base);
  std::string text = name + "(";
  for (size_t i = 0; i < e.args.size(); ++i) {
    const std::string arg = expr(e.args[i]);
    text += i == 0 ? "" : ", ";
    text += i == 2 ? arg : is_signed ? "(" + arg + " << 8 >> 8)" : "(" + arg + " & 0xffffffu)";
  }
  return text + ")";
}

std::string Printer::operation(const Expr &e) {
  if (!isInteger(e.type.base) && e.guarded && kernel.relaxed)
    return inIntegers(e);
  if (!isInteger(e.type.base) && e.guarded) {
    Expr plain = e;
    plain.guarded = false;
    return settled(e.type, operation(plain));
  }
  switch (infoOf(e.op).form) {
  case Form::Infix:
  case Form::Prefix:
    if (isInteger(e.type.base) && (e.op == Op::Div || e.op == Op::Rem))
      return division(e);
    return e.guarded ? wrapping(e) : infix(e);
  case Form::Comparison:
    return "(" + expr(e.args[0]) + " " + std::string(infoOf(e.op).text) + " " + expr(e.args[1]) + ")";
  case Form::Logical:
    if (e.op == Op::LogicalNot)
      return "(!" + expr(e.args[0]) + ")";
    return "(" + expr(e.args[0]) + " " + std::string(infoOf(e.op).text) + " " + expr(e.args[1]) + ")";
  case Form::Function: return functionCall(e);
  }
  return "";
}

} // namespace lanecl::fuzz
