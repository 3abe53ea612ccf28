// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#define CATCH_CONFIG_EXTERNAL_INTERFACES // the listener that prints the count
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

// Where there is no F16C, generated code converts half by these.
extern "C" float __extendhfsf2(_Float16);
extern "C" _Float16 __truncsfhf2(float);

namespace lanecl::vectorizer::lanes::test {
namespace {

uint64_t cases = 0;

struct CaseReport : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunEnded(const Catch::TestRunStats &) override {
    std::printf("%llu cases compared with the host\n", static_cast<unsigned long long>(cases));
  }
};

void initializeTarget() {
  static const bool done = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

bool hostHas(const std::string &attributes) {
  const StringMap<bool> features = sys::getHostCPUFeatures();
  const SubtargetFeatures wanted(attributes);
  for (const std::string &feature : wanted.getFeatures())
    if (!StringRef(feature).starts_with("+fast") && !features.lookup(feature.substr(1))) // "fast" is tuning
      return false;
  return true;
}

llvm::Function *emitFunction(llvm::Module &module, const TestIsa &isa, unsigned width, const std::string &name,
                             const Emit &emit) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer, i64, i64}, false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  if (isa.target.level == IsaLevel::Avx512)
    function->addFnAttr("prefer-vector-width", "512");
  function->addFnAttr("min-legal-vector-width", "512");
  IRBuilder<> b(BasicBlock::Create(context, "entry", function));
  const LaneContext c{b, width, isa.target};
  Value *mask = b.CreateBitCast(b.CreateTrunc(function->getArg(3), b.getIntNTy(width)), c.maskType());
  emit(c, {function->getArg(0), function->getArg(1), function->getArg(2), mask, function->getArg(4)});
  b.CreateRetVoid();
  if (verifyFunction(*function, &errs()))
    FAIL("broken function " << name);
  return function;
}

} // namespace

CATCH_REGISTER_LISTENER(CaseReport)

void countCase() {
  ++cases;
}

const std::vector<TestIsa> &allIsas() {
  static const std::string avx2 = "+sse4.2,+popcnt,+avx2,+fma,+bmi,+bmi2,+lzcnt,+f16c,+fast-variable-crosslane-shuffle";
  static const std::string avx512 = avx2 + ",+avx512f,+avx512cd,+avx512bw,+avx512dq,+avx512vl";
  static const std::vector<TestIsa> isas{
      {"sse42", {IsaLevel::Sse42}, "+sse4.2,+popcnt"},
      {"avx2", {IsaLevel::Avx2}, avx2},
      {"avx512", {IsaLevel::Avx512}, avx512},
      {"avx512vbmi", {IsaLevel::Avx512, true}, avx512 + ",+avx512vbmi"},
      {"avx2 without fast gathers", {.level = IsaLevel::Avx2, .fast_gather = false}, avx2},
  };
  return isas;
}

const std::vector<TestIsa> &hostGatherIsas() {
  static const std::vector<TestIsa> isas = [] {
    std::vector<TestIsa> runnable;
    for (const TestIsa &isa : allIsas())
      if (hostHas(isa.attributes))
        runnable.push_back(isa);
    return runnable;
  }();
  return isas;
}

const std::vector<TestIsa> &hostIsas() {
  static const std::vector<TestIsa> isas = [] {
    std::vector<TestIsa> all = hostGatherIsas();
    std::erase_if(all, [](const TestIsa &isa) { return !isa.target.fast_gather; });
    return all;
  }();
  return isas;
}

struct LaneModule::Impl {
  TestIsa isa;
  unsigned width = 0;
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<llvm::Module> module = std::make_unique<llvm::Module>("lanes", *context);
  std::unique_ptr<orc::LLJIT> jit;
};

LaneModule::LaneModule(const TestIsa &isa, unsigned width) : impl(std::make_unique<Impl>()) {
  impl->isa = isa;
  impl->width = width;
  initializeTarget();
  orc::JITTargetMachineBuilder machine{Triple(sys::getProcessTriple())};
  machine.setCPU("x86-64");
  machine.addFeatures(SubtargetFeatures(isa.attributes).getFeatures());
  machine.setRelocationModel(Reloc::PIC_);
  impl->jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
  orc::SymbolMap conversions;
  conversions[impl->jit->mangleAndIntern("__extendhfsf2")] = {orc::ExecutorAddr::fromPtr(&__extendhfsf2),
                                                              JITSymbolFlags::Exported};
  conversions[impl->jit->mangleAndIntern("__truncsfhf2")] = {orc::ExecutorAddr::fromPtr(&__truncsfhf2),
                                                             JITSymbolFlags::Exported};
  cantFail(impl->jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(conversions))));
  impl->module->setDataLayout(impl->jit->getDataLayout());
  impl->module->setTargetTriple(impl->jit->getTargetTriple());
}

