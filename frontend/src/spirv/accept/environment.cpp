// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks a module against the tables in environment.def, and lists what these tables offer on a device.
#include "spirv/accept/environment.h"

#include "frontend/spirv.h"
#include "program/device_functions.h"
#include "program/vector_compiler.h"

#include <algorithm>
#include <iterator>

namespace lanecl::frontend::spirv {
namespace {

// A capability that modules may declare if the device has `needs`, an extension or a feature.
struct Capability {
  const char *name;
  uint32_t number;
  std::string_view needs;
};

constexpr Capability kCapabilities[] = {
#define SPIRV_CAPABILITY(name, number, needs) {#name, number, needs},
#include "spirv/accept/environment.def"
};

// A capability that no device has, with its name for messages.
struct RefusedCapability {
  const char *name;
  uint32_t number;
};

constexpr RefusedCapability kRefused[] = {
#define SPIRV_REFUSED(name, number) {#name, number},
#include "spirv/accept/refused.def"
};

// Returns the capability's number, with its name where the name is known.
std::string describe(uint32_t capability) {
  const auto found = std::find_if(std::begin(kRefused), std::end(kRefused),
                                  [&](const RefusedCapability &refused) { return refused.number == capability; });
  const std::string number = std::to_string(capability);
  return found == std::end(kRefused) ? number : std::string(found->name) + " (" + number + ")";
}

// Whether the capability is one of SPV_INTEL_vector_compute. A work-item of such a module is a whole thread of one GPU,
// and its vectors are written out in the code.
bool isForVectorCompiler(uint32_t capability) {
  constexpr uint32_t kVectorCompute = 5617, kVectorAny = 5619;
  return capability == kVectorCompute || capability == kVectorAny;
}

// An extension that modules may use if the device has `needs`.
struct Extension {
  const char *name;
  std::string_view needs;
};

constexpr Extension kExtensions[] = {
#define SPIRV_EXTENSION(name, needs) {name, needs},
#include "spirv/accept/environment.def"
};

// The extended instruction sets that the device has.
constexpr const char *kInstructionSets[] = {"OpenCL.std", "OpenCL.DebugInfo.100"};

// Checks a module instruction by instruction.
class Checker {
public:
  Checker(const Module &module, const LanguageTraits &traits, std::string &error)
      : module(module), traits(traits), error(error) {}

  bool run() {
    if (!checkVersion())
      return false;
    return std::all_of(module.instructions().begin(), module.instructions().end(),
                       [this](const Instruction &instruction) { return check(instruction); });
  }

private:
  // Stores the message and returns false.
  bool fail(std::string message) {
    error = "error: " + std::move(message) + "\n";
    return false;
  }

  bool checkVersion() {
    if (module.majorVersion() == 1 && module.minorVersion() <= kLastSpirvMinor)
      return true;
    return fail("SPIR-V " + std::to_string(module.majorVersion()) + "." + std::to_string(module.minorVersion()) +
                " is not supported; generate the module for SPIR-V 1.0 to 1." + std::to_string(kLastSpirvMinor));
  }

  // Checks one instruction. Returns false with a message if the device does not allow it.
  bool check(const Instruction &instruction) {
    switch (instruction.op) {
    case spv::Op::OpCapability: return checkCapability(instruction[0]);
    case spv::Op::OpExtension: return checkExtension(literalString(instruction, 0));
    case spv::Op::OpExtInstImport: return checkInstructionSet(literalString(instruction, 1));
    case spv::Op::OpMemoryModel: return checkModels(instruction);
    case spv::Op::OpEntryPoint:
      return spv::ExecutionModel(instruction[0]) == spv::ExecutionModel::Kernel ||
             fail("entry point '" + literalString(instruction, 2) + "' is not a kernel");
    case spv::Op::OpTypeInt:
      return instruction[2] == 0 || fail("integer types in OpenCL's SPIR-V must have signedness 0");
    case spv::Op::OpTypeImage: return checkImage(instruction);
    default: return true;
    }
  }

