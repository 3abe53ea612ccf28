// The kernel as OpenCL C. Signed arithmetic goes through unsigned types, because overflow is undefined in C.
#include "ast.h"

#include <sstream>

namespace lanecl::test::random_kernels {

const std::array<int32_t, kTable> table{3,           -7, 0, 1,    100, -1, 65536, 12345,
                                        -2147483647, 31, 8, -100, 77,  2,  5,     2147483647};

namespace {

const char *baseName(Base base) {
  switch (base) {
  case Base::Int: return "int";
  case Base::UInt: return "uint";
  case Base::Long: return "long";
  case Base::Float: return "float";
  }
  return "";
}

std::string typeName(Type type, bool as_unsigned = false) {
  std::string name = baseName(type.base);
  if (as_unsigned && (type.base == Base::Int || type.base == Base::Long))
    name = "u" + name;
  return type.lanes == 1 ? name : name + std::to_string(type.lanes);
}

constexpr const char *kOperators[] = {"+",   "-",   "*", "&",  "|",  "^",  "<<", ">>",
                                      "min", "max", "<", "<=", "==", "!=", "&&", "||"};
constexpr const char *kQueries[] = {"get_global_id",       "get_local_id",           "get_group_id",
                                    "get_local_size",      "get_num_groups",         "get_global_linear_id",
                                    "get_local_linear_id", "get_sub_group_local_id", "get_sub_group_id",
                                    "get_sub_group_size",  "get_max_sub_group_size", "get_num_sub_groups"};
constexpr const char *kLaneOps[] = {"sub_group_reduce_add",
                                    "sub_group_reduce_min",
                                    "sub_group_reduce_max",
                                    "sub_group_scan_inclusive_add",
                                    "sub_group_scan_inclusive_min",
                                    "sub_group_scan_inclusive_max",
                                    "sub_group_scan_exclusive_add",
                                    "sub_group_broadcast",
                                    "intel_sub_group_shuffle",
                                    "intel_sub_group_shuffle_xor",
                                    "intel_sub_group_shuffle_down",
                                    "intel_sub_group_shuffle_up",
                                    "sub_group_all",
                                    "sub_group_any"};
constexpr const char *kAtomics[] = {"add", "min", "max", "and", "or", "xor"};
constexpr const char *kLocals[] = {"loc0", "loc1"};
constexpr const char *kPassed = "in, counters, out, loc0, loc1, a, b";
constexpr const char *kParameters = "global const int *in, global uint *counters, global int *out, local int *loc0, "
                                    "local int *loc1, int a, int b";

class Printer {
public:
  explicit Printer(const Kernel &kernel_) : kernel(kernel_) {}

  std::string run() {
    for (size_t i = 0; i + 1 < kernel.functions.size(); ++i)
      helper(kernel.functions[i]);
    entry(kernel.functions.back());
    return text.str();
  }

private:
  const Kernel &kernel;
  const Function *function = nullptr;
  std::ostringstream text;
  int indent = 1;

  std::ostream &line() { return text << std::string(indent * 2, ' '); }

  std::string functionName(const Function &f) const { return f.name + "_" + std::to_string(kernel.seed); }

  void helper(const Function &f) {
    function = &f;
    text << typeName(f.result) << " " << functionName(f) << "(" << kParameters;
    for (unsigned i = 0; i < f.parameters; ++i) {
      const Variable &v = f.variables[i];
      text << ", " << typeName(v.type) << (v.pointer ? " *" : " ") << v.name;
    }
    text << ") {\n";
    block(f.body);
    text << "}\n";
  }

  void entry(const Function &f) {
    function = &f;
    if (kernel.width_required)
      text << "__attribute__((intel_reqd_sub_group_size(" << kernel.width << "))) ";
    text << "kernel void " << kernelName(kernel) << "(global const int *in, global uint *counters, global int *out, "
         << "local int *loc1, int a, int b) {\n  local int loc0[" << kernel.groupSize() << "];\n";
    block(f.body);
    text << "}\n";
  }

  void block(const Block &statements) {
    for (const Stmt &s : statements)
      statement(s);
  }

  void nested(const Block &statements) {
    ++indent;
    block(statements);
    --indent;
  }

  std::string element(unsigned variable, const ExprPtr &index) {
    const Variable &v = function->variables[variable];
    return v.name + "[" + expr(index) + " & " + std::to_string(v.count - 1) + "]";
  }

  std::string target(const Target &t) {
    std::string name = t.index ? element(t.variable, t.index) : function->variables[t.variable].name;
    return t.component < 0 ? name : name + ".s" + std::to_string(t.component);
  }

  // Floats are kept small and on a coarse grid, so that sums are exact in any order.
  std::string value(const Stmt &s, const ExprPtr &e) {
    return e->type.base == Base::Float ? "tame(" + expr(e) + ")" : expr(e);
  }

