// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code for an instruction set uses its registers and no others, and the bytes that it spills are counted.
#include "codegen/emit.h"
#include "harness.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/SourceMgr.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <regex>

using namespace lanecl::vectorizer;
using namespace lanecl::vectorizer::test;

namespace {

// Returns a function that loads `live` vectors, executes an opaque instruction and stores them all.
std::string manyLive(unsigned live) {
  std::string body = "  %argp = getelementptr i8, ptr addrspace(2) %launch, i64 104\n"
                     "  %args = load ptr addrspace(2), ptr addrspace(2) %argp, align 8\n"
                     "  %out = load ptr addrspace(1), ptr addrspace(2) %args, align 8\n";
  for (unsigned i = 0; i < live; ++i)
    body += fmt::format("  %p{0} = getelementptr <16 x float>, ptr addrspace(1) %out, i64 {0}\n"
                        "  %v{0} = load volatile <16 x float>, ptr addrspace(1) %p{0}, align 64\n",
                        i);
  for (unsigned i = 0; i < live; ++i)
    body += fmt::format("  %s{0} = fadd <16 x float> %v{0}, %v{1}\n"
                        "  store volatile <16 x float> %s{0}, ptr addrspace(1) %p{0}, align 64\n",
                        i, (i + 1) % live);
  return lanesFunction("k.lanes", body + "  ret void\n");
}

// Returns whether the assembly matches the regular expression.
bool uses(const std::string &assembly, const char *pattern) {
  return std::regex_search(assembly, std::regex(pattern));
}

} // namespace

TEST_CASE("the instruction set bounds the registers", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const char *const kWidest = "x86-64-v4"; // this processor need not be here, because the code is not run
  const std::string wide = build(manyLive(4), launch, {Isa::Host, kWidest}).assembly;
  CHECK(uses(wide, "vaddps.*%zmm"));
  const std::string middle = build(manyLive(24), launch, {Isa::Avx2, kWidest}).assembly;
  CHECK(uses(middle, "vaddps.*%ymm"));
  CHECK_FALSE(uses(middle, "%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])"));
  for (const CodeTarget &target : {CodeTarget{Isa::Sse42}, CodeTarget{Isa::Sse42, kWidest}}) {
    const std::string narrow = build(manyLive(24), launch, target).assembly;
    CHECK(uses(narrow, "addps.*%xmm"));
    CHECK_FALSE(uses(narrow, "%zmm|%ymm|vaddps"));
  }
}

TEST_CASE("features of a bigger instruction set are off", "[target]") {
  const std::string avx2 = chooseProcessor({Isa::Avx2}).features;
  CHECK_FALSE(uses(avx2, R"(\+(avx512|avx10|amx|evex))"));
  CHECK_FALSE(uses(chooseProcessor({Isa::Sse42}).features, R"(\+(avx|fma|bmi|f16c|amx))"));
}

TEST_CASE("LLVM knows all that is said of a named processor", "[target]") {
  std::string error;
  for (const std::string &name : knownProcessors()) {
    const TargetProcessor processor = chooseProcessor({Isa::Host, name});
    INFO(name << ": " << processor.features);
    const auto target = createTargetMachine(processor, true, error);
    REQUIRE(target);
    const llvm::MCSubtargetInfo &info = *target->getMCSubtargetInfo();
    CHECK(info.isCPUStringValid(name));
    llvm::SmallVector<llvm::StringRef, 64> features;
    llvm::StringRef(processor.features).split(features, ',', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef feature : features)
      CHECK(llvm::any_of(info.getAllProcessorFeatures(),
                         [&](const llvm::SubtargetFeatureKV &known) { return feature.drop_front() == known.Key; }));
  }
}

TEST_CASE("a named processor is compiled for in the same way on every host", "[target]") {
  Host bare = detectHost(), full = bare;
  bare.cpu = "x86-64";
  for (auto &feature : bare.features)
    feature.second = false;
  for (auto &feature : full.features)
    feature.second = true;
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "icelake-client", "sapphirerapids", "znver4"}) {
    INFO(name);
    const TargetProcessor one = chooseProcessor({Isa::Host, name}, bare),
                          other = chooseProcessor({Isa::Host, name}, full);
    CHECK(one.cpu == name);
    CHECK(other.cpu == name);
    CHECK(one.features == other.features);
    CHECK(one.isa == other.isa);
    CHECK(vectorBits(one.isa) == (name == std::string("x86-64-v2")   ? 128
                                  : name == std::string("x86-64-v3") ? 256
                                                                     : 512));
    CHECK_FALSE(one.missing.empty());
    CHECK(other.missing.empty());
  }
}

