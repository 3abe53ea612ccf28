#include "print/printer.h"

namespace lanecl::fuzz {

namespace {

constexpr const char *kAtomics[kAtomicOps] = {"add", "min", "max", "and", "or", "xor"};

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

std::string Printer::target(const Target &t) {
  const std::string name = t.element ? expr(t.element) : function->variables[t.variable].name;
  return t.component < 0 ? name : name + ".s" + "0123456789abcdef"[t.component];
}

std::string Printer::stored(const ExprPtr &e) {
  return e->type.base == Base::Float ? tame(e->type, expr(e)) : expr(e);
}

void Printer::declare(const Stmt &s) {
  const Variable &v = function->variables[s.target.variable];
  line() << (v.size_t_ ? "size_t" : nameOf(v.type)) << " " << v.name;
  if (v.array) {
    text << "[" << v.count << "] = {";
    for (size_t i = 0; i < s.values.size(); ++i)
      text << (i ? ", " : "") << stored(s.values[i]);
    text << "}";
  } else if (!s.values.empty()) {
    text << " = " << stored(s.values[0]);
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

void Printer::forLoop(const Stmt &s) {
  const Variable &v = function->variables[s.target.variable];
  const bool down = s.number < 0;
  line() << "for (" << (v.size_t_ ? "size_t" : nameOf(v.type)) << " " << v.name << " = " << expr(s.values[0]) << "; "
         << v.name << (down ? " > " : " < ") << expr(s.values[1]) << "; " << v.name << (down ? " -= " : " += ")
         << (down ? -s.number : s.number) << ") {\n";
  nested(s.blocks[0]);
  line() << "}\n";
}

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

void Printer::atomic(const Stmt &s) {
  line() << "atomic_" << kAtomics[unsigned(s.atomic)] << "(&" << kernel.memories[s.memory].name << "["
         << unsigned(s.atomic) * kAtomicSlots << " + (" << expr(s.values[0]) << " & " << kAtomicSlots - 1 << ")], "
         << expr(s.values[1]) << ");\n";
}

void Printer::call(const Stmt &s) {
  const Function &callee = kernel.functions[s.callee];
  line() << target(s.target) << " = " << functionName(callee) << "(" << passed();
  size_t next = 0;
  for (unsigned i = 0; i < callee.parameters; ++i) {
    if (s.pointers[i] < 0) {
      text << ", " << stored(s.values[next++]);
      continue;
    }
    const Variable &v = function->variables[size_t(s.pointers[i])];
    text << ", " << (v.array || v.pointer ? "" : "&") << v.name;
  }
  text << ");\n";
}

void Printer::statement(const Stmt &s) {
  using Kind = Stmt::Kind;
  switch (s.kind) {
  case Kind::Declare: return declare(s);
  case Kind::Assign: line() << target(s.target) << " = " << stored(s.values[0]) << ";\n"; return;
  case Kind::Store:
    line() << kernel.memories[s.memory].name << "[" << expr(s.values[0]) << "] = " << expr(s.values[1]) << ";\n";
    return;
  case Kind::Atomic: return atomic(s);
  case Kind::If: return branch(s);
  case Kind::For: return forLoop(s);
  case Kind::While:
  case Kind::DoWhile: return whileLoop(s);
  case Kind::Switch: return switchStatement(s);
  case Kind::Break: line() << "break;\n"; return;
  case Kind::Continue: line() << "continue;\n"; return;
  case Kind::Return: line() << "return" << (s.values.empty() ? "" : " " + stored(s.values[0])) << ";\n"; return;
  case Kind::Barrier: line() << "barrier(CLK_LOCAL_MEM_FENCE);\n"; return;
  case Kind::SubGroupCall: return subGroupCall(s);
  case Kind::Call: return call(s);
  }
}

} // namespace lanecl::fuzz
