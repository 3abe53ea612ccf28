// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the edges that occur several times, and repeats the operands of OpPhi for them.
#include "spirv/lower/phi_edges.h"

#include "spirv/module/block_order.h"
#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {
namespace {

using Edge = std::pair<uint32_t, uint32_t>; // labels of the two blocks

// Returns how many edges lead from one block to another, for pairs with more than one edge.
std::map<Edge, size_t> repeatedEdges(const Module &module) {
  const Types types(module);
  std::map<Edge, size_t> counts;
  uint32_t block = 0;
  for (const Instruction &instruction : module.instructions()) {
    if (instruction.op == spv::Op::OpLabel)
      block = instruction[0];
    for (uint32_t successor : successorsOf(instruction, types))
      ++counts[{block, successor}];
  }
  std::erase_if(counts, [](const auto &edge) { return edge.second == 1; });
  return counts;
}

// Returns the operands of a phi, %type %result and pairs of a value and a block, with each pair once for each edge.
std::vector<uint32_t> repeated(const Instruction &phi, uint32_t block, const std::map<Edge, size_t> &edges) {
  std::vector<uint32_t> operands(phi.upTo(2).begin(), phi.upTo(2).end());
  for (size_t at = 2; at + 1 < phi.operands.size(); at += 2) {
    const auto edge = edges.find({phi[at + 1], block});
    for (size_t count = edge == edges.end() ? 1 : edge->second; count > 0; --count)
      operands.insert(operands.end(), {phi[at], phi[at + 1]});
  }
  return operands;
}

} // namespace

void repeatPhiOperands(Module &module) {
  const std::map<Edge, size_t> edges = repeatedEdges(module);
  if (edges.empty())
    return;
  std::vector<std::vector<uint32_t>> code;
  uint32_t block = 0;
  for (const Instruction &instruction : module.instructions()) {
    if (instruction.op == spv::Op::OpLabel)
      block = instruction[0];
    if (instruction.op == spv::Op::OpPhi)
      code.push_back(encode(instruction.op, repeated(instruction, block, edges)));
    else
      code.push_back(encode(instruction.op, instruction.operands));
  }
  module.replace(std::move(code));
}

} // namespace lanecl::frontend::spirv
