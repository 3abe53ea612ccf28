// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Catch2's main function, for the test programs that link this library.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
