// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parses the environment variables of settings.def, and guards against foreign environments.
#include "icd/settings.h"

#include "icd/check_rules.h"
#include "settings/made_once.h"
#include "vectorizer/left_out_passes.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

constexpr SettingDescription kDescriptions[] = {
#define LANECL_SETTING(type, field, name, default_value, legal, text) {name, legal, #default_value, text},
#include "icd/settings.def"
#undef LANECL_SETTING
};

constexpr std::string_view kPrefix = "LANECL_";

static_assert(std::ranges::any_of(kDescriptions,
                                  [](const SettingDescription &setting) {
                                    return std::string_view(setting.name) == "LANECL_CHECK" &&
                                           listsCheckGroups(setting.legal, "SOME:all|full");
                                  }),
              "LANECL_CHECK takes the groups of icd/check_rules.h");

// Splits a list at the separators.
std::vector<std::string_view> words(std::string_view list, char separator = '|') {
  std::vector<std::string_view> result;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(separator, begin), list.size());
    result.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool isGlobalId(std::string_view value) {
  const std::vector<std::string_view> numbers = words(value, ',');
  return numbers.size() <= 3 && std::all_of(numbers.begin(), numbers.end(), number);
}

// The prefix of legal values of which several may be given, separated by commas.
constexpr std::string_view kSome = "SOME:";

// The value of LANECL_BISECT that leaves no pass out, and only lists them.
constexpr std::string_view kAllRuns = "-1";

// Whether the value has the form that `legal` demands; settings.def lists the forms.
bool isLegal(std::string_view value, std::string_view legal) {
  if (legal == "GLOBAL-ID")
    return isGlobalId(value);
  if (legal == "PATH" || legal == "PROCESSOR" || legal == "DEVICE")
    return true;
  if (legal == "RULES")
    return unknownRule(value).empty();
  if (legal == "PASSES")
    return std::ranges::all_of(words(value, ','),
                               [](std::string_view pass) { return vectorizer::canBeLeftOut(std::string(pass)); });
  if (legal == "LAST-RUN")
    return value == kAllRuns || number(value);
  if (legal == "PROGRAM") // a name without a slash would be searched in the directories of PATH
    return value.starts_with('/');
  if (const size_t dots = legal.find(".."); dots != std::string_view::npos) {
    const auto given = number(value);
    return given && *given >= *number(legal.substr(0, dots)) && *given <= *number(legal.substr(dots + 2));
  }
  if (legal.starts_with(kSome)) {
    const std::vector<std::string_view> given = words(value, ',');
    return std::all_of(given.begin(), given.end(),
                       [&](std::string_view word) { return isLegal(word, legal.substr(kSome.size())); });
  }
  for (std::string_view word : words(legal))
    if (value == word)
      return true;
  return false;
}

void assign(std::string &field, std::string_view value) {
  field = value;
}
void assign(unsigned &field, std::string_view value) {
  field = number(value).value_or(field);
}
void assign(bool &field, std::string_view value) {
  field = value == "on" || value == "1";
}

// Returns the legal values as messages show them.
std::string spelled(std::string_view legal) {
  if (legal == "PROGRAM")
    return "an absolute path";
  if (legal == "PASSES")
    return "names of optimizations, separated by commas, as join-accesses,instcombine; LANECL_BISECT=-1 lists them";
  if (legal == "LAST-RUN")
    return "the number of the last pass that runs, or -1, which lists them all";
  if (legal == "GLOBAL-ID")
    return "one to three numbers, such as 17 or 3,5";
  if (legal == "RULES")
    return knownRules() + ", separated by commas";
  if (legal.starts_with(kSome))
    return spelled(legal.substr(kSome.size())) + ", separated by commas";
  std::string result;
  for (std::string_view word : words(legal))
    result += (result.empty() ? "" : ", ") + std::string(word);
  return result;
}

// Variables of our scripts and tests, which the library does not read.
constexpr std::string_view kOfScripts[] = {"LANECL_PRESET", "LANECL_JOBS", "LANECL_PRECOMPILED_HEADERS",
                                           "LANECL_TEST_COMPLETE"};