  void declare(const Stmt &s) {
    const Variable &v = function->variables[s.target.variable];
    line() << typeName(v.type) << " " << v.name;
    if (v.array) {
      text << "[" << v.count << "] = {";
      for (size_t i = 0; i < s.values.size(); ++i)
        text << (i ? ", " : "") << value(s, s.values[i]);
      text << "};\n";
    } else {
      text << " = " << value(s, s.values[0]) << ";\n";
    }
  }

  void switchStatement(const Stmt &s) {
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

  void loop(const Stmt &s) {
    const std::string &counter = function->variables[s.target.variable].name;
    if (s.kind == Stmt::Kind::For) {
      line() << "for (int " << counter << " = 0; " << counter << " < " << expr(s.values[0]) << "; ++" << counter
             << ") {\n";
      nested(s.blocks[0]);
      line() << "}\n";
      return;
    }
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

  void call(const Stmt &s) {
    const Function &callee = kernel.functions[s.callee];
    line() << target(s.target) << " = " << functionName(callee) << "(" << kPassed;
    size_t next = 0;
    for (unsigned i = 0; i < callee.parameters; ++i) {
      if (s.pointers[i] < 0) {
        text << ", " << value(s, s.values[next++]);
        continue;
      }
      const Variable &v = function->variables[s.pointers[i]];
      text << ", " << (v.array || v.pointer ? "" : "&") << v.name;
    }
    text << ");\n";
  }

  void laneOp(const Stmt &s) {
    line() << target(s.target) << " = " << kLaneOps[int(s.lane_op)] << "(";
    for (size_t i = 0; i < s.values.size(); ++i)
      text << (i ? ", " : "") << value(s, s.values[i]);
    text << ");\n";
  }

  void localStore(const Stmt &s) {
    line() << kLocals[s.number] << "[";
    if (s.rotate)
      text << "(get_local_linear_id() + " << s.rotate << ") % " << kernel.groupSize();
    else
      text << "get_local_linear_id()";
    text << "] = " << expr(s.values[0]) << ";\n";
  }

  void statement(const Stmt &s) {
    using Kind = Stmt::Kind;
    switch (s.kind) {
    case Kind::Declare: return declare(s);
    case Kind::Assign: line() << target(s.target) << " = " << value(s, s.values[0]) << ";\n"; return;
    case Kind::Store:
      line() << "out[get_global_linear_id() * " << kOutputs << " + (" << expr(s.values[0]) << " & " << kOutputs - 1
             << ")] = " << expr(s.values[1]) << ";\n";
      return;
    case Kind::LocalStore: return localStore(s);
    case Kind::Atomic:
      line() << "atomic_" << kAtomics[int(s.atomic)] << "(&counters[" << int(s.atomic) * kAtomicSlots << " + ("
             << expr(s.values[0]) << " & " << kAtomicSlots - 1 << ")], " << expr(s.values[1]) << ");\n";
      return;
    case Kind::If:
      line() << "if (" << expr(s.values[0]) << ") {\n";
      nested(s.blocks[0]);
      if (!s.blocks[1].empty()) {
        line() << "} else {\n";
        nested(s.blocks[1]);
      }
      line() << "}\n";
      return;
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile: return loop(s);
    case Kind::Switch: return switchStatement(s);
    case Kind::Break: line() << "break;\n"; return;
    case Kind::Continue: line() << "continue;\n"; return;
    case Kind::Return: line() << "return" << (s.values.empty() ? "" : " " + value(s, s.values[0])) << ";\n"; return;
    case Kind::Barrier: line() << "barrier(CLK_LOCAL_MEM_FENCE);\n"; return;
    case Kind::LaneOp: return laneOp(s);
    case Kind::Call: return call(s);
    }
  }

  static std::string constant(const Expr &e) {
    const int64_t number = e.number;
    switch (e.type.base) {
    case Base::Float: return "(" + std::to_string(number) + " * 0.25f)";
    case Base::Long: return "(long)" + std::to_string(uint64_t(number)) + "ul";
    case Base::UInt: return std::to_string(uint32_t(number)) + "u";
    case Base::Int:
      return int32_t(number) >= 0 ? std::to_string(int32_t(number)) : "(int)" + std::to_string(uint32_t(number)) + "u";
    }
    return "";
  }

  std::string binary(const Expr &e) {
    const std::string left = expr(e.args[0]), right = expr(e.args[1]), sign = kOperators[int(e.op)];
    const Type type = e.args[0]->type;
    if (e.op == Op::Min || e.op == Op::Max)
      return sign + "(" + left + ", " + right + ")";
    const bool arithmetic = e.op == Op::Add || e.op == Op::Sub || e.op == Op::Mul || e.op == Op::Shl;
    std::string plain = "(" + left + " " + sign + " " + right + ")";
    if (!arithmetic)
      return plain;
    if (type.base == Base::Float)
      return e.op == Op::Mul ? "tame" + plain : plain;
    if (type.base == Base::UInt)
      return plain;
    const std::string to = "as_" + typeName(type, true) + "(", amount = e.op == Op::Shl ? right : to + right + ")";
    return "as_" + typeName(type) + "(" + to + left + ") " + sign + " " + amount + ")";
  }

  // Division by zero and the one quotient that does not fit are undefined in C and would trap.
  std::string division(const Expr &e) {
    const std::string sign = e.kind == Expr::Kind::Divide ? "/" : "%";
    const std::string left = expr(e.args[0]), right = expr(e.args[1]), type = typeName(e.type);
    if (e.number == 1)
      return (e.kind == Expr::Kind::Divide ? "quotient_" : "remainder_") + type + "(" + left + ", " + right + ")";
    const std::string guard =
        "((" + right + ") == 0" + (e.type.base == Base::UInt ? "" : " | (" + right + ") == -1") + ")";
    return "(" + guard + " ? " + left + " : " + left + " " + sign + " " + right + ")";
  }

  std::string list(const std::vector<ExprPtr> &args) {
    std::string result;
    for (const ExprPtr &arg : args)
      result += (result.empty() ? "" : ", ") + expr(arg);
    return result;
  }

  std::string query(const Expr &e) const {
    const bool dimension = e.query <= Query::NumGroups;
    return "(" + typeName(e.type) + ")" + kQueries[int(e.query)] + "(" + (dimension ? std::to_string(e.number) : "") +
           ")";
  }

  std::string expr(const ExprPtr &pointer) {
    const Expr &e = *pointer;
    using Kind = Expr::Kind;
    switch (e.kind) {
    case Kind::Constant: return constant(e);
    case Kind::Variable: return function->variables[e.variable].name;
    case Kind::Element: return element(e.variable, e.args[0]);
    case Kind::Input: return "in[" + expr(e.args[0]) + " & " + std::to_string(kInputs - 1) + "]";
    case Kind::Table: return "table[" + expr(e.args[0]) + " & " + std::to_string(kTable - 1) + "]";
    case Kind::OwnLocal: return std::string(kLocals[e.number]) + "[get_local_linear_id()]";
    case Kind::AnyLocal:
      return std::string(kLocals[e.number]) + "[as_uint(" + expr(e.args[0]) + ") % " +
             std::to_string(kernel.groupSize()) + "u]";
    case Kind::Argument: return e.number ? "b" : "a";
    case Kind::Query: return query(e);
    case Kind::Binary: return binary(e);
    case Kind::Divide:
    case Kind::Remainder: return division(e);
    case Kind::Not: return "(~" + expr(e.args[0]) + ")";
    case Kind::Select: return "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")";
    case Kind::VectorSelect:
      return "(" + expr(e.args[0]) + " < " + expr(e.args[1]) + " ? " + expr(e.args[2]) + " : " + expr(e.args[3]) + ")";
    case Kind::Convert:
      return (e.type.base == Base::Float ? "tame((" : "((") + typeName(e.type) + ")" + expr(e.args[0]) + ")";
    case Kind::Disguise:
      return "(" + expr(e.args[0]) + " | in[" + std::to_string(kInputs) + " + (get_local_linear_id() & " +
             std::to_string(kInputs - 1) + ")])";
    case Kind::Component: return "(" + expr(e.args[0]) + ").s" + std::to_string(e.number);
    case Kind::Construct: return "((" + typeName(e.type) + ")(" + list(e.args) + "))";
    }
    return "";
  }
};

} // namespace

std::string kernelName(const Kernel &kernel) {
  return "random_" + std::to_string(kernel.seed);
}

std::string print(const Kernel &kernel) {
  return Printer(kernel).run();
}

std::string preamble() {
  std::ostringstream out;
  out << "#pragma OPENCL FP_CONTRACT OFF\nconstant int table[] = {";
  for (int32_t entry : table)
    out << entry << ", ";
  out << "};\n";
  for (const char *n : {"", "4"})
    out << "__attribute__((overloadable)) float" << n << " tame(float" << n << " x) { return convert_float" << n
        << "(convert_int" << n << "(clamp(x, -1024.0f, 1024.0f) * 4.0f)) * 0.25f; }\n";
  for (const char *type : {"int", "uint", "long"}) {
    const std::string name = type, trap = name == "uint" ? "b == 0" : "b == 0 || b == -1";
    out << name << " quotient_" << name << "(" << name << " a, " << name << " b) { if (" << trap
        << ") return a; return a / b; }\n"
        << name << " remainder_" << name << "(" << name << " a, " << name << " b) { if (" << trap
        << ") return a; return a % b; }\n";
  }
  return out.str();
}

} // namespace lanecl::test::random_kernels
