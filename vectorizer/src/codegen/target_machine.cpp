#include "target_machine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace llvm;

namespace lanecl::vectorizer {

static Isa hostIsa(const StringMap<bool> &features) {
  const auto has = [&](std::initializer_list<StringRef> names) {
    return all_of(names, [&](StringRef name) { return features.lookup(name); });
  };
  if (!has({"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt"}))
    return Isa::Sse42;
  return has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? Isa::Avx512 : Isa::Avx2;
}

// What a processor of a smaller instruction set must not be asked to execute.
static bool isBeyond(Isa isa, StringRef feature) {
  if (isa == Isa::Avx512)
    return feature.starts_with("amx");
  const auto starts = [&](std::initializer_list<StringRef> prefixes) {
    return any_of(prefixes, [&](StringRef prefix) { return feature.starts_with(prefix); });
  };
  if (starts({"avx512", "avx10", "evex", "amx", "egpr", "ndd", "ccmp", "nf", "ppx", "push2pop2", "zu", "jmpabs", "cf"}))
    return true;
  return isa == Isa::Sse42 && (starts({"avx", "fma", "f16c", "bmi", "lzcnt", "vaes", "vpclmulqdq", "xop", "movbe",
                                       "gfni", "sha512", "sm3", "sm4"}));
}

Processor chooseProcessor(Isa wanted) {
  const StringMap<bool> host = sys::getHostCPUFeatures();
  const Isa best = hostIsa(host);
  Processor processor;
  // The enumeration goes from the widest to the narrowest; the host's best is the upper bound.
  processor.isa = wanted == Isa::Host || wanted < best ? best : wanted;
  processor.cpu = processor.isa == best        ? sys::getHostCPUName().str()
                  : processor.isa == Isa::Avx2 ? "x86-64-v3"
                                               : "x86-64-v2";
  std::vector<std::string> features;
  for (const auto &feature : host) {
    const bool use = feature.second && !isBeyond(processor.isa, feature.first());
    features.push_back((use ? "+" : "-") + feature.first().str());
  }
  sort(features); // the map's order is not fixed and the text is part of the object cache's key
  processor.features = join(features, ",");
  return processor;
}

unsigned vectorBits(Isa isa) {
  return isa == Isa::Avx512 ? 512 : isa == Isa::Avx2 ? 256 : 128;
}

const char *isaName(Isa isa) {
  return isa == Isa::Avx512 ? "AVX-512" : isa == Isa::Avx2 ? "AVX2" : "SSE4.2";
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
}

std::unique_ptr<TargetMachine> createTargetMachine(const Processor &processor, bool optimize, std::string &error) {
  initializeTarget();
  const Triple triple(sys::getProcessTriple());
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // fuse what the IR calls fmuladd, and nothing else
  options.NoTrappingFPMath = true;
  options.TrapUnreachable = false;
  auto *machine =
      target->createTargetMachine(triple, processor.cpu, processor.features, options, Reloc::PIC_, CodeModel::Small,
                                  optimize ? CodeGenOptLevel::Default : CodeGenOptLevel::None, /*JIT=*/true);
  if (!machine)
    error = "LLVM has no code generator for " + triple.str();
  return std::unique_ptr<TargetMachine>(machine);
}

void addTargetAttributes(Function &function, const TargetMachine &target) {
  function.addFnAttr("target-cpu", target.getTargetCPU());
  function.addFnAttr("target-features", target.getTargetFeatureString());
  // Without these LLVM splits 512-bit vectors on processors it believes to prefer 256 bits.
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

} // namespace lanecl::vectorizer
