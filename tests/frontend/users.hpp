// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Other users, for tests of who may read and write what.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

constexpr uid_t kAnna = 61001, kBert = 61002; // numbers that no user has

// Only root can be another user. The text makes CTest call the test skipped.
inline bool canBeOthers() {
  if (geteuid() == 0)
    return true;
  WARN("skipped: only root can play other users");
  return false;
}

// What `action` returns in a process of that user. False also when it throws.
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
