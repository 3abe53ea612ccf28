// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the functions of cl_intel_subgroup_2d_block_io.
#include "print/printer.h"

#include "language/blocks_2d.h"

namespace lanecl::fuzz {

namespace {

std::string component(const std::string &name, const Type &type, unsigned number) {
  return type.lanes == 1 ? name : name + ".s" + "0123456789abcdef"[number];
}

// Returns the components of a result, each of which combines several values: three times the sum of the earlier ones
// plus the next one.
std::string folded(const Block2d &block, Type type) {
  std::string components;
  for (unsigned c = 0; c < type.lanes; ++c) {
    std::string sum;
    for (unsigned n = c; n < block.values(); n += type.lanes) {
      const std::string value = "data[" + std::to_string(n) + "]";
      sum = sum.empty() ? value : "(" + sum + ") * 3u + " + value;
    }
    components += (c ? ", " : "") + ("(" + nameOf({type.base, 1}) + ")(" + sum + ")");
  }
  const std::string all = type.lanes == 1 ? components : "(" + nameOf(type) + ")(" + components + ")";
  if (block.lanes() == Block2d::kWidth)
    return all;
  return "(get_sub_group_local_id() < " + std::to_string(block.lanes()) + "u ? " + all + " : (" + nameOf(type) + ")0)";
}

} // namespace

// Prints the call with its operands, starting with operand `first`.
std::string Printer::block2dCall(const Stmt &s, size_t first, const std::string &data) {
  const MemoryObject &object = kernel.memories[s.memory];
  std::string begin = std::to_string(s.number * 16);
  if (object.isScratch()) {
    helpers.insert(firstLaneHelper());
    begin = "first_lane() * " + std::to_string(object.count);
  }
  const auto operand = [&](size_t i) { return expr(s.values[first + i]); };
  return std::string(infoOf(s.sub_group).text) + "((global void *)(" + object.name + " + " + begin + "), " +
         operand(2) + ", " + operand(3) + ", " + operand(4) + ", (int2)(" + operand(0) + ", " + operand(1) + ")" +
         data + ");\n";
}

void Printer::block2dRead(const Stmt &s) {
  const Block2d block = block2dOf(s.sub_group);
  line() << "{\n";
  ++indent;
  line() << nameOf({block.value(), 1}) << " data[" << block.values() << "];\n";
  line() << block2dCall(s, 0, ", data");
  line() << target(s.target) << " = " << kept(s, folded(block, s.type)) << ";\n";
  if (kernel.memories[s.memory].isScratch()) // from now on other lanes may write what is read
    line() << "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n";
  --indent;
  line() << "}\n";
}

void Printer::block2dWrite(const Stmt &s) {
  const Block2d block = block2dOf(s.sub_group);
  const MemoryObject &object = kernel.memories[s.memory];
  line() << "{\n";
  ++indent;
  line() << "const " << nameOf(s.type) << " value = " << expr(s.values[0]) << ";\n";
  line() << nameOf({block.value(), 1}) << " data[" << block.values() << "] = {";
  for (unsigned n = 0; n < block.values(); ++n)
    text << (n ? ", " : "") << component("value", s.type, n);
  text << "};\n";
  line() << block2dCall(s, 1, ", data");
  line() << "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n";
  line() << target(s.target) << " = "
         << kept(s, object.name + "[first_lane() * " + std::to_string(object.count) + " + " + expr(s.values[6]) + "]")
         << ";\n";
  line() << "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n";
  --indent;
  line() << "}\n";
}

void Printer::block2d(const Stmt &s) {
  switch (infoOf(s.sub_group).kind) {
  case SubGroupKind::Block2dPrefetch: line() << block2dCall(s, 0, ""); return;
  case SubGroupKind::Block2dWrite: return block2dWrite(s);
  default: return block2dRead(s);
  }
}

} // namespace lanecl::fuzz
