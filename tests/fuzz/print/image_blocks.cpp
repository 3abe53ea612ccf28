// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads and block writes of images.
#include "print/printer.h"

namespace lanecl::fuzz {

std::string Printer::imageBlockRead(const Stmt &s, size_t first) {
  return "intel_sub_group_block_read" + blockSuffix(s.type, s.number & BlockNumber::kPlain) + "(" +
         kernel.memories[s.memory].name + ", (int2)(" + expr(s.values[first]) + ", " + expr(s.values[first + 1]) + "))";
}

// Only one sub-group writes to an image, so that sub-groups do not interfere.
void Printer::imageBlock(const Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (kind == SubGroupKind::ImageBlockRead) {
    line() << target(s.target) << " = " << kept(s, imageBlockRead(s, 0)) << ";\n";
    return;
  }
  const MemoryObject &object = kernel.memories[s.memory];
  const bool reads = kind == SubGroupKind::ImageBlockChange;
  const std::string barrier = "sub_group_barrier(CLK_IMAGE_MEM_FENCE);\n";
  helpers.insert(firstLaneHelper());
  line() << "{\n";
  ++indent;
  if (reads)
    line() << nameOf(s.type) << " got = 0;\n";
  line() << "if (first_lane() == " << object.image.writer << "u * get_max_sub_group_size()) {\n";
  ++indent;
  line() << "intel_sub_group_block_write" << blockSuffix(s.type, s.number & BlockNumber::kPlain) << "(" << object.name
         << ", (int2)(" << expr(s.values[1]) << ", " << expr(s.values[2]) << "), " << expr(s.values[0]) << ");\n";
  line() << barrier;
  if (reads) {
    line() << "got = " << imageBlockRead(s, 3) << ";\n";
    line() << barrier;
  }
  --indent;
  line() << "}\n";
  if (reads)
    line() << target(s.target) << " = " << kept(s, "got") << ";\n";
  --indent;
  line() << "}\n";
}

} // namespace lanecl::fuzz
