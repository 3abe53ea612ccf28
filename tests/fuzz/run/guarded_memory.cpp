// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/guarded_memory.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace lanecl::fuzz {

namespace {

size_t pageSize() {
  return size_t(sysconf(_SC_PAGESIZE));
}

} // namespace

GuardedMemory::GuardedMemory(size_t bytes_)
    : bytes(bytes_), usable((bytes_ + pageSize() - 1) / pageSize() * pageSize()) {
  void *pages = mmap(nullptr, usable + pageSize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mapping = static_cast<unsigned char *>(pages);
  if (pages == MAP_FAILED || mprotect(mapping + usable, pageSize(), PROT_NONE) != 0)
    throw std::runtime_error(std::string("mmap: ") + std::strerror(errno));
}

GuardedMemory::~GuardedMemory() {
  if (mapping)
    munmap(mapping, usable + pageSize());
}

GuardedMemory::GuardedMemory(GuardedMemory &&other) noexcept
    : bytes(other.bytes), usable(other.usable), mapping(std::exchange(other.mapping, nullptr)) {}

void *GuardedMemory::start() const {
  return mapping + usable - bytes;
}

} // namespace lanecl::fuzz