// Stores the value of one variable in the settings, or adds a message if the value or the variable is not legal.
void assignByName(Settings &settings, std::string_view variable, std::string_view value, std::string &messages) {
#define LANECL_SETTING(type, field, name, default_value, legal, text)                                                  \
  if (variable == name) {                                                                                              \
    if (isLegal(value, legal))                                                                                         \
      assign(settings.field, value);                                                                                   \
    else                                                                                                               \
      messages += "LaneCL: " name "=" + std::string(value) + " is ignored; legal values: " + spelled(legal) + "\n";    \
    return;                                                                                                            \
  }
#include "icd/settings.def"
#undef LANECL_SETTING
  if (std::ranges::find(kOfScripts, variable) != std::end(kOfScripts))
    return;
  messages += "LaneCL: unknown environment variable " + std::string(variable) + " is ignored; the known ones are";
  for (const SettingDescription &known : kDescriptions)
    messages += " " + std::string(known.name);
  messages += "\n";
}

// The settings that name files or folders which are executed, loaded or written.
constexpr struct {
  const char *name;
  std::string Settings::*path;
} kGuarded[] = {{"LANECL_RESOURCES", &Settings::resources},
                {"LANECL_SPIRV_TRANSLATOR", &Settings::spirv_translator},
                {"LANECL_DUMP_DIR", &Settings::dump_dir},
                {"LANECL_CHECK_REPORT", &Settings::check_report},
                {"LANECL_REPORT", &Settings::report}};

// Clears guarded settings whose files belong to another user than root and the process's own. With `sudo -E`, root runs
// with the environment of another user, who could otherwise make root load that user's code.
void leaveOutForeign(Settings &settings, std::string &messages) {
  for (const auto &[name, path] : kGuarded) {
    struct stat status;
    std::string &value = settings.*path;
    if (value.empty() || stat(value.c_str(), &status) != 0 || status.st_uid == 0 || status.st_uid == geteuid())
      continue;
    messages += "LaneCL: " + std::string(name) + "=" + value + " is ignored: it belongs to user " +
                std::to_string(status.st_uid) + ", but this process runs as user " + std::to_string(geteuid()) + "\n";
    value.clear();
  }
}

// Returns the settings for a process with privileges that its caller lacks. The environment comes from that caller and
// must not make the process load code, so all settings have their defaults and the cache is off.
Settings settingsOfForeignCaller(const char *const *environment, std::string &messages) {
  for (; environment && *environment && messages.empty(); ++environment)
    if (std::string_view(*environment).starts_with(kPrefix))
      messages = "LaneCL: the variables LANECL_… and the cache are ignored, because this program has privileges that "
                 "its caller may lack (it is set-user-ID or similar)\n";
  Settings settings;
  settings.cache = false;
  return settings;
}

// Reads the settings of the process's environment.
Settings readSettings(std::string &messages) {
  if (getauxval(AT_SECURE) != 0)
    return settingsOfForeignCaller(environ, messages);
  Settings settings = parseSettings(environ, messages);
  leaveOutForeign(settings, messages);
  return settings;
}

} // namespace

std::span<const SettingDescription> settingDescriptions() {
  return kDescriptions;
}

Settings parseSettings(const char *const *environment, std::string &messages) {
  Settings settings;
  for (; environment && *environment; ++environment) {
    const std::string_view entry = *environment;
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !entry.starts_with(kPrefix) || equals + 1 == entry.size())
      continue;
    assignByName(settings, entry.substr(0, equals), entry.substr(equals + 1), messages);
  }
  return settings;
}

const Settings &settings() {
  static constinit MadeOnce<Settings> instance;
  return instance.get([] {
    std::string messages;
    Settings parsed = readSettings(messages);
    if (!messages.empty())
      std::fputs(messages.c_str(), stderr);
    return parsed;
  });
}

} // namespace lanecl::icd
