// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads the limits of both versions of control groups (cgroups(7)). A machine may have both, and then one of them
// limits memory.
//
//   /proc/self/cgroup      0::/user.slice/job           version 2: the process's group
//                          4:memory:/user.slice/job     version 1: its group for memory
//   /proc/self/mountinfo   31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
//
// The limit is then the least of those in /sys/fs/cgroup/user.slice/job, in /sys/fs/cgroup/user.slice and in
// /sys/fs/cgroup. Where only a part of the groups is mounted, as in many containers, mountinfo has the path of that
// part instead of the first `/`.
#include "device/cgroup_memory.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

namespace lanecl::icd {
namespace {

struct Version {
  const char *filesystem;  // the type in mountinfo
  const char *controllers; // what /proc/self/cgroup and the options of the mount name; empty: nothing
  const char *limit;       // the file with the limit
};
constexpr Version kVersions[] = {{"cgroup2", "", "memory.max"}, {"cgroup", "memory", "memory.limit_in_bytes"}};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

// Whether a list with commas has the name. An empty name is only in an empty list.
bool hasName(const std::string &list, const std::string &name) {
  const std::vector<std::string> names = split(list, ',');
  return name.empty() ? list.empty() : std::ranges::find(names, name) != names.end();
}

// Returns the path of the process's group, which starts with a slash, or nothing if there is none.
std::string groupOf(const std::string &root, const Version &version) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second != std::string::npos && hasName(line.substr(first + 1, second - first - 1), version.controllers))
      return line.substr(second + 1);
  }
  return {};
}

// A place where groups are mounted: the folder, and the group that it shows.
struct Mount {
  std::string folder, group;
};

std::vector<Mount> mountsOf(const std::string &root, const Version &version) {
  constexpr size_t kGroup = 3, kFolder = 4; // the numbers of the fields
  std::vector<Mount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = split(line, ' ');
    // After the dash: the type of the file system, its source and its options.
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() <= kFolder || fields.end() - dash < 4 || dash[1] != version.filesystem)
      continue;
    if (*version.controllers == '\0' || hasName(dash[3], version.controllers))
      mounts.push_back({fields[kFolder], fields[kGroup]});
  }
  return mounts;
}

// Returns the path of the group within the mount, without a slash at its end. It is empty for the mount itself, which
// is also what is left of a group outside.
std::string pathIn(const Mount &mount, const std::string &group) {
  const std::string start = mount.group == "/" ? "" : mount.group;
  if (!group.starts_with(start + "/") || group.find("/..") != std::string::npos || group.ends_with('/'))
    return {};
  return group.substr(start.size());
}

// Returns the number in the file, or the largest one if it has none: a group without a limit says "max".
uint64_t readLimit(const std::string &path) {
  uint64_t bytes = 0;
  return std::ifstream(path) >> bytes ? bytes : std::numeric_limits<uint64_t>::max();
}

} // namespace

uint64_t cgroupMemoryLimit(const std::string &root) {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const Version &version : kVersions) {
    const std::string group = groupOf(root, version);
    for (const Mount &mount : mountsOf(root, version)) {
      const std::string folder = root + mount.folder + "/";
      for (std::string path = pathIn(mount, group);; path.resize(path.rfind('/'))) {
        least = std::min(least, readLimit(folder + path + "/" + version.limit));
        if (path.empty())
          break;
      }
    }
  }
  return least;
}

} // namespace lanecl::icd
