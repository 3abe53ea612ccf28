// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The format of program binaries: an eight-byte magic, a checksum of everything that follows, the versions of the
// format and of LLVM, then the fields of a Module (cache/byte_stream.h).
#include "cache/byte_stream.h"
#include "frontend/frontend.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/xxhash.h"

namespace lanecl::frontend {
namespace {

// The start of every program binary.
constexpr std::string_view kMagic{"LaneCL\0\1", 8};
// The number of the format. Binaries with another number are refused.
constexpr uint64_t kVersion = 3;
// The start of LLVM's bitcode.
constexpr std::string_view kBitcodeMagic{"BC\xC0\xDE", 4};

// Bits of the field that holds the module's flags.
enum Flag : uint64_t { kDebug = 1, kOptimize = 2, kNonUniform = 4 };

uint64_t checksumOf(std::string_view bytes) {
  return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size()));
}

// Reads the fields that follow the versions. Returns false when a field is missing or illegal, or when bytes are left
// over.
bool readFields(ByteReader &reader, Module &module) {
  uint64_t kind = 0, flags = 0;
  std::string bitcode;
  if (!reader.number(kind) || !reader.number(flags) || !reader.text(module.options) || !reader.text(bitcode) ||
      !reader.atEnd() || kind > uint64_t(ModuleKind::Executable) || !bitcode.starts_with(kBitcodeMagic))
    return false;
  module.kind = static_cast<ModuleKind>(kind);
  module.debug = (flags & kDebug) != 0;
  module.optimize = (flags & kOptimize) != 0;
  module.non_uniform_work_groups = (flags & kNonUniform) != 0;
  module.bitcode = std::make_shared<const std::string>(std::move(bitcode));
  return true;
}

} // namespace

std::string Frontend::binaryVersion() {
  return std::to_string(kVersion) + "." + std::to_string(LLVM_VERSION_MAJOR);
}

std::string Frontend::serialize(const Module &module) {
  ByteWriter content;
  content.number(kVersion).number(LLVM_VERSION_MAJOR).number(static_cast<uint64_t>(module.kind));
  content.number((module.debug ? kDebug : 0) | (module.optimize ? kOptimize : 0) |
                 (module.non_uniform_work_groups ? kNonUniform : 0));
  content.text(module.options).text(module.bitcode ? *module.bitcode : std::string());
  const std::string bytes = content.take();
  ByteWriter header;
  header.number(checksumOf(bytes));
  return std::string(kMagic) + header.take() + bytes;
}

// The checksum comes first: nothing else of a damaged binary is trusted.
bool Frontend::deserialize(std::string_view binary, Module &module, std::string &error) {
  const auto fail = [&](const char *why) {
    error = why;
    return false;
  };
  if (!binary.starts_with(kMagic))
    return fail("this is not a LaneCL program binary");
  binary.remove_prefix(kMagic.size());
  ByteReader reader(binary);
  uint64_t checksum = 0, version = 0, llvm_version = 0;
  if (!reader.number(checksum) || checksum != checksumOf(binary.substr(sizeof checksum)))
    return fail("the program binary is damaged: its checksum does not match");
  if (!reader.number(version) || version != kVersion)
    return fail("the program binary was made by another version of LaneCL; build the program from source again");
  if (!reader.number(llvm_version) || llvm_version != LLVM_VERSION_MAJOR)
    return fail("the program binary was made with another version of LLVM; build the program from source again");
  Module result;
  if (!readFields(reader, result))
    return fail("the program binary is damaged");
  module = std::move(result);
  return true;
}

} // namespace lanecl::frontend
