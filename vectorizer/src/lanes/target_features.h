// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The features of the processor that lane code chooses its instructions by.
#pragma once

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace lanecl::vectorizer::lanes {

// Avx512 means the server baseline: F, CD, BW, DQ and VL. Sse42 is the fallback: every 64-bit host since 2008 has it.
enum class IsaLevel { Sse42, Avx2, Avx512 };

struct TargetFeatures {
  IsaLevel level = IsaLevel::Avx2;
  bool vbmi = false;       // AVX-512 VBMI: byte permutes in one instruction
  bool bf16 = false;       // AVX-512 BF16: conversions to bfloat16
  bool fp16 = false;       // AVX-512 FP16: half arithmetic
  bool vnni = false;       // AVX-512 VNNI or AVX-VNNI: dot products of bytes
  bool fast_gather = true; // AVX2: one gather is faster than a load for each lane

  // Returns the size of one vector register in bits.
  unsigned registerBits() const { return level == IsaLevel::Avx512 ? 512 : level == IsaLevel::Avx2 ? 256 : 128; }
};

// Reads the features from the target machine. Null stands for no particular processor and gives the defaults (AVX2).
TargetFeatures featuresOf(const llvm::TargetMachine *target);

} // namespace lanecl::vectorizer::lanes
