// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The environment variables that LaneCL reads. One list, settings.def, feeds the parser, the warning about unknown
// names and what `lanecl info` prints.
#pragma once

#include <span>
#include <string>

namespace lanecl::icd {

struct Settings {
#define LANECL_SETTING(type, field, name, default_value, legal, text) type field = default_value;
#include "icd/settings.def"
#undef LANECL_SETTING
};

struct SettingDescription {
  const char *name;          // "LANECL_ISA"
  const char *legal;         // "avx512|avx2|sse42", "1..1024", "PATH"
  const char *default_value; // as written in the list
  const char *text;          // one sentence
};

std::span<const SettingDescription> settingDescriptions();

// What the environment says, read at the first call. Warnings about it go to stderr, once. A program with privileges
// that its caller lacks (AT_SECURE) does not read the environment, and files of a third user are ignored.
const Settings &settings();

// As settings(), from a given environment (name=value strings, null-terminated); warnings are appended to `messages`.
Settings parseSettings(const char *const *environment, std::string &messages);

} // namespace lanecl::icd
