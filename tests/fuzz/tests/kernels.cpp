#include "tests/kernels.h"

namespace lanecl::fuzz {

Kernel emptyKernel() {
  Kernel kernel;
  kernel.name = "k";
  kernel.memories = {{.role = MemoryObject::Role::Output, .name = "out", .type = kInt, .count = 1},
                     {.role = MemoryObject::Role::Local, .name = "loc", .type = kInt, .count = 1}};
  kernel.functions.push_back({.name = "kernel"});
  kernel.launches = {{.global = {16}, .local = {16}}};
  return kernel;
}

ExprPtr number(int64_t value) {
  return make({.type = kInt, .number = value});
}
ExprPtr ask(Query query) {
  return make({.kind = Expr::Kind::Query, .type = kInt, .query = query});
}
ExprPtr op(Op op, ExprPtr left, ExprPtr right) {
  return make({.kind = Expr::Kind::Operation, .type = kInt, .args = {std::move(left), std::move(right)}, .op = op});
}
ExprPtr load(unsigned memory, ExprPtr index) {
  return make({.kind = Expr::Kind::Load, .type = kInt, .args = {std::move(index)}, .memory = memory});
}
ExprPtr variable(unsigned number) {
  return make({.kind = Expr::Kind::Variable, .type = kInt, .variable = number});
}
Stmt store(unsigned memory, ExprPtr index, ExprPtr value) {
  return {.kind = Stmt::Kind::Store, .values = {std::move(index), std::move(value)}, .memory = memory};
}
Stmt branch(ExprPtr condition, Block block) {
  return {.kind = Stmt::Kind::If, .values = {std::move(condition)}, .blocks = {std::move(block), {}}};
}
Stmt declare(Kernel &kernel, ExprPtr value) {
  Function &function = kernel.functions.back();
  Stmt s{.kind = Stmt::Kind::Declare, .target = {.variable = unsigned(function.variables.size())}};
  if (value)
    s.values = {std::move(value)};
  function.variables.push_back({.name = "v" + std::to_string(function.variables.size()), .type = kInt});
  return s;
}

} // namespace lanecl::fuzz
