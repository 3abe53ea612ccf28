// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the precompiled headers of the resource folder when LaneCL is built. This file is part of the device's library,
// because a precompiled header can only be read by the Clang that has written it.
#include "commands.h"

#include "frontend/frontend.h"
#include "icd/capabilities.h"
#include "icd/resources.h"

#include <fmt/core.h>

int laneclPrecompile() {
  std::string error;
  const std::string resources = lanecl::icd::resourceDirectory(error);
  lanecl::frontend::LanguageTraits traits = lanecl::icd::languageTraits(resources, *lanecl::icd::profiles().front());
  traits.clang_module = lanecl::icd::clangModule();
  if (!resources.empty() && lanecl::frontend::Frontend(traits).precompile(error))
    return 0;
  fmt::print(stderr, "error: {}\n", error);
  return 1;
}
