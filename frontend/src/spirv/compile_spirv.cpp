// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles SPIR-V in three steps: the module is changed until the translator can read it (prepare() and what follows
// it), the translator turns it into bitcode of an older LLVM, and finish() turns this into the IR that Clang would
// emit.
#include "spirv/compile_spirv.h"

#include "frontend/disk_cache.h"
#include "frontend/spirv.h"
#include "program/finish_module.h"
#include "program/recursion.h"
#include "program/source_file.h"
#include "spirv/accept/declare.h"
#include "spirv/accept/environment.h"
#include "spirv/accept/operands.h"
#include "spirv/accept/validate.h"
#include "spirv/lower/bfloat16.h"
#include "spirv/lower/builtin_variables.h"
#include "spirv/lower/component_paths.h"
#include "spirv/lower/constant_operations.h"
#include "spirv/lower/debug_information.h"
#include "spirv/lower/disassembly_lines.h"
#include "spirv/lower/downgrade.h"
#include "spirv/lower/drop_hints.h"
#include "spirv/lower/lower.h"
#include "spirv/lower/phi_edges.h"
#include "spirv/lower/rename_helpers.h"
#include "spirv/module/block_order.h"
#include "spirv/module/module.h"
#include "spirv/module/specialize.h"
#include "spirv/translated/aggregates.h"
#include "spirv/translated/opaque_types.h"
#include "spirv/translated/shift_amounts.h"
#include "spirv/translator/complaint.h"
#include "spirv/translator/translator.h"
#include "spirv/translator/translator_identity.h"
#include "vectorizer/content_hash.h"
#include "vectorizer/crash_guard.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <set>

namespace lanecl::frontend {
namespace spirv {
namespace {

// A part of every key. It changes with everything that changes the IR of the same module.
constexpr const char *kFormat = "lanecl-spirv-15";
// Named metadata of the translator, present if no entry point has the execution mode ContractionOff.
constexpr const char *kContractionAllowed = "opencl.enable.FP_CONTRACT";

// Allows multiplications and additions to be contracted, unless an entry point forbids it.
void allowContraction(llvm::Module &module) {
  if (!module.getNamedMetadata(kContractionAllowed))
    return;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      switch (instruction.getOpcode()) {
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
      case llvm::Instruction::FMul: instruction.setHasAllowContract(true); break;
      default: break;
      }
}

// Returns text such as "8, 16, 32".
std::string list(const std::vector<unsigned> &sizes) {
  std::string text;
  for (unsigned size : sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

// Rejects kernels that require a sub-group size which the device does not have. For OpenCL C the check is in
// clang_module/kernel_attributes.cpp.
bool checkSubGroupSizes(const llvm::Module &module, const std::vector<unsigned> &sizes, std::string &log) {
  bool good = true;
  for (const llvm::Function &function : module) {
    const llvm::MDNode *node = function.getMetadata("intel_reqd_sub_group_size");
    if (!node || node->getNumOperands() == 0)
      continue;
    const auto *size = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0));
    if (size && std::find(sizes.begin(), sizes.end(), size->getZExtValue()) != sizes.end())
      continue;
    good = false;
    log += "error: kernel " + function.getName().str() + " requires a sub-group size of " +
           std::to_string(size ? size->getZExtValue() : 0) +
           ", which the device does not support; supported sizes are " + list(sizes) + "\n";
  }
  return good;
}

// Adds the execution mode SubgroupsPerWorkgroup to the kernels' metadata, because the translator drops it.
void noteSubGroups(const Module &spirv, llvm::Module &module) {
  std::map<uint32_t, uint32_t> counts;
  for (const Instruction &instruction : spirv.instructions())
    if (instruction.op == spv::Op::OpExecutionMode &&
        spv::ExecutionMode(instruction[1]) == spv::ExecutionMode::SubgroupsPerWorkgroup)
      counts[instruction[0]] = instruction[2];
  for (const Instruction &instruction : spirv.instructions()) {
    const auto count = instruction.op == spv::Op::OpEntryPoint ? counts.find(instruction[1]) : counts.end();
    llvm::Function *kernel = count != counts.end() ? module.getFunction(literalString(instruction, 2)) : nullptr;
    if (!kernel)
      continue;
    auto *number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), count->second);
    kernel->setMetadata(kSubGroupsMetadata,
                        llvm::MDNode::get(module.getContext(), llvm::ConstantAsMetadata::get(number)));
  }
}

// Lists the finalizers in llvm.global_dtors. The translator lists initializers, but not finalizers.
void listFinalizers(const Module &spirv, llvm::Module &module) {
  std::set<uint32_t> finalizers;
  for (const Instruction &instruction : spirv.instructions())
    if (instruction.op == spv::Op::OpExecutionMode &&
        spv::ExecutionMode(instruction[1]) == spv::ExecutionMode::Finalizer)
      finalizers.insert(instruction[0]);
  for (const Instruction &instruction : spirv.instructions())
    if (instruction.op == spv::Op::OpEntryPoint && finalizers.contains(instruction[1]))
      if (llvm::Function *kernel = module.getFunction(literalString(instruction, 2)))
        llvm::appendToGlobalDtors(module, kernel, 0);
}

// Gives link-once definitions weak linkage, so that the linker keeps one of them even if its own module does not use
// it. Several modules may have the same definition, and other modules may use it.
void keepLinkOnceDefinitions(llvm::Module &module) {
  for (llvm::GlobalValue &value : module.global_values())
    if (value.hasLinkOnceLinkage())
      value.setLinkage(llvm::GlobalValue::WeakODRLinkage);
}

// Reports invalid IR, which the translator may produce from a valid module, as an error of the build.
bool verify(const llvm::Module &module, std::string &log) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!llvm::verifyModule(module, &stream))
    return true;
  log += "error: the SPIR-V translator's output is not valid: " + message + "\n";
  return false;
}

