// Code for each instruction set uses its registers and no others; spilled bytes are counted.
#include "harness.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <regex>

using namespace lanecl::vectorizer;
using namespace lanecl::vectorizer::test;

namespace {

// `live` vectors are loaded, something opaque happens, all are stored.
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

bool uses(const std::string &assembly, const char *pattern) {
  return std::regex_search(assembly, std::regex(pattern));
}

} // namespace

TEST_CASE("the instruction set bounds the registers", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const Isa host = chooseProcessor(Isa::Host).isa;
  if (host == Isa::Avx512) {
    const std::string wide = build(manyLive(4), launch, Isa::Avx512).assembly;
    CHECK(uses(wide, "vaddps.*%zmm"));
  }
  if (host != Isa::Sse42) {
    const std::string middle = build(manyLive(24), launch, Isa::Avx2).assembly;
    CHECK(uses(middle, "vaddps.*%ymm"));
    CHECK_FALSE(uses(middle, "%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])"));
  }
  const std::string narrow = build(manyLive(24), launch, Isa::Sse42).assembly;
  CHECK(uses(narrow, "addps.*%xmm"));
  CHECK_FALSE(uses(narrow, "%zmm|%ymm|vaddps"));
}

TEST_CASE("features of a bigger instruction set are off", "[target]") {
  const std::string avx2 = chooseProcessor(Isa::Avx2).features;
  CHECK_FALSE(uses(avx2, R"(\+(avx512|avx10|amx|evex))"));
  CHECK_FALSE(uses(chooseProcessor(Isa::Sse42).features, R"(\+(avx|fma|bmi|f16c|amx))"));
}

TEST_CASE("spilled bytes are the spill slots", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const Isa isa = chooseProcessor(Isa::Host).isa;
  CHECK(build(manyLive(4), launch, isa).spill_bytes == 0);
  // More vectors than there are registers: at least the excess is spilled, and not much more.
  const unsigned live = 48, registers = isa == Isa::Avx512 ? 32 : 16;
  const uint64_t excess = (live * 512 / vectorBits(isa) - registers) * vectorBits(isa) / 8;
  const uint64_t spilled = build(manyLive(live), launch, isa).spill_bytes;
  CHECK(spilled >= excess);
  CHECK(spilled <= excess + 1024);
}

TEST_CASE("the stack that code needs covers its frame", "[target]") {
  const LaunchClass launch{16, {64, 1, 1}, true};
  const Isa isa = chooseProcessor(Isa::Host).isa;
  const auto few = build(manyLive(4), launch, isa), many = build(manyLive(48), launch, isa);
  CHECK(few.stack_bytes < 1024);
  CHECK(many.stack_bytes >= many.spill_bytes);
  CHECK(many.stack_bytes <= many.spill_bytes + 1024);
}

TEST_CASE("types lie in memory as the program's layout says", "[target]") {
  llvm::LLVMContext context;
  std::string error;
  const auto target = createTargetMachine(chooseProcessor(Isa::Host), true, error);
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
