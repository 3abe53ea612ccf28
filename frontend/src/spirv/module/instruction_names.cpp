// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/module/instruction_names.h"

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {
namespace {

const char *known(spv::Op op) {
  switch (op) {
#define NAME(op)                                                                                                       \
  case spv::Op::op: return #op;
    NAME(OpLoad)
    NAME(OpFunctionCall)
    NAME(OpPhi)
    NAME(OpSelect)
    NAME(OpReturnValue)
    NAME(OpCompositeConstruct)
    NAME(OpConvertPtrToU)
    NAME(OpBitcast)
    NAME(OpAccessChain)
    NAME(OpInBoundsAccessChain)
    NAME(OpPtrAccessChain)
    NAME(OpInBoundsPtrAccessChain)
    NAME(OpControlBarrier)
    NAME(OpMemoryBarrier)
    NAME(OpSubgroupBlockReadINTEL)
    NAME(OpSubgroupBlockWriteINTEL)
    NAME(OpAtomicCompareExchangeWeak)
    NAME(OpGroupNonUniformRotateKHR)
    NAME(OpGroupIMulKHR)
    NAME(OpGroupFMulKHR)
    NAME(OpGroupBitwiseAndKHR)
    NAME(OpGroupBitwiseOrKHR)
    NAME(OpGroupBitwiseXorKHR)
    NAME(OpGroupLogicalAndKHR)
    NAME(OpGroupLogicalOrKHR)
    NAME(OpGroupLogicalXorKHR)
    NAME(OpSDotKHR)
    NAME(OpUDotKHR)
    NAME(OpSUDotKHR)
    NAME(OpSDotAccSatKHR)
    NAME(OpUDotAccSatKHR)
    NAME(OpSUDotAccSatKHR)
    NAME(OpIAddCarry)
    NAME(OpISubBorrow)
    NAME(OpUMulExtended)
    NAME(OpSMulExtended)
    NAME(OpBitFieldInsert)
    NAME(OpBitFieldSExtract)
    NAME(OpBitFieldUExtract)
    NAME(OpBitReverse)
    NAME(OpReadClockKHR)
    NAME(OpAtomicLoad)
    NAME(OpAtomicStore)
    NAME(OpAtomicExchange)
    NAME(OpAtomicCompareExchange)
    NAME(OpAtomicIIncrement)
    NAME(OpAtomicIDecrement)
    NAME(OpAtomicIAdd)
    NAME(OpAtomicISub)
    NAME(OpAtomicSMin)
    NAME(OpAtomicUMin)
    NAME(OpAtomicSMax)
    NAME(OpAtomicUMax)
    NAME(OpAtomicAnd)
    NAME(OpAtomicOr)
    NAME(OpAtomicXor)
    NAME(OpAtomicFAddEXT)
    NAME(OpAtomicFMinEXT)
    NAME(OpAtomicFMaxEXT)
#undef NAME
  case kOpConvertFToBF16: return "OpConvertFToBF16INTEL";
  case kOpConvertBF16ToF: return "OpConvertBF16ToFINTEL";
  case kOpRoundFToTF32: return "OpRoundFToTF32INTEL";
  case kOpMatrixMultiplyAccumulate: return "OpSubgroupMatrixMultiplyAccumulateINTEL";
  case kOpBlock2DLoad: return "OpSubgroup2DBlockLoadINTEL";
  case kOpBlock2DLoadTransform: return "OpSubgroup2DBlockLoadTransformINTEL";
  case kOpBlock2DLoadTranspose: return "OpSubgroup2DBlockLoadTransposeINTEL";
  case kOpBlock2DStore: return "OpSubgroup2DBlockStoreINTEL";
  default: return nullptr;
  }
}

} // namespace

std::string nameOf(spv::Op op) {
  const std::string number = std::to_string(unsigned(op));
  const char *name = known(op);
  return name ? std::string(name) + " (" + number + ")" : number;
}

} // namespace lanecl::frontend::spirv