  // Whether programs may use the extension or feature of the device.
  bool has(std::string_view needs) const { return accepts(traits, needs); }

  // Names the capability in the message, and says what the device would need for it.
  bool checkCapability(uint32_t number) {
    const auto found = std::find_if(std::begin(kCapabilities), std::end(kCapabilities),
                                    [&](const Capability &capability) { return capability.number == number; });
    if (found == std::end(kCapabilities))
      return fail("the module declares capability " + describe(number) + ", which the device does not support" +
                  (isForVectorCompiler(number)
                       ? std::string(" and which is for the vector compiler of Intel's GPUs; ") + kVectorCompilerAdvice
                       : ""));
    return has(found->needs) || fail("the module declares capability " + std::string(found->name) + ", which needs " +
                                     std::string(found->needs) + ", and the device does not support that");
  }

  bool checkExtension(const std::string &name) {
    declares_non_semantic |= name == "SPV_KHR_non_semantic_info";
    for (const Extension &extension : kExtensions)
      if (extension.name == name && has(extension.needs))
        return true;
    return fail("the module uses SPIR-V extension " + name + ", which the device does not support");
  }

  // Instruction sets without semantics are allowed for all modules since SPIR-V 1.6, and with an extension before.
  bool checkInstructionSet(const std::string &name) {
    if (name.starts_with("NonSemantic.") && (module.minorVersion() >= 6 || declares_non_semantic))
      return true;
    return std::find(std::begin(kInstructionSets), std::end(kInstructionSets), name) != std::end(kInstructionSets) ||
           fail("the module imports instruction set '" + name + "', which the device does not support; OpenCL's is " +
                "OpenCL.std");
  }

  bool checkModels(const Instruction &instruction) {
    if (spv::AddressingModel(instruction[0]) != spv::AddressingModel::Physical64)
      return fail("the module's addressing model is not Physical64, but the device has 64-bit addresses");
    return spv::MemoryModel(instruction[1]) == spv::MemoryModel::OpenCL ||
           fail("the module's memory model is not OpenCL");
  }

  // Operands: %type = OpTypeImage sampled_type dimension depth arrayed multisampled sampled format access
  bool checkImage(const Instruction &instruction) {
    const auto dimension = spv::Dim(instruction[2]);
    if (instruction[5] != 0 || instruction[6] != 0 || spv::ImageFormat(instruction[7]) != spv::ImageFormat::Unknown)
      return fail("image types in OpenCL's SPIR-V must be single-sampled, with Sampled 0 and format Unknown");
    if (instruction[4] != 0 && dimension != spv::Dim::Dim1D && dimension != spv::Dim::Dim2D)
      return fail("arrays of images must have dimension 1D or 2D");
    return instruction.operands.size() >= 9 || fail("image types in OpenCL's SPIR-V must have an access qualifier");
  }

  const Module &module;
  const LanguageTraits &traits;
  std::string &error;
  bool declares_non_semantic = false;
};

} // namespace

bool checkEnvironment(const Module &module, const LanguageTraits &traits, std::string &error) {
  return Checker(module, traits, error).run();
}

} // namespace lanecl::frontend::spirv

namespace lanecl::frontend {

// Lists what the device lists. Names that it only accepts, without listing them, are left out.
SpirvOffer spirvOffer(const LanguageTraits &traits, std::span<const std::string_view> only) {
  using namespace spirv;
  const auto is_asked = [&](std::string_view name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  SpirvOffer offer;
  std::copy_if(std::begin(kInstructionSets), std::end(kInstructionSets), std::back_inserter(offer.instruction_sets),
               is_asked);
  for (const Extension &extension : kExtensions)
    if (lists(traits, extension.needs) && is_asked(extension.name))
      offer.extensions.push_back(extension.name);
  for (const Capability &capability : kCapabilities)
    if (lists(traits, capability.needs) && is_asked(capability.name))
      offer.capabilities.push_back(capability.number);
  return offer;
}

} // namespace lanecl::frontend
