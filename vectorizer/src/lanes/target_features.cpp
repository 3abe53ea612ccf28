// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/target_features.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {

TargetFeatures featuresOf(const TargetMachine *target) {
  TargetFeatures result;
  if (target == nullptr)
    return result;
  const MCSubtargetInfo &subtarget = *target->getMCSubtargetInfo();
  const auto has = [&](const char *feature) { return subtarget.checkFeatures(feature); };
  const bool avx512 = has("+avx512f") && has("+avx512bw") && has("+avx512dq") && has("+avx512vl");
  result.level = avx512 ? IsaLevel::Avx512 : has("+avx2") ? IsaLevel::Avx2 : IsaLevel::Sse42;
  result.vbmi = avx512 && has("+avx512vbmi");
  result.bf16 = avx512 && has("+avx512bf16");
  result.fp16 = avx512 && has("+avx512fp16");
  result.fast_gather = has("+fast-gather");
  result.vnni = avx512 ? has("+avx512vnni") : has("+avxvnni");
  return result;
}

} // namespace lanecl::vectorizer::lanes
