// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules by the thousand: none may crash or hang the program that builds it.
//   lanecl_spirv_modules damaged --corpus FOLDER [--seed S] [--count N] [--failures FOLDER] [--limit SECONDS]
//   lanecl_spirv_modules valid   the same; these must be built, and those made at random compute what they should
//   lanecl_spirv_modules foreign --corpus FOLDER …    all of the folder are built, or refused with a reason
#include "campaign.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <utility>

using lanecl::modules::Kind;

namespace {

constexpr std::pair<const char *, Kind> kKinds[] = {
    {"damaged", Kind::Damaged}, {"valid", Kind::Valid}, {"foreign", Kind::Foreign}};

} // namespace

int main(int argc, char **argv) {
  lanecl::modules::Plan plan;
  plan.failures = "failures";
  CLI::App app("SPIR-V modules, valid ones, those of others or damaged ones, are built by the device.");
  app.require_subcommand(1);
  for (const auto &[name, kind] : kKinds) {
    CLI::App *command = app.add_subcommand(name);
    command->add_option("--corpus", plan.corpus, "folder with *.spvasm and *.spv")->check(CLI::ExistingDirectory);
    if (kind != Kind::Foreign) {
      command->add_option("--seed", plan.seed);
      command->add_option("--count", plan.count);
    }
    command->add_option("--failures", plan.failures, "folder for the modules that failed");
    command->add_option("--limit", plan.limit, "seconds for one module");
  }
  CLI11_PARSE(app, argc, argv);
  setenv("LANECL_STRICT", "1", 0); // a failure inside the compiler is one of the module
  for (const auto &[name, kind] : kKinds)
    if (app.got_subcommand(name))
      plan.kind = kind;
  return lanecl::modules::run(plan) == 0 ? 0 : 1;
}
