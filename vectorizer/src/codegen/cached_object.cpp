// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/cached_object.h"

#include "vectorizer/content_hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

constexpr char kMagic[8] = {'L', 'a', 'n', 'e', 'C', 'L', 'o', '8'}; // the last character is the version of the format

// The start of an entry. The warning and the objects follow it.
struct Header {
  char magic[8];
  uint64_t width, local_bytes, scratch_bytes, scratch_per_sub_group, row_axis, updates_atomically, yields;
  uint64_t spill_bytes, stack_bytes, functions;
};

// Appends a string of any length.
void append(std::string &bytes, const std::string &part) {
  const uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char *>(&size), sizeof size).append(part);
}

// Takes such a string from the front. Returns false if the bytes do not hold one.
bool take(StringRef &bytes, std::string &part) {
  uint64_t size = 0;
  if (bytes.size() < sizeof size)
    return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.drop_front(sizeof size);
  if (size > bytes.size())
    return false;
  part = bytes.take_front(size).str();
  bytes = bytes.drop_front(size);
  return true;
}

} // namespace

std::string serialize(const CachedObject &object) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.width = object.width;
  header.local_bytes = object.facts.local_bytes;
  header.scratch_bytes = object.facts.scratch_bytes;
  header.scratch_per_sub_group = object.facts.scratch_per_sub_group;
  header.row_axis = object.facts.row_axis;
  header.updates_atomically = object.facts.updates_atomically;
  header.yields = object.facts.yields;
  header.spill_bytes = object.spill_bytes;
  header.stack_bytes = object.stack_bytes;
  header.functions = object.functions.size();
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  append(bytes, object.warning);
  append(bytes, object.object);
  for (const CachedFunction &function : object.functions) {
    append(bytes, function.symbol);
    append(bytes, function.object);
  }
  return bytes;
}

std::optional<CachedObject> deserialize(StringRef bytes) {
  Header header;
  if (bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes = bytes.drop_front(sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    return std::nullopt;
  CachedObject object;
  object.facts = {header.local_bytes, header.scratch_bytes, header.scratch_per_sub_group,
                  static_cast<unsigned>(header.row_axis), header.updates_atomically != 0};
  object.facts.yields = header.yields != 0;
  object.width = header.width;
  object.spill_bytes = header.spill_bytes;
  object.stack_bytes = header.stack_bytes;
  if (!take(bytes, object.warning) || !take(bytes, object.object))
    return std::nullopt;
  for (uint64_t i = 0; i < header.functions; ++i) {
    CachedFunction &function = object.functions.emplace_back();
    if (!take(bytes, function.symbol) || !take(bytes, function.object))
      return std::nullopt;
  }
  if (!bytes.empty())
    return std::nullopt;
  return object;
}

std::string bytesOf(const std::vector<KnownImage> &images) {
  static_assert(sizeof(KnownImage) == sizeof(unsigned) + sizeof(abi::ImageFormat), "padding has no value");
  return {reinterpret_cast<const char *>(images.data()), images.size() * sizeof(KnownImage)};
}

std::string cacheKey(const KernelSource &source, const LaunchClass &launch, StringRef environment) {
  const std::string options =
      formatv("{0};{1}x{2}x{3};{4};{5};{6};{7};{8};{9};{10}", launch.width, launch.local_size[0], launch.local_size[1],
              launch.local_size[2], launch.ids_fit_int, launch.no_offset, launch.free_width, launch.row_axes,
              source.debug, source.optimize, source.unchecked);
  return ContentHash()
      .add(source.bitcode)
      .add(source.kernel)
      .add(options)
      .add(bytesOf(launch.images))
      .add(environment)
      .hex();
}

std::string cacheKey(StringRef bitcode, ArrayRef<KernelCheck> kernels, StringRef environment) {
  std::string list = "check";
  for (const KernelCheck &check : kernels)
    list += ";" + check.kernel + " " + std::to_string(check.width);
  return ContentHash().add(bitcode).add(list).add(environment).hex();
}

} // namespace lanecl::vectorizer
