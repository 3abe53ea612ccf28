// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/pass_gate.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdio>
#include <fmt/format.h>

using namespace llvm;

namespace lanecl::vectorizer {

bool PassGate::isEnabled() const {
  return !left_out.empty();
}

bool PassGate::shouldRunPass(StringRef pass, StringRef code) const {
  const bool is_named = is_contained(left_out.names, pass);
  if (!left_out.last_run)
    return !is_named;
  ++runs;
  const bool runs_it = !is_named && (*left_out.last_run < 0 || runs <= *left_out.last_run);
  fmt::print(stderr, "BISECT: {}running pass ({}) {} on {}\n", runs_it ? "" : "NOT ", runs, pass.str(), code.str());
  return runs_it;
}

} // namespace lanecl::vectorizer
