// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <set>
#include <string>

namespace lanecl::test::table {

// The sub-group functions that Clang's header declares for this device, as the table names them: "sub_group_all(int)".
// Functions of images, pipes, device queues, clocks and motion estimation are left out.
std::set<std::string> declaredSubGroupFunctions(const std::string &header);

} // namespace lanecl::test::table