// Reads the translator's bitcode, which LLVM upgrades from an older version, and makes it the IR that Clang would emit.
void finish(const LanguageTraits &traits, const Module &spirv, const std::string &translated, ObjectCode &object) {
  llvm::LLVMContext context;
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(translated, "program"), context);
  if (!parsed) {
    object.log += "error: the SPIR-V translator's output cannot be read: " + llvm::toString(parsed.takeError()) + "\n";
    return;
  }
  llvm::Module &module = **parsed;
  // The translator's data layout belongs to an older LLVM.
  module.setDataLayout(module.getTargetTriple().computeDataLayout());
  noteSubGroups(spirv, module);
  listFinalizers(spirv, module);
  restoreOpaqueTypes(module);
  splitAggregateAccesses(module);
  maskShiftAmounts(module);
  keepLinkOnceDefinitions(module);
  allowContraction(module);
  useKeyInstructions(module);
  finishModule(module, {});
  object.success = verify(module, object.log) && checkSubGroupSizes(module, traits.sub_group_sizes, object.log) &&
                   rejectRecursion(module, Extent::Part, object.log);
  llvm::raw_string_ostream stream(object.bitcode);
  llvm::WriteBitcodeToFile(module, stream);
}

// Translates the module. If that fails, translates it again without its debug information, so that debug information
// that the translator does not understand costs nothing else.
bool translateInAnyCase(const LanguageTraits &traits, Module &module, std::string &translated, std::string &log) {
  std::string error;
  if (translate(traits.spirv_translator, module.bytes(), translated, error))
    return true;
  std::string again;
  const bool good =
      removeDebugInformation(module) && translate(traits.spirv_translator, module.bytes(), translated, again);
  log += good ? "warning: the module's debug information is ignored: " + error : meaningOf(error, module) + error;
  return good;
}

// Makes the module readable for both validator and translator: the blocks are in order, and no instruction of an
// extension that they do not know is left.
bool prepare(Module &module, const LanguageTraits &traits, std::string &error) {
  dropHints(module);
  orderBlocks(module);
  return lowerBfloat16(module, error) && lower(module, traits, error);
}

// Compiles the module. After prepare() only changes for the translator follow.
void compileNow(const LanguageTraits &traits, const std::string &bytes, const SpecializationValues &values,
                const std::string &text_name, ObjectCode &object) {
  Module module;
  if (!Module::parse(bytes, module, object.log))
    return;
  if (!text_name.empty())
    addDisassemblyLines(module, disassemble(module), text_name);
  if (traits.declares_sub_groups)
    declareSubGroups(module);
  if (!checkEnvironment(module, traits, object.log))
    return;
  specialize(module, values);
  if (!checkOperands(module, object.log) || !prepare(module, traits, object.log) ||
      !loadBuiltinsWhole(module, object.log))
    return;
  dropUnreadDebugInformation(module);
  renameHelpers(module);
  splitComponentPaths(module);
  repeatPhiOperands(module);
  keepConstantOperations(module);
  downgrade(module);
  std::string translated;
  if (translateInAnyCase(traits, module, translated, object.log))
    finish(traits, module, translated, object);
}

