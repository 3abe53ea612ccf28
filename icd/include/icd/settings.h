// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The environment variables that LaneCL reads. The parser, the warning about unknown names and the output of
// `lanecl info` all come from one list, settings.def.
#pragma once

#include <span>
#include <string>

namespace lanecl::icd {

// The value of each variable, in a member with the name of its field in settings.def.
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

// Returns the settings of the environment, which is read at the first call. Warnings about it go to stderr, once. A
// process with privileges that its caller lacks (AT_SECURE, such as a setuid program) does not read the environment.
// Settings that name files to be executed or written are ignored if these belong to a user other than root and the
// process's own.
const Settings &settings();

// Does the same as settings() for a given environment: a null-terminated array of name=value strings. Warnings are
// appended to `messages`.
Settings parseSettings(const char *const *environment, std::string &messages);

} // namespace lanecl::icd
