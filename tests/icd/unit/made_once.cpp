// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Global objects that are made at their first use, also while threads start and processes fork.
#include "settings/made_once.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <semaphore>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using lanecl::icd::MadeOnce;

TEST_CASE("the first object made stays", "[made_once]") {
  static constinit MadeOnce<int> number; // never destroyed
  CHECK(number.get([] { return 3; }) == 3);
  CHECK(number.get([] { return 4; }) == 3);
}

TEST_CASE("threads that come at the same time wait for the one that makes the object", "[made_once]") {
  static constinit MadeOnce<int> number; // never destroyed
  std::binary_semaphore begun{0};
  std::thread maker([&] {
    number.get([&] {
      begun.release();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return 5;
    });
  });
  begun.acquire();
  CHECK(number.get([] { return 6; }) == 5);
  maker.join();
}

TEST_CASE("a process that is forked while a thread makes an object makes its own", "[made_once]") {
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
    alarm(60); // ends the process instead of waiting for ever
    _exit(number.get([] { return 2; }) == 2 ? 0 : 1);
  }
  forked.release();
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  maker.join();
  CHECK(number.get([] { return 3; }) == 1);
}
