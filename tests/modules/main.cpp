// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPIR-V modules by the thousand: none may crash or hang the program that builds it.
//   lanecl_spirv_modules damaged --corpus FOLDER [--seed S] [--count N] [--failures FOLDER] [--limit SECONDS]
//   lanecl_spirv_modules valid   the same; these must be built, and those made at random compute what they should
#include "campaign.h"

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  lanecl::modules::Plan plan;
  plan.failures = "failures";
  CLI::App app("SPIR-V modules, valid ones or damaged at random, are built by the device.");
  app.require_subcommand(1);
  for (const char *kind : {"damaged", "valid"}) {
    CLI::App *command = app.add_subcommand(kind);
    command
        ->add_option("--corpus", plan.corpus, "folder with *.spvasm and *.spv")

        ->check(CLI::ExistingDirectory);
    command->add_option("--seed", plan.seed);
    command->add_option("--count", plan.count);
    command->add_option("--failures", plan.failures, "folder for the modules that failed");
    command->add_option("--limit", plan.limit, "seconds for one module");
  }
  CLI11_PARSE(app, argc, argv);
  plan.damaged = app.got_subcommand("damaged");
  return lanecl::modules::run(plan) == 0 ? 0 : 1;
}
