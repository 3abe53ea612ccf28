// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What LLVM's archives ask of the library or program that they are linked into (LANECL_PORTABLE).
#include <llvm/Plugins/PassPlugin.h>

#include <condition_variable>
#include <cstdint>
#include <cstdlib>

#include <pthread.h>
#include <unistd.h>

// Clang's code generation registers Polly, which the distribution's LLVM has as an extension. Kernels are optimized by
// passes of ours, which do without: there is nothing to register, and its code is left out.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "left out", [](llvm::PassBuilder &) {}};
}

// libstdc++ has another one from GCC 12 on, under a version of its own.
void waitForCondition(std::condition_variable *condition, std::unique_lock<std::mutex> *lock) asm(
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void waitForCondition(std::condition_variable *condition, std::unique_lock<std::mutex> *lock) {
  pthread_cond_wait(condition->native_handle(), lock->mutex()->native_handle());
}

// glibc has it from version 2.36 on; nothing else here asks for more than 2.34.
extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  if (getentropy(&number, sizeof number) != 0)
    abort();
  return number;
}
