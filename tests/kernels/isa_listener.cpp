// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Skips the program on processors that lack the instruction set that LANECL_ISA asks for.
#include "support/isa.h"

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#include <cstdio>

namespace {

struct IsaListener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(const Catch::TestRunInfo &) override {
    if (lanecl::test::isaAvailable())
      return;
    std::puts("skipped: this processor lacks the instruction set");
    std::exit(lanecl::test::kSkipped);
  }
};
CATCH_REGISTER_LISTENER(IsaListener)

} // namespace
