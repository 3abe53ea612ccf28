// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prints statements. Those that involve a sub-group, turns or locks are in files of their own.
#include "print/printer.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Indexed by AtomicOp.
constexpr const char *kAtomics[] = {"add", "min", "max", "and", "or", "xor", "sub", "inc", "dec"};

} // namespace

void Printer::block(const Block &statements) {
  for (const Stmt &s : statements)
    statement(s);
}

void Printer::nested(const Block &statements) {
  ++indent;
  block(statements);
  --indent;
}

// Prints the left side of an assignment.
std::string Printer::target(const Target &t) {
  const std::string name = t.element ? expr(t.element) : function->variables[t.variable].name;
  if (t.swizzle.components.empty())
    return name;
  const Type whole = t.element ? t.element->type : function->variables[t.variable].type;
  return name + "." + spelled(t.swizzle, whole.lanes);
}

void Printer::declare(const Stmt &s) {
  const Variable &v = function->variables[s.target.variable];
  line() << declaration(v);
  if (v.array)
    text << "[" << v.count << "]";
  if (!s.values.empty() && (v.array || (isRecord(v.type) && s.values[0]->type != v.type))) {
    text << " = {";
    for (size_t i = 0; i < s.values.size(); ++i)
      text << (i ? ", " : "") << expr(s.values[i]);
    text << "}";
  } else if (!s.values.empty()) {
    text << " = " << expr(s.values[0]);
  }
  text << ";\n";
}

void Printer::branch(const Stmt &s) {
  line() << "if (" << expr(s.values[0]) << ") {\n";
  nested(s.blocks[0]);
  if (!s.blocks[1].empty()) {
    line() << "} else {\n";
    nested(s.blocks[1]);
  }
  line() << "}\n";
}

// The last case is the default one, so that every value enters some case.
void Printer::switchStatement(const Stmt &s) {
  line() << "switch (" << expr(s.values[0]) << " & 7) {\n";
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    if (i + 1 == s.blocks.size())
      line() << "default: {\n";
    else
      line() << "case " << i << ": {\n";
    nested(s.blocks[i]);
    line() << (s.falls_through[i] ? "}\n" : "} break;\n");
  }
  line() << "}\n";
}

// The step is a constant, or an expression if the statement has a third one. Its sign decides the direction.
void Printer::forLoop(const Stmt &s) {
  const Variable &v = function->variables[s.target.variable];
  const bool down = s.number < 0;
  line() << "for (" << (v.size_t_ ? "size_t" : nameOf(v.type)) << " " << v.name << " = " << expr(s.values[0]) << "; "
         << v.name << (down ? " > " : " < ") << expr(s.values[1]) << "; " << v.name << (down ? " -= " : " += ")
         << (s.values.size() > 2 ? expr(s.values[2]) : std::to_string(down ? -s.number : s.number)) << ") {\n";
  nested(s.blocks[0]);
  line() << "}\n";
}

// Prints a while or do loop, with a counter that ends it after a fixed number of rounds even if its condition still
// holds.
void Printer::whileLoop(const Stmt &s) {
  const std::string &counter = function->variables[s.target.variable].name;
  const std::string condition = counter + " < " + std::to_string(s.number) + " && " + expr(s.values[0]);
  const bool first = s.kind == Stmt::Kind::While;
  line() << "int " << counter << " = 0;\n";
  line() << (first ? "while (" + condition + ") {\n" : "do {\n");
  ++indent;
  line() << "++" << counter << ";\n";
  block(s.blocks[0]);
  --indent;
  line() << (first ? "}\n" : "} while (" + condition + ");\n");
}

// Prints an atomic function in the statement's form: OpenCL 1.2's, or OpenCL 2.0's with or without an explicit order.
void Printer::atomic(const Stmt &s) {
  const Expr &at = *s.values[0];
  const std::string name = kAtomics[unsigned(s.atomic)], place = "&" + expr(s.values[0]);
  const std::string space = kernel.memories[at.memory].isLocal() ? "local" : "global";
  const bool counts = s.atomic == AtomicOp::Inc || s.atomic == AtomicOp::Dec;
  if (AtomicForm(s.number) == AtomicForm::Plain) {
    line() << (bitsOf(at.type.base) == 64 ? "atom_" : "atomic_") << name << "(" << place
           << (counts ? "" : ", " + expr(s.values[1])) << ");\n";
    return;
  }
  const bool is_explicit = AtomicForm(s.number) == AtomicForm::Explicit;
  const std::string function_name = "atomic_fetch_" + (s.atomic == AtomicOp::Inc   ? "add"
                                                       : s.atomic == AtomicOp::Dec ? "sub"
                                                                                   : name);
  line() << function_name << (is_explicit ? "_explicit" : "") << "((volatile " << space << " atomic_" << nameOf(at.type)
         << " *)" << place << ", " << (counts ? literal(at.type, 1) : expr(s.values[1]))
         << (is_explicit ? ", memory_order_relaxed, memory_scope_device" : "") << ");\n";
}

void Printer::vectorStore(const Stmt &s) {
  const unsigned lanes = s.values[0]->type.lanes;
  const bool converts = s.values[0]->type.base != s.values[2]->type.base;
  line() << (converts ? "vstore_half" : "vstore") << (lanes > 1 ? std::to_string(lanes) : "")
         << (converts ? suffixOf(Rounding(s.number)) : "") << "(" << (converts ? expr(s.values[0]) : expr(s.values[0]))
         << ", " << expr(s.values[1]) << ", " << expr(s.values[2]) << ");\n";
}

void Printer::call(const Stmt &s) {
  const Function &callee = kernel.functions[s.callee];
  line() << target(s.target) << " = " << functionName(callee) << "(" << passed();
  for (const ExprPtr &e : s.values)
    text << ", " << expr(e);
  text << ");\n";
}

// Prints a statement and records the line on which it starts.
void Printer::statement(const Stmt &s) {
  const std::string before = text.str();
  lines[&s] = 1 + unsigned(std::count(before.begin(), before.end(), '\n'));
  using Kind = Stmt::Kind;
  switch (s.kind) {
  case Kind::Declare: return declare(s);
  case Kind::Assign: line() << target(s.target) << " = " << expr(s.values[0]) << ";\n"; return;
  case Kind::Store:
    line() << nameOfMemory(kernel.memories[s.memory]) << "[" << expr(s.values[0]) << "] = " << expr(s.values[1])
           << ";\n";
    return;
  case Kind::VectorStore: return vectorStore(s);
  case Kind::Atomic: return atomic(s);
  case Kind::If: return branch(s);
  case Kind::For: return forLoop(s);
  case Kind::While:
  case Kind::DoWhile: return whileLoop(s);
  case Kind::Switch: return switchStatement(s);
  case Kind::Break: line() << "break;\n"; return;
  case Kind::Continue: line() << "continue;\n"; return;
  case Kind::Return: line() << "return" << (s.values.empty() ? "" : " " + expr(s.values[0])) << ";\n"; return;
  case Kind::Barrier: line() << "barrier(CLK_LOCAL_MEM_FENCE);\n"; return;
  case Kind::SubGroupCall: return subGroupCall(s);
  case Kind::Call: return call(s);
  case Kind::Lock: return lock(s);
  case Kind::TakeTurns: return takeTurns(s);
  }
}

} // namespace lanecl::fuzz
