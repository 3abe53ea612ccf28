// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
Kernel kernelOf(Type type) {
  Kernel kernel = emptyKernel();
  kernel.functions[0].variables.push_back({.name = "v0", .type = type});
  return kernel;
}
ExprPtr constant(Type type, int64_t number) {
  return make({.type = type, .number = number});
}
ExprPtr vectorOf(Base base, std::vector<ExprPtr> components) {
  const Type type{base, uint8_t(components.size())};
  return make({.kind = Expr::Kind::Construct, .type = type, .args = std::move(components)});
}
ExprPtr atLane(int64_t lane, ExprPtr yes, ExprPtr no) {
  const Type type = yes->type;
  const ExprPtr is_that = op(Op::Equal, ask(Query::LaneId), number(lane));
  return make({.kind = Expr::Kind::Select, .type = type, .args = {is_that, std::move(yes), std::move(no)}});
}
Stmt call(SubGroupFunction function, std::vector<ExprPtr> values, Type type) {
  return {.kind = Stmt::Kind::SubGroupCall, .values = std::move(values), .sub_group = function, .type = type};
}
Stmt storeVariable() {
  return store(kOut, ask(Query::GlobalId), variable(0));
}
Stmt storeComponent(const Kernel &kernel, unsigned component) {
  const Type type = kernel.functions[0].variables[0].type;
  const ExprPtr whole = make({.kind = Expr::Kind::Variable, .type = type});
  return store(kOut, ask(Query::GlobalId),
               make({.kind = Expr::Kind::Component, .type = {type.base, 1}, .args = {whole}, .number = component}));
}
Contents run(Kernel &kernel, Unguarded &unguarded, unsigned width) {
  findNeeds(kernel);
  return evaluate(kernel, kernel.launches[0], width, unguarded);
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
