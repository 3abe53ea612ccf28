// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles lanes functions and runs them with guarded memory.
#include "harness.h"

#include "codegen/emit.h"
#include "pipeline/pass_registry.h"
#include "work_group/work_group.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

using namespace llvm;

namespace lanecl::vectorizer::test {

std::string lanesFunction(const std::string &name, const std::string &body) {
  return "define internal void @" + name +
         "(ptr addrspace(2) %launch, ptr addrspace(2) %worker, ptr addrspace(2) %local_size, i64 %gx, i64 %gy, i64 %gz,"
         " i32 %sg, i32 %active, ptr %scratch) nounwind {\n" +
         body + "}\n";
}

// The primitives that the bodies of lanes functions may call.
static constexpr const char *kDeclarations = R"(
declare void @_Z27__lanecl_work_group_barrierj(i32) convergent nounwind
declare i32 @_Z23__lanecl_num_sub_groupsv()
declare i32 @_Z23__lanecl_sub_group_sizev()
)";

static void require(bool condition, const std::string &complaint) {
  if (!condition)
    throw std::runtime_error(complaint);
}

// Parses the text and sets the attributes and the data layout that the pipeline would have set by then.
static std::unique_ptr<Module> parse(LLVMContext &context, const std::string &ir, const TargetMachine &target) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(kDeclarations + ir, diagnostic, context);
  std::string complaint;
  raw_string_ostream out(complaint);
  if (!module)
    diagnostic.print("test", out);
  require(module != nullptr, complaint);
  module->setDataLayout(target.createDataLayout());
  module->setTargetTriple(target.getTargetTriple());
  for (Function &function : *module)
    if (!function.isDeclaration())
      addTargetAttributes(function, target);
  return module;
}

Built build(const std::string &ir, const LaunchClass &launch, const CodeTarget &wanted, ArrayRef<StringRef> passes) {
  std::string error;
  std::unique_ptr<TargetMachine> target = createTargetMachine(chooseProcessor(wanted), true, error);
  require(target != nullptr, error);
  LLVMContext llvm;
  PassContext context;
  context.launch = launch;
  context.kernel = "k";
  context.target = target.get();
  std::unique_ptr<Module> module = parse(llvm, ir, *target);
  PassRunner runner(context, {});
  const bool ran = runner.run(*module, passes);
  require(ran, context.diagnostics.text());

  Built built;
  built.facts = context.facts;
  built.assembly = emit(*CloneModule(*module), *target, CodeGenFileType::AssemblyFile).bytes.str().str();
  const Emitted object = emit(*module, *target, CodeGenFileType::ObjectFile);
  require(object.error.empty(), object.error);
  built.spill_bytes = object.spill_bytes;
  built.stack_bytes = object.stack_bytes;
  static std::shared_ptr<Jit> jit = cantFail(Jit::create(Profiler::None));
  std::vector<CodeObject> objects;
  objects.push_back({MemoryBuffer::getMemBufferCopy(object.bytes), workGroupName("k", launch)});
  auto loaded = jit->load(std::move(objects), false);
  if (!loaded)
    throw std::runtime_error(toString(loaded.takeError()));
  built.code = std::move(*loaded);
  return built;
}

namespace {

// Memory that is aligned to 128 bytes and to no more, between two patterns that must survive.
class GuardedMemory {
public:
  explicit GuardedMemory(uint64_t bytes) : bytes(bytes) {
    storage = static_cast<std::byte *>(std::aligned_alloc(4096, (bytes + 2 * kGuard + 4095) / 4096 * 4096));
    std::memset(storage, 0xA5, bytes + 2 * kGuard);
  }
  ~GuardedMemory() { std::free(storage); }
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;
  std::byte *data() { return storage + kGuard; }
  bool intact() const {
    const auto is_guard = [](std::byte value) { return value == std::byte(0xA5); };
    return std::all_of(storage, storage + kGuard, is_guard) &&
           std::all_of(storage + kGuard + bytes, storage + kGuard + bytes + kGuard, is_guard);
  }

private:
  static constexpr uint64_t kGuard = 128;
  uint64_t bytes;
  std::byte *storage;
};

} // namespace

void run(const Built &built, uint32_t local_size, uint64_t groups, const std::vector<void *> &arguments,
         uint64_t local_bytes) {
  const uint64_t sub_groups = local_size; // at least the number of sub-groups at any width
  const uint64_t scratch_bytes = built.facts.scratch_bytes + built.facts.scratch_per_sub_group * sub_groups;
  GuardedMemory local(local_bytes), scratch(scratch_bytes);
  abi::LaunchInfo launch{};
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.enqueued_local_size[dim] = dim == 0 ? local_size : 1;
    launch.num_groups[dim] = dim == 0 ? groups : 1;
    launch.global_size[dim] = launch.enqueued_local_size[dim] * launch.num_groups[dim];
  }
  launch.work_dim = 1;
  launch.arguments = reinterpret_cast<const std::byte *>(arguments.data());
  const abi::WorkerMemory worker{local.data(), scratch.data(), local_bytes, scratch_bytes};
  built.entry()(&launch, &worker, launch.enqueued_local_size, 0, groups, 0, 0);
  require(local.intact() && scratch.intact(), "the kernel wrote outside its local or scratch memory");
}

} // namespace lanecl::vectorizer::test
