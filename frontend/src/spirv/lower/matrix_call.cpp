// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Assembles the names of functions that multiply matrices and access 2-D blocks.
#include "spirv/lower/matrix_call.h"

#include "spirv/lower/mangling.h"

namespace lanecl::frontend::spirv {
namespace {

// Bits of the matrix operands, for matrix A. The bits for B are the next higher ones.
enum MatrixOperand : uint32_t {
  Signed = 0x1,
  Int8 = 0x10,
  Int4 = 0x40,
  Tf32 = 0x100,
  Float16 = 0x400,
  BFloat16 = 0x1000,
};
// Bits for the matrix C that is added, and for the result.
constexpr uint32_t kSumBFloat16 = 0x4, kResultBFloat16 = 0x8;

// Returns the name of A's or B's element type in the names of functions. The result is empty if the operands name no
// type, or several.
std::string elements(uint32_t operands) {
  switch (operands & ~uint32_t(Signed)) {
  case Int8: return operands & Signed ? "i8" : "u8";
  case Int4: return operands & Signed ? "i4" : "u4";
  case Tf32: return "tf32";
  case Float16: return "f16";
  case BFloat16: return "bf16";
  default: return {};
  }
}

// Returns the mangled type of what a lane holds of a row with `width` elements. Transformed and transposed blocks have
// 32-bit words.
std::string laneType(const std::string &form, uint32_t bits, uint32_t width) {
  if (bits == 32 || form.starts_with("read_trans"))
    return "j";
  return bits == 16 || (bits == 8 && width == 32) ? "t" : bits == 8 ? "h" : "";
}

} // namespace

// The function's name consists of both element types and the depth, such as "intel_sub_group_i8_i8_matrix_mad_k32".
BuiltinCall matrixMultiply(const Instruction &instruction, const Types &types) {
  const auto k = types.constant(instruction[2]);
  const uint32_t operands = instruction[6], of_sum = operands & (kSumBFloat16 | kResultBFloat16);
  constexpr uint32_t kOfA = Signed | Int8 | Int4 | Tf32 | Float16 | BFloat16;
  const std::string a = elements(operands & kOfA), b = elements(operands >> 1 & kOfA);
  const uint32_t sum = types.typeOf(instruction[5]);
  const bool bfloat16_sum = types.width(types.scalarOf(sum)) == 16 && !types.isFloat(types.scalarOf(sum));
  // No function adds a sum of one type and returns a result of another type.
  if (!k || a.empty() || b.empty() || sum != instruction[0] ||
      of_sum != (bfloat16_sum ? kSumBFloat16 | kResultBFloat16 : 0))
    return {};
  const auto parameter = [&](uint32_t value, const std::string &name) {
    return types.mangled(types.typeOf(value), name.starts_with("u"));
  };
  return {mangle("intel_sub_group_" + a + "_" + b + "_matrix_mad_k" + std::to_string(*k),
                 {parameter(instruction[3], a), parameter(instruction[4], b), types.mangled(sum)}),
          {instruction[3], instruction[4], instruction[5]}};
}

// The function's name consists of the block's shape, such as "intel_sub_group_2d_block_read_16b_8r16x1c": 16-bit
// elements, 8 rows of 16 columns, 1 block.
BuiltinCall blockAccess(const std::string &form, const Instruction &instruction, const Types &types) {
  const auto size = types.constant(instruction[0]), width = types.constant(instruction[1]),
             height = types.constant(instruction[2]), count = types.constant(instruction[3]);
  const bool writes = form == "write_";
  const uint32_t base = instruction[writes ? 5 : 4], data = instruction[writes ? 4 : 9];
  const std::vector<uint32_t> arguments{base,
                                        instruction[writes ? 6 : 5],
                                        instruction[writes ? 7 : 6],
                                        instruction[writes ? 8 : 7],
                                        instruction[writes ? 9 : 8],
                                        data};
  BuiltinCall call{.name = {}, .arguments = arguments, .has_result = false};
  if (!size || !width || !height || !count || *size > 8 || *width > 64 ||
      types.storageClass(types.typeOf(base)) != spv::StorageClass::CrossWorkgroup ||
      types.storageClass(types.typeOf(data)) != spv::StorageClass::Function)
    return call;
  const uint32_t bits = 8 * *size;
  const std::string element = laneType(form, bits, *width);
  if (!element.empty())
    call.name =
        mangle("intel_sub_group_2d_block_" + form + std::to_string(bits) + "b_" + std::to_string(*height) + "r" +
                   std::to_string(*width) + "x" + std::to_string(*count) + "c",
               {"PU3AS1v", "i", "i", "i", types.mangled(types.typeOf(instruction[writes ? 9 : 8])), "P" + element});
  return call;
}

} // namespace lanecl::frontend::spirv
