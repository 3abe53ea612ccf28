// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs code as other users, for the tests of who may read and write which files.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

constexpr uid_t kAnna = 61001, kBert = 61002; // ids that no user of the system has

// Returns whether this process may become another user, which only root may. CTest recognizes the text of the warning
// and counts the test as skipped.
inline bool canBeOthers() {
  if (geteuid() == 0)
    return true;
  WARN("skipped: only root can play other users");
  return false;
}

// Calls `action` in a child process of that user and returns its result. Returns false when `action` throws or the
// child cannot become that user.
inline bool asUser(uid_t user, const std::function<bool()> &action) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0 &&
             action();
    } catch (...) {
      good = false;
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace test
