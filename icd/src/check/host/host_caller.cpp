// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Walks the stack with backtrace() and maps return addresses to functions with dladdr().
#include "check/host/host_caller.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

namespace lanecl::icd {
namespace {

std::string demangled(const char *name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(::abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

// Returns the function, or the file and the offset in it, which addr2line can read: a program's own functions have
// names here only if it exports them.
std::string describe(const Dl_info &info, const char *address) {
  if (info.dli_sname)
    return demangled(info.dli_sname) + " in " + info.dli_fname;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx", size_t(address - static_cast<const char *>(info.dli_fbase)));
  return std::string(info.dli_fname) + offset;
}

} // namespace

const void *hostCallAddress() {
  Dl_info own{};
  dladdr(reinterpret_cast<const void *>(&hostCallAddress), &own);
  std::array<void *, 64> addresses;
  const int count = backtrace(addresses.data(), int(addresses.size()));
  for (int i = 0; i < count; ++i) {
    Dl_info info{};
    const char *const call =
        static_cast<const char *>(addresses[size_t(i)]) - 1; // inside the call, which the return address follows
    if (dladdr(call, &info) == 0 || !info.dli_fname || info.dli_fbase == own.dli_fbase)
      continue;
    const std::string_view file(info.dli_fname);
    if (!file.substr(file.rfind('/') + 1).starts_with("libOpenCL"))
      return call;
  }
  return nullptr;
}

std::string describeCall(const void *call) {
  Dl_info info{};
  if (!call || dladdr(call, &info) == 0 || !info.dli_fname)
    return {};
  return describe(info, static_cast<const char *>(call));
}

std::string hostCaller() {
  return describeCall(hostCallAddress());
}

} // namespace lanecl::icd
