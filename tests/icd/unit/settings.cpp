// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Settings from environment variables, and the messages about invalid ones.
#include "icd/configuration.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lanecl::icd;

namespace {

// Reads the settings from an environment that has only these variables.
Settings parse(std::initializer_list<const char *> variables, std::string &messages) {
  std::vector<const char *> environment(variables);
  environment.push_back(nullptr);
  return parseSettings(environment.data(), messages);
}

} // namespace

TEST_CASE("settings are read from the environment") {
  std::string messages;
  const Settings settings =
      parse({"PATH=/bin", "LANECL_ISA=avx2", "LANECL_THREADS=3", "LANECL_SUB_GROUP_SIZE=32", "LANECL_CACHE=off",
             "LANECL_DUMP_DIR=/tmp/x", "LANECL_STRICT=1", "LANECL_CPU=znver4", "LANECL_CACHE_SHARED=/tmp/y"},
            messages);
  CHECK(settings.isa == "avx2");
  CHECK(settings.cpu == "znver4");
  CHECK(settings.threads == 3);
  CHECK(settings.sub_group_size == 32);
  CHECK_FALSE(settings.cache);
  CHECK(settings.dump_dir == "/tmp/x");
  CHECK(settings.strict);
  CHECK(settings.cache_shared == "/tmp/y");
  CHECK(messages.empty());
}

TEST_CASE("an invalid value is reported with the valid ones, and the default stays") {
  std::string messages;
  const Settings settings = parse({"LANECL_SUB_GROUP_SIZE=7", "LANECL_THREADS=none", "LANECL_ISA=neon"}, messages);
  CHECK(settings.sub_group_size == 0);
  CHECK(settings.threads == 0);
  CHECK(settings.isa.empty());
  CHECK(messages.find("LANECL_SUB_GROUP_SIZE=7 is ignored; legal values: 8, 16, 32") != std::string::npos);
  CHECK(messages.find("legal values: 1..1024") != std::string::npos);
  CHECK(messages.find("legal values: avx512, avx2, sse42") != std::string::npos);
}

TEST_CASE("an unknown variable is reported once, with those that exist") {
  std::string messages;
  parse({"LANECL_THREAD=2"}, messages);
  CHECK(messages.find("unknown environment variable LANECL_THREAD ") != std::string::npos);
  CHECK(messages.find("LANECL_THREADS") != std::string::npos);
}

TEST_CASE("variables of our scripts and tests are not reported") {
  std::string messages;
  parse({"LANECL_PRESET=debug", "LANECL_JOBS=1", "LANECL_PRECOMPILED_HEADERS=ON", "LANECL_TEST_COMPLETE=1"}, messages);
  CHECK(messages.empty());
}

TEST_CASE("an empty variable means the default") {
  std::string messages;
  CHECK(parse({"LANECL_THREADS="}, messages).threads == 0);
  CHECK_FALSE(parse({"LANECL_STRICT="}, messages).strict);
  CHECK_FALSE(parse({"LANECL_STRICT=0"}, messages).strict);
  CHECK(messages.empty());
}

TEST_CASE("a program is given as a path, not as a name that would be searched for") {
  std::string messages;
  CHECK(parse({"LANECL_SPIRV_TRANSLATOR=/opt/llvm-spirv"}, messages).spirv_translator == "/opt/llvm-spirv");
  CHECK(messages.empty());
  for (const char *given : {"LANECL_SPIRV_TRANSLATOR=llvm-spirv", "LANECL_SPIRV_TRANSLATOR=./llvm-spirv"}) {
    messages.clear();
    CHECK(parse({given}, messages).spirv_translator.empty());
    CHECK(messages.find(std::string(given) + " is ignored; legal values: an absolute path") != std::string::npos);
  }
}

TEST_CASE("a global id has one to three numbers") {
  std::string messages;
  for (const char *given :
       {"LANECL_DEBUG_GID=0", "LANECL_DEBUG_GID=17", "LANECL_DEBUG_GID=3,5", "LANECL_DEBUG_GID=1,2,3"})
    CHECK_FALSE(parse({given}, messages).debug_gid.empty());
  CHECK(messages.empty());
  for (const char *given : {"LANECL_DEBUG_GID=x", "LANECL_DEBUG_GID=1,", "LANECL_DEBUG_GID=1,2,3,4"}) {
    messages.clear();
    CHECK(parse({given}, messages).debug_gid.empty());
    CHECK(messages.find("one to three numbers, such as 17 or 3,5") != std::string::npos);
  }
}

TEST_CASE("every setting is described") {
  CHECK(settingDescriptions().size() >= 7);
  for (const SettingDescription &setting : settingDescriptions()) {
    CHECK(std::string(setting.name).rfind("LANECL_", 0) == 0);
    CHECK_FALSE(std::string(setting.text).empty());
  }
}

TEST_CASE("the processor to compile for is the named one") {
  std::string messages;
  Settings settings;
  CHECK(vectorizerConfig(settings, messages).target.cpu.empty());
  settings.cpu = "x86-64-v4";
  settings.isa = "avx512";
  const auto config = vectorizerConfig(settings, messages);
  CHECK(describe(config.target).cpu == "x86-64-v4");
  CHECK(describe(config.target).vector_bits == 512);
  settings.isa = "avx2";
  CHECK(describe(vectorizerConfig(settings, messages).target).vector_bits == 256);
  CHECK(messages.empty());
}

TEST_CASE("a processor that LLVM does not know is reported with those it knows") {
  std::string messages;
  Settings settings;
  settings.cpu = "pentium";
  CHECK(vectorizerConfig(settings, messages).target.cpu.empty());
  CHECK(messages.find("LANECL_CPU=pentium is ignored; legal values: ") != std::string::npos);
  CHECK(messages.find(" x86-64-v4") != std::string::npos);
}

TEST_CASE("an instruction set that the processor lacks is reported with what it has") {
  std::string messages;
  Settings settings;
  settings.cpu = "haswell";
  settings.isa = "avx512";
  vectorizerConfig(settings, messages);
  CHECK(messages.find("LANECL_ISA=avx512 is ignored: haswell has AVX2 at most") != std::string::npos);
  CHECK(messages.find("LANECL_CPU=x86-64-v4") != std::string::npos);

  messages.clear();
  settings.cpu.clear();
  vectorizerConfig(settings, messages);
  const bool has_avx512 = describe(lanecl::vectorizer::CodeTarget{}).vector_bits == 512;
  CHECK(has_avx512 == messages.empty());
}
