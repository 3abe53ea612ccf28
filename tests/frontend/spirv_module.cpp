// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The parts of SPIR-V modules that are read before anything has said whether the module is valid.
#include "support.hpp"

#include "spirv/module/instruction_names.h"
#include "spirv/module/types.h"
#include "spirv/translated/opaque_type_names.h"

using namespace test;
using spirv::encode;
using spirv::MangledParameters;
using spirv::Types;
using Op = spv::Op;

namespace {

constexpr uint32_t kBool = 1, kInt = 2, kHuge = 3, kOne = 4, kMany = 5, kHugeOne = 6, kResult = 7;

// Returns what is known of the value of an OpSpecConstantOp with two operands.
std::optional<uint64_t> valueOf(uint32_t type, Op operation, uint32_t a, uint32_t b) {
  spirv::Module module;
  std::string error;
  const uint32_t header[] = {0x07230203, 0x00010000, 0, kResult + 1, 0};
  REQUIRE(spirv::Module::parse({reinterpret_cast<const char *>(header), sizeof header}, module, error));
  module.replace({encode(Op::OpTypeBool, {kBool}), encode(Op::OpTypeInt, {kInt, 32, 0}),
                  encode(Op::OpTypeInt, {kHuge, 128, 0}), encode(Op::OpConstant, {kInt, kOne, 1}),
                  encode(Op::OpConstant, {kInt, kMany, 0xffffffff}), encode(Op::OpConstantNull, {kHuge, kHugeOne}),
                  encode(Op::OpSpecConstantOp, {type, kResult, uint32_t(operation), a, b})});
  return Types(module).value(kResult);
}

} // namespace

TEST_CASE("Constants of modules that are not valid have no value", "[spirv_module]") {
  CHECK(valueOf(kInt, Op::OpShiftLeftLogical, kOne, kMany) == uint64_t(1) << 31);
  CHECK(valueOf(kInt, Op::OpSConvert, kOne, 0) == 1u);
  // A shift has no boolean result, and values of more than 64 bits are not computed.
  for (const Op shift : {Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic})
    CHECK_FALSE(valueOf(kBool, shift, kOne, kMany));
  CHECK_FALSE(valueOf(kInt, Op::OpSConvert, kHugeOne, 0));
  CHECK_FALSE(valueOf(kInt, Op::OpSLessThan, kHugeOne, kOne));
}

TEST_CASE("Mangled names may be cut off anywhere", "[spirv_module]") {
  const std::string whole = "_Z3fooPU3AS1S_11ocl_samplerDv4_fDhi";
  for (size_t length = 0; length <= whole.size(); ++length) {
    const std::string name = whole.substr(0, length);
    INFO(name);
    MangledParameters parameters(name);
    for (int steps = 0; !parameters.atEnd(); ++steps) {
      REQUIRE(steps < 10);
      parameters.next();
    }
  }
  MangledParameters parameters(whole);
  CHECK(parameters.next().empty());
  CHECK(parameters.next() == "ocl_sampler");
}

TEST_CASE("Instructions have names, also the newest", "[spirv_module]") {
  for (const Op op :
       {spirv::kOpConvertFToBF16, spirv::kOpConvertBF16ToF, spirv::kOpFSigmoid, spirv::kOpSubgroupBlockPrefetch,
        spirv::kOpBlock2DLoad, spirv::kOpBlock2DLoadTransform, spirv::kOpBlock2DLoadTranspose,
        spirv::kOpBlock2DPrefetch, spirv::kOpBlock2DStore, spirv::kOpMatrixMultiplyAccumulate, spirv::kOpRoundFToTF32})
    CHECK(contains(spirv::nameOf(op), "INTEL (" + std::to_string(unsigned(op)) + ")"));
  CHECK(spirv::nameOf(spirv::kOpBlock2DPrefetch) == "OpSubgroup2DBlockPrefetchINTEL (6234)");
}
