// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Layout of a program binary: the serialized module, then in check mode its source texts with their length, and last
// the name of the GPU profile, if one is chosen.

#include "program/program_binary.h"

#include "icd/profile.h"
#include "icd/program_binary_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace lanecl::icd {
namespace {

// Returns the last part of the binaries of this device. Binaries for the processor have none.
std::string trailer() {
  return deviceProfile().is_gpu ? "\nLaneCL device " + std::string(deviceProfile().name) : std::string();
}

// Marks the end of the texts. The length of the texts follows it in kDigits hexadecimal digits.
constexpr std::string_view kTextsMark = "\nLaneCL texts ";
constexpr size_t kDigits = 16;

// Returns the texts as one string. Each is written as "<bytes of the name> <bytes of the text>\n", the name and the
// text.
std::string packed(const ProgramTexts &texts) {
  std::string block;
  for (const auto &text : texts)
    block +=
        std::to_string(text->name.size()) + ' ' + std::to_string(text->text.size()) + '\n' + text->name + text->text;
  char length[kDigits + 1];
  std::snprintf(length, sizeof length, "%0*zx", int(kDigits), block.size());
  return block.empty() ? block : block + std::string(kTextsMark) + length;
}

// Takes a number and the character `end` after it from the start of `from`. Returns nothing when they are not there, or
// when the number is more than `most`.
std::optional<size_t> takeNumber(std::string_view &from, char end, size_t most) {
  size_t value = 0;
  const auto [behind, error] = std::from_chars(from.data(), from.data() + from.size(), value);
  if (error != std::errc() || behind == from.data() + from.size() || *behind != end || value > most)
    return std::nullopt;
  from.remove_prefix(size_t(behind + 1 - from.data()));
  return value;
}

std::string takeText(std::string_view &from, size_t bytes) {
  std::string text(from.substr(0, bytes));
  from.remove_prefix(text.size());
  return text;
}

// Removes what packed() appended from the end of `bytes`, and returns the texts. Returns none when there are none.
ProgramTexts takeTexts(std::string_view &bytes) {
  if (bytes.size() < kTextsMark.size() + kDigits)
    return {};
  const size_t end = bytes.size() - kTextsMark.size() - kDigits;
  if (!bytes.substr(end).starts_with(kTextsMark))
    return {};
  size_t size = 0;
  const char *const digits = bytes.data() + end + kTextsMark.size();
  if (std::from_chars(digits, digits + kDigits, size, 16).ptr != digits + kDigits || size > end)
    return {};
  ProgramTexts texts;
  for (std::string_view block = bytes.substr(end - size, size); !block.empty();) {
    const auto name = takeNumber(block, ' ', size), text = takeNumber(block, '\n', size);
    if (!name || !text)
      return {};
    ProgramText next;
    next.name = takeText(block, *name);
    next.text = takeText(block, *text);
    texts.push_back(std::make_shared<const ProgramText>(std::move(next)));
  }
  bytes.remove_suffix(bytes.size() - (end - size));
  return texts;
}

// Returns advice for a program that brought machine code for a GPU.
std::string wayOut() {
  const bool is_older =
      deviceProfile().gpu.ip_version != 0 && deviceProfile().gpu.ip_version >> 22 <= 11; // the major version
  if (is_older)
    return "pass OpenCL C or SPIR-V instead, as libraries that try machine code first do";
  return "with LANECL_DEVICE=gen9 or gen11, libraries that contain such code for newer GPUs use OpenCL C instead";
}

} // namespace

bool isGpuCode(std::string_view bytes) {
  return bytes.starts_with("\177ELF") || bytes.starts_with("CTNI");
}

std::string binaryOf(const frontend::Module &module, const ProgramTexts &texts) {
  return frontend::Frontend::serialize(module) + packed(texts) + trailer();
}

std::string programBinary(const frontend::Module &module, const std::string &name, const std::string &text) {
  ProgramTexts texts;
  if (!text.empty())
    texts.push_back(std::make_shared<const ProgramText>(ProgramText{name, text}));
  return binaryOf(module, texts);
}

bool readBinary(std::string_view bytes, frontend::Module &module, ProgramTexts &texts, std::string &error) {
  if (isGpuCode(bytes)) {
    error = "this is machine code for a GPU, which runs on that GPU only; " + wayOut();
    return false;
  }
  const std::string own = trailer();
  if (!bytes.ends_with(own)) {
    error = "the program binary was made for another device; build the program from source again";
    return false;
  }
  bytes.remove_suffix(own.size());
  texts = takeTexts(bytes);
  return frontend::Frontend::deserialize(bytes, module, error);
}

} // namespace lanecl::icd
