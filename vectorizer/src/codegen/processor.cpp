// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides which features of a processor code may use.

#include "codegen/processor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the widest instruction set that the processor has completely.
static Isa bestIsa(const StringMap<bool> &features) {
  const auto has = [&](std::initializer_list<StringRef> names) {
    return all_of(names, [&](StringRef name) { return features.lookup(name); });
  };
  if (!has({"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt"}))
    return Isa::Sse42;
  return has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? Isa::Avx512 : Isa::Avx2;
}

// Returns the narrower of two instruction sets. The enumeration is ordered from the widest to the narrowest, after
// Host.
static Isa narrower(Isa wanted, Isa best) {
  return wanted == Isa::Host || wanted < best ? best : wanted;
}

// Whether code that is limited to this instruction set must not use the feature.
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

// Whether a feature is for operating systems only. Kernels do not use these and hypervisors often hide them, so a
// machine must not be refused because it lacks one.
static bool isForSystems(StringRef feature) {
  static constexpr StringLiteral kNames[] = {
      "cldemote", "clflushopt", "clwb",     "clzero", "enqcmd",    "fsgsbase", "hreset",    "invpcid",  "kl",
      "lwp",      "movdir64b",  "movdiri",  "mwaitx", "pconfig",   "pku",      "prefetchi", "ptwrite",  "rdpid",
      "rdpru",    "rdrnd",      "rdseed",   "rtm",    "serialize", "sgx",      "shstk",     "tsxldtrk", "uintr",
      "usermsr",  "waitpkg",    "wbnoinvd", "widekl", "xsave",     "xsavec",   "xsaveopt",  "xsaves"};
  return is_contained(kNames, feature);
}

// Returns the features of a processor by name, all of them true. LLVM's lists omit some features that others imply, so
// these are added.
static StringMap<bool> featuresOf(StringRef cpu) {
  SmallVector<StringRef, 64> listed;
  X86::getFeaturesForCPU(cpu, listed);
  StringMap<bool> features;
  for (const StringRef feature : listed) {
    features[feature] = true;
    X86::updateImpliedFeatures(feature, true, features);
  }
  return features;
}

// Describes this machine, limited to an instruction set.
static TargetProcessor thisMachine(Isa wanted, const Host &host) {
  const Isa best = bestIsa(host.features);
  TargetProcessor processor;
  processor.isa = narrower(wanted, best);
  processor.cpu = processor.isa == best ? host.cpu : processor.isa == Isa::Avx2 ? "x86-64-v3" : "x86-64-v2";
  std::vector<std::string> features;
  for (const auto &feature : host.features) {
    const bool use = feature.second && !isBeyond(processor.isa, feature.first());
    features.push_back((use ? "+" : "-") + feature.first().str());
  }
  // The name of the older processor turns this tuning flag off, but the processor is a newer one.
  if (processor.isa == Isa::Avx2 && best == Isa::Avx512)
    features.push_back("+fast-gather");
  sort(features); // the order of the map varies, and the text is part of the object cache's key
  processor.features = join(features, ",");
  return processor;
}

// Describes a named processor, limited to an instruction set, and lists what this machine lacks of it.
static TargetProcessor namedProcessor(const CodeTarget &wanted, const Host &host) {
  const StringMap<bool> has = featuresOf(wanted.cpu);
  TargetProcessor processor;
  processor.isa = narrower(wanted.isa, bestIsa(has));
  processor.cpu = wanted.cpu;
  std::vector<std::string> off;
  for (const StringRef feature : has.keys()) {
    // A feature that host detection does not report is part of every x86-64 processor.
    const auto here = host.features.find(feature);
    if (isBeyond(processor.isa, feature) || isForSystems(feature))
      off.push_back("-" + feature.str());
    else if (here != host.features.end() && !here->second)
      processor.missing.push_back(feature.str());
  }
  sort(off);
  sort(processor.missing);
  processor.features = join(off, ",");
  return processor;
}

Host detectHost() {
  return {sys::getHostCPUName().str(), sys::getHostCPUFeatures()};
}

TargetProcessor chooseProcessor(const CodeTarget &wanted, const Host &host) {
  return wanted.cpu.empty() ? thisMachine(wanted.isa, host) : namedProcessor(wanted, host);
}

std::vector<std::string> knownProcessors() {
  SmallVector<StringRef, 128> names;
  X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  std::vector<std::string> known;
  for (const StringRef name : names)
    if (featuresOf(name).lookup("sse4.2")) // the minimum that kernels are compiled for
      known.push_back(name.str());
  return known;
}

TargetDescription describe(const TargetProcessor &processor) {
  return {processor.cpu, processor.isa, vectorBits(processor.isa), processor.missing};
}

unsigned vectorBits(Isa isa) {
  return isa == Isa::Avx512 ? 512 : isa == Isa::Avx2 ? 256 : 128;
}

const char *isaName(Isa isa) {
  return isa == Isa::Avx512 ? "AVX-512" : isa == Isa::Avx2 ? "AVX2" : "SSE4.2";
}

} // namespace lanecl::vectorizer
