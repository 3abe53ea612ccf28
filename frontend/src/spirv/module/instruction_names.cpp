// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/module/instruction_names.h"

#include "spirv/module/types.h"

#include <spirv-tools/libspirv.h>

namespace lanecl::frontend::spirv {
namespace {

// Names instructions that the installed SPIRV-Tools may be too old for.
const char *laterName(spv::Op op) {
  switch (op) {
  case kOpConvertFToBF16: return "OpConvertFToBF16INTEL";
  case kOpConvertBF16ToF: return "OpConvertBF16ToFINTEL";
  case kOpFSigmoid: return "OpFSigmoidINTEL";
  case kOpRoundFToTF32: return "OpRoundFToTF32INTEL";
  case kOpMatrixMultiplyAccumulate: return "OpSubgroupMatrixMultiplyAccumulateINTEL";
  case kOpSubgroupBlockPrefetch: return "OpSubgroupBlockPrefetchINTEL";
  case kOpBlock2DLoad: return "OpSubgroup2DBlockLoadINTEL";
  case kOpBlock2DLoadTransform: return "OpSubgroup2DBlockLoadTransformINTEL";
  case kOpBlock2DLoadTranspose: return "OpSubgroup2DBlockLoadTransposeINTEL";
  case kOpBlock2DPrefetch: return "OpSubgroup2DBlockPrefetchINTEL";
  case kOpBlock2DStore: return "OpSubgroup2DBlockStoreINTEL";
  default: return nullptr;
  }
}

} // namespace

std::string nameOf(spv::Op op) {
  const std::string number = std::to_string(unsigned(op));
  if (const char *name = laterName(op))
    return std::string(name) + " (" + number + ")";
  const std::string name = spvOpcodeString(uint32_t(op));
  return name == "unknown" ? number : "Op" + name + " (" + number + ")";
}

} // namespace lanecl::frontend::spirv
