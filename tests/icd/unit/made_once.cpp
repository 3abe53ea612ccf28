// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "api/made_once.h"

#include <catch2/catch.hpp>

#include <semaphore>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using lanecl::icd::MadeOnce;

TEST_CASE("the first one made stays", "[made_once]") {
  static constinit MadeOnce<int> number; // never destroyed
  CHECK(number.get([] { return 3; }) == 3);
  CHECK(number.get([] { return 4; }) == 3);
}

TEST_CASE("of those that threads make at the same time one stays for all", "[made_once]") {
  static constinit MadeOnce<int> number; // never destroyed
  const int &outer = number.get([&] {
    CHECK(number.get([] { return 5; }) == 5); // as another thread would
    return 6;
  });
  CHECK(outer == 5);
  CHECK(&outer == &number.get([] { return 7; }));
}

TEST_CASE("a process that is forked while a thread makes one makes its own", "[made_once]") {
  static constinit MadeOnce<int> number; // never destroyed
  std::binary_semaphore begun{0}, forked{0};
  std::thread maker([&] {
    number.get([&] {
      begun.release();
      forked.acquire();
      return 1;
    });
  });
  begun.acquire();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60); // instead of a wait without end
    _exit(number.get([] { return 2; }) == 2 ? 0 : 1);
  }
  forked.release();
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  maker.join();
  CHECK(number.get([] { return 3; }) == 1);
}
