// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads CPUID, /proc, /sys and sysconf().
#include "device/processor.h"

#include "device/cgroup_memory.h"
#include "settings/made_once.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <cpuid.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

std::string brandString() {
  unsigned words[12] = {};
  for (unsigned leaf = 0; leaf < 3; ++leaf)
    if (!__get_cpuid(0x80000002u + leaf, &words[4 * leaf], &words[4 * leaf + 1], &words[4 * leaf + 2],
                     &words[4 * leaf + 3]))
      return "x86-64";
  char text[sizeof words + 1] = {};
  std::memcpy(text, words, sizeof words);
  std::string brand = text;
  const size_t first = brand.find_first_not_of(' '), last = brand.find_last_not_of(' ');
  return first == std::string::npos ? "x86-64" : brand.substr(first, last - first + 1);
}

template <class T> T readFile(const char *path, T otherwise) {
  T value{};
  return std::ifstream(path) >> value ? value : otherwise;
}

uint32_t clockMegahertz() {
  if (const auto kilohertz = readFile<uint64_t>("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", 0))
    return uint32_t(kilohertz / 1000);
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("cpu MHz"))
      return uint32_t(std::strtod(line.c_str() + line.find(':') + 1, nullptr));
  return 0;
}

uint64_t memoryBytes() {
  const uint64_t physical = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE));
  return std::min(physical, cgroupMemoryLimit()); // a container or a job may have less
}

uint64_t lastLevelCache() {
  for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE})
    if (const long bytes = sysconf(level); bytes > 0)
      return uint64_t(bytes);
  return 0;
}

} // namespace

const HostProcessor &processor() {
  static constinit MadeOnce<HostProcessor> instance;
  return instance.get([] {
    HostProcessor result;
    result.brand = brandString();
    result.megahertz = clockMegahertz();
    result.memory_bytes = memoryBytes();
    result.cache_bytes = lastLevelCache();
    if (const long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); line > 0)
      result.cache_line_bytes = uint32_t(line);
    return result;
  });
}

} // namespace lanecl::icd