// Returns the key of the cache, or an empty key if the result must not be cached.
std::string cacheKey(const LanguageTraits &traits, const std::string &bytes, const SpecializationValues &values,
                     const std::string &text_name) {
  const std::string translator =
      traits.cache ? translatorIdentity(traits.spirv_translator, *traits.cache) : std::string();
  if (translator.empty())
    return {};
  ContentHash hasher;
  hasher.add(kFormat).add(translator).add(bytes).add(text_name);
  for (const auto &[number, value] : values)
    hasher.add(std::to_string(number)).add(value);
  for (unsigned size : traits.sub_group_sizes)
    hasher.add(std::to_string(size));
  // The traits decide what the device lacks, and that is an error of the build.
  for (const std::vector<std::string> *offered : {&traits.extensions, &traits.features, &traits.unlisted})
    for (const std::string &name : *offered)
      hasher.add(name);
  hasher.add(traits.declares_sub_groups ? "declares" : "").add(std::to_string(traits.matrix_sub_group));
  return "spirv:" + hasher.hex();
}

// Examines a module without translating it: its environment first, then its validity.
SpirvVerdict examine(std::string_view bytes, const LanguageTraits &traits, std::string &error) {
  Module module;
  if (!Module::parse(bytes, module, error))
    return SpirvVerdict::Invalid;
  if (traits.declares_sub_groups)
    declareSubGroups(module);
  // The validator knows only the core and some extensions, so it examines what is left when the others have been
  // lowered.
  if (!checkEnvironment(module, traits, error) || !prepare(module, traits, error))
    return SpirvVerdict::Unsupported;
  // Debug information is removed first: the validator refuses references to later instructions, which compilers write
  // and the translator reads.
  removeDebugInformation(module);
  return validate(module, error) ? SpirvVerdict::Good : SpirvVerdict::Invalid;
}

} // namespace

std::string nameText(const LanguageTraits &traits, const std::string &module, bool debug) {
  const std::string text = debug || traits.wants_lines ? textOfSpirv(module) : std::string();
  if (text.empty())
    return {};
  const std::string path = debug ? writeSourceFile(traits.cache.get(), text, ".spvasm") : std::string();
  return path.empty() ? kSpirvTextName : path;
}

// Compiles the module, or takes the result from the cache.
ObjectCode compile(const LanguageTraits &traits, const std::string &module, const SpecializationValues &values,
                   const std::string &text_name) {
  ObjectCode object;
  const std::string key = cacheKey(traits, module, values, text_name);
  if (!key.empty())
    if (auto bitcode = traits.cache->load(key)) {
      object.success = true;
      object.bitcode = std::move(*bitcode);
      return object;
    }
  std::string reason;
  if (!vectorizer::runGuarded([&] { compileNow(traits, module, values, text_name, object); }, reason)) {
    object.success = false;
    object.log += "error: the compiler gave up: " + reason + "\n";
  }
  // A result with warnings is not cached, because the warnings must appear each time.
  if (!key.empty() && object.success && object.log.empty())
    traits.cache->store(key, object.bitcode);
  return object;
}

} // namespace spirv

SpirvVerdict examineSpirv(std::string_view module, const LanguageTraits &traits, std::string &error) {
  SpirvVerdict verdict = SpirvVerdict::Invalid;
  std::string reason;
  if (!vectorizer::runGuarded([&] { verdict = spirv::examine(module, traits, error); }, reason))
    error = "error: the SPIR-V validator gave up: " + reason + "\n";
  return verdict;
}

std::string textOfSpirv(std::string_view module) {
  spirv::Module parsed;
  std::string ignored;
  const bool lacks_source = spirv::Module::parse(module, parsed, ignored) && !spirv::hasDebugInformation(parsed);
  return lacks_source ? spirv::disassemble(parsed).text : std::string();
}

std::optional<size_t> specializationSize(std::string_view module, uint32_t number) {
  spirv::Module parsed;
  std::string error;
  return spirv::Module::parse(module, parsed, error) ? spirv::constantSize(parsed, number) : std::nullopt;
}

} // namespace lanecl::frontend