TEST_CASE("what a host lacks for the code of a named processor", "[target]") {
  Host host = detectHost();
  for (auto &feature : host.features)
    feature.second = true;
  const CodeTarget target{Isa::Host, "icelake-client"};
  for (const char *hidden : {"pku", "invpcid", "xsaves", "rdseed"}) // kernels need none of these
    host.features[hidden] = false;
  CHECK(chooseProcessor(target, host).missing.empty());
  host.features["avx512vbmi"] = host.features["f16c"] = false;
  CHECK(chooseProcessor(target, host).missing == std::vector<std::string>{"avx512vbmi", "f16c"});
  CHECK(chooseProcessor({Isa::Avx2, target.cpu}, host).missing == std::vector<std::string>{"f16c"});
  CHECK(chooseProcessor({}, host).missing.empty());
}

TEST_CASE("only processors of 64 bits with SSE4.2 are known", "[target]") {
  const std::vector<std::string> known = knownProcessors();
  const auto isKnown = [&](const char *name) { return llvm::is_contained(known, name); };
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "icelake-client", "sapphirerapids", "znver4"})
    CHECK(isKnown(name));
  for (const char *name : {"", "x86-64", "i686", "core2", "cortex-a57", "native"})
    CHECK_FALSE(isKnown(name));
}

TEST_CASE("spilled bytes are the spill slots", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const Isa isa = chooseProcessor({}).isa;
  CHECK(build(manyLive(4), launch, {isa}).spill_bytes == 0);
  // There are more vectors than registers. At least the excess is spilled, and not much more.
  const unsigned live = 48, registers = isa == Isa::Avx512 ? 32 : 16;
  const uint64_t excess = (live * 512 / vectorBits(isa) - registers) * vectorBits(isa) / 8;
  const uint64_t spilled = build(manyLive(live), launch, {isa}).spill_bytes;
  CHECK(spilled >= excess);
  CHECK(spilled <= excess + 1024);
}

// A spilled scalar of 8 bytes lies where another function would save its caller's registers.
TEST_CASE("spilled scalars are no registers of the caller", "[target]") {
  llvm::LLVMContext context;
  std::string error, clobbered;
  const auto target = createTargetMachine(chooseProcessor({Isa::Avx2}), true, error);
  REQUIRE(target);
  const auto spilledBytes = [&](const std::string &clobbers) {
    llvm::SMDiagnostic diagnostic;
    const auto module = llvm::parseAssemblyString("define void @k(ptr %p) nounwind {\n"
                                                  "  %x = load double, ptr %p\n"
                                                  "  %y = fadd double %x, %x\n"
                                                  "  call void asm sideeffect \"\", \"" +
                                                      clobbers +
                                                      "\"()\n"
                                                      "  store double %y, ptr %p\n"
                                                      "  ret void\n}\n",
                                                  diagnostic, context);
    REQUIRE(module);
    module->setDataLayout(target->createDataLayout());
    module->setTargetTriple(target->getTargetTriple());
    return emit(*module, *target, llvm::CodeGenFileType::ObjectFile).spill_bytes;
  };
  CHECK(spilledBytes("~{rbx},~{r12},~{r13},~{r14},~{r15}") == 0); // these are saved
  for (int i = 0; i < 16; ++i)
    clobbered += (i == 0 ? "~{xmm" : ",~{xmm") + std::to_string(i) + "}";
  CHECK(spilledBytes(clobbered) == 8);
  CHECK(spilledBytes(clobbered + ",~{rbx},~{r12}") == 8);
}

TEST_CASE("the stack that code needs covers its frame", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const Isa isa = chooseProcessor({}).isa;
  const auto few = build(manyLive(4), launch, {isa}), many = build(manyLive(48), launch, {isa});
  CHECK(few.stack_bytes < 1024);
  CHECK(many.stack_bytes >= many.spill_bytes);
  CHECK(many.stack_bytes <= many.spill_bytes + 1024);
}

TEST_CASE("types lie in memory as the program's layout says", "[target]") {
  llvm::LLVMContext context;
  std::string error;
  const auto target = createTargetMachine(chooseProcessor({}), true, error);
  REQUIRE(target);
  const llvm::DataLayout host = target->createDataLayout();
  const llvm::DataLayout spir("e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1");
  using llvm::Type;
  const std::initializer_list<Type *> scalars{Type::getInt8Ty(context),   Type::getInt16Ty(context),
                                              Type::getInt32Ty(context),  Type::getInt64Ty(context),
                                              Type::getHalfTy(context),   Type::getFloatTy(context),
                                              Type::getDoubleTy(context), llvm::PointerType::get(context, 1)};
  for (Type *scalar : scalars) {
    CHECK(host.getABITypeAlign(scalar) == spir.getABITypeAlign(scalar));
    for (unsigned count : {2, 3, 4, 8, 16}) {
      Type *vector = llvm::FixedVectorType::get(scalar, count);
      INFO(count << " of " << scalar->getScalarSizeInBits() << " bits");
      CHECK(host.getABITypeAlign(vector) == spir.getABITypeAlign(vector));
      CHECK(host.getTypeAllocSize(vector) == spir.getTypeAllocSize(vector));
    }
  }
}
