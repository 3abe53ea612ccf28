#include "icd/settings.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lanecl::icd;

namespace {

Settings parse(std::initializer_list<const char *> variables, std::string &messages) {
  std::vector<const char *> environment(variables);
  environment.push_back(nullptr);
  return parseSettings(environment.data(), messages);
}

} // namespace

TEST_CASE("settings are read from the environment") {
  std::string messages;
  const Settings settings = parse({"PATH=/bin", "LANECL_ISA=avx2", "LANECL_THREADS=3", "LANECL_SUB_GROUP_SIZE=32",
                                   "LANECL_CACHE=off", "LANECL_DUMP_DIR=/tmp/x"},
                                  messages);
  CHECK(settings.isa == "avx2");
  CHECK(settings.threads == 3);
  CHECK(settings.sub_group_size == 32);
  CHECK_FALSE(settings.cache);
  CHECK(settings.dump_dir == "/tmp/x");
  CHECK(messages.empty());
}

TEST_CASE("a value that is not legal is named with the legal ones, and the default stays") {
  std::string messages;
  const Settings settings = parse({"LANECL_SUB_GROUP_SIZE=7", "LANECL_THREADS=none", "LANECL_ISA=neon"}, messages);
  CHECK(settings.sub_group_size == 0);
  CHECK(settings.threads == 0);
  CHECK(settings.isa.empty());
  CHECK(messages.find("LANECL_SUB_GROUP_SIZE=7 is ignored; legal values: 8, 16, 32") != std::string::npos);
  CHECK(messages.find("legal values: 1..1024") != std::string::npos);
  CHECK(messages.find("legal values: avx512, avx2, sse42") != std::string::npos);
}

TEST_CASE("an unknown variable is named once, with those that exist") {
  std::string messages;
  parse({"LANECL_THREAD=2"}, messages);
  CHECK(messages.find("unknown environment variable LANECL_THREAD ") != std::string::npos);
  CHECK(messages.find("LANECL_THREADS") != std::string::npos);
}

TEST_CASE("an empty variable means the default") {
  std::string messages;
  CHECK(parse({"LANECL_THREADS="}, messages).threads == 0);
  CHECK(messages.empty());
}

TEST_CASE("every setting is described") {
  CHECK(settingDescriptions().size() >= 7);
  for (const SettingDescription &setting : settingDescriptions()) {
    CHECK(std::string(setting.name).rfind("LANECL_", 0) == 0);
    CHECK_FALSE(std::string(setting.text).empty());
  }
}