LaneModule::~LaneModule() = default;

void LaneModule::add(const std::string &name, const Emit &emit) {
  emitFunction(*impl->module, impl->isa, impl->width, name, emit);
}

void LaneModule::compile() {
  cantFail(impl->jit->addIRModule(orc::ThreadSafeModule(std::move(impl->module), std::move(impl->context))));
}

Function LaneModule::find(const std::string &name) {
  return cantFail(impl->jit->lookup(name)).toPtr<Function>();
}

std::string assemblyOf(const TestIsa &isa, unsigned width, const Emit &emit) {
  initializeTarget();
  LLVMContext context;
  llvm::Module module("lanes", context);
  const Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "x86-64", isa.attributes, TargetOptions(), Reloc::PIC_));
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(triple);
  emitFunction(module, isa, width, "lanes", emit);
  SmallString<4096> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile);
  passes.run(module);
  return std::string(text);
}

unsigned countInstructions(const std::string &assembly, const std::string &mnemonic) {
  unsigned count = 0;
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);)
    count += line.starts_with("\t" + mnemonic);
  return count;
}

unsigned countStackAccesses(const std::string &assembly) {
  unsigned count = 0;
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);)
    count += line.find("(%rsp") != std::string::npos || line.find("(%rbp") != std::string::npos;
  return count;
}

Value *loadLanes(const LaneContext &c, Type *element, Value *ptr) {
  if (!element->isIntegerTy(1))
    return c.b.CreateAlignedLoad(c.vectorOf(element), ptr, Align(1));
  return c.b.CreateTrunc(c.b.CreateAlignedLoad(c.vectorOf(c.b.getInt8Ty()), ptr, Align(1)), c.maskType());
}

void storeLanes(const LaneContext &c, Value *v, Value *ptr) {
  if (v->getType()->isIntOrIntVectorTy(1))
    v = c.b.CreateZExt(v, v->getType()->getWithNewBitWidth(8));
  c.b.CreateAlignedStore(v, ptr, Align(1));
}

const std::vector<ElementType> &memoryTypes() {
  static const std::vector<ElementType> types{
      {"i8", 1, [](LLVMContext &context) -> Type * { return Type::getInt8Ty(context); }},
      {"i16", 2, [](LLVMContext &context) -> Type * { return Type::getInt16Ty(context); }},
      {"i32", 4, [](LLVMContext &context) -> Type * { return Type::getInt32Ty(context); }},
      {"i64", 8, [](LLVMContext &context) -> Type * { return Type::getInt64Ty(context); }},
      {"half", 2, [](LLVMContext &context) -> Type * { return Type::getHalfTy(context); }},
      {"float", 4, [](LLVMContext &context) -> Type * { return Type::getFloatTy(context); }},
      {"double", 8, [](LLVMContext &context) -> Type * { return Type::getDoubleTy(context); }},
      {"ptr", 8, [](LLVMContext &context) -> Type * { return PointerType::get(context, 1); }},
  };
  return types;
}

const std::vector<ElementType> &elementTypes() {
  static const std::vector<ElementType> types = [] {
    std::vector<ElementType> all = memoryTypes();
    all.push_back({"i1", 1, [](LLVMContext &context) -> Type * { return Type::getInt1Ty(context); }});
    return all;
  }();
  return types;
}

GuardedBytes::GuardedBytes() {
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  void *pages = mmap(nullptr, kSize + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  base = static_cast<std::byte *>(pages) + page;
  REQUIRE(mprotect(base, kSize, PROT_READ | PROT_WRITE) == 0);
}

GuardedBytes::~GuardedBytes() {
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  munmap(base - page, kSize + 2 * page);
}

std::byte *GuardedBytes::endingWith(size_t bytes) {
  return base + kSize - bytes;
}
std::byte *GuardedBytes::beginning() {
  return base;
}

std::vector<uint64_t> interestingMasks(unsigned width, std::mt19937_64 &random) {
  const uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  std::vector<uint64_t> masks{0, all, 1, uint64_t(1) << (width - 1), all >> (width / 3), all & ~uint64_t(1)};
  for (int i = 0; i < 6; ++i)
    masks.push_back(random() & all);
  return masks;
}

void fillRandom(void *bytes, size_t count, std::mt19937_64 &random) {
  auto *at = static_cast<std::byte *>(bytes);
  for (size_t i = 0; i < count; ++i)
    at[i] = std::byte(random() & 0xff);
}

} // namespace lanecl::vectorizer::lanes::test
