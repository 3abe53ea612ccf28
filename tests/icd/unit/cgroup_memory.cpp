// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory limits of control groups, read from a folder that has the files of /proc and /sys.
#include "device/cgroup_memory.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

using lanecl::icd::cgroupMemoryLimit;

namespace {

constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
constexpr const char *kRoot = "24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n";

// The files of a machine, which are deleted at the end of the scope.
class Machine {
public:
  Machine(const std::string &groups, const std::string &mounts) {
    std::string name = (std::filesystem::temp_directory_path() / "lanecl-cgroup-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    with("/proc/self/cgroup", groups).with("/proc/self/mountinfo", kRoot + mounts);
  }
  ~Machine() { std::filesystem::remove_all(folder); }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  Machine &with(const std::string &path, const std::string &text) {
    std::filesystem::create_directories((folder + path).substr(0, (folder + path).rfind('/')));
    std::ofstream(folder + path) << text;
    return *this;
  }
  uint64_t limit() const { return cgroupMemoryLimit(folder); }

private:
  std::string folder;
};

constexpr const char *kVersion2 = "31 24 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char *kVersion1 = "32 24 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                                  "33 24 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

} // namespace

TEST_CASE("version 2: the own group and those around it limit memory", "[cgroup]") {
  Machine job("0::/user.slice/job/step\n", kVersion2);
  CHECK(job.limit() == kNone);
  job.with("/sys/fs/cgroup/user.slice/job/step/memory.max", "max\n");
  CHECK(job.limit() == kNone);
  job.with("/sys/fs/cgroup/user.slice/job/memory.max", "3000000\n");
  CHECK(job.limit() == 3000000);
  job.with("/sys/fs/cgroup/user.slice/memory.max", "2000000\n").with("/sys/fs/cgroup/other/memory.max", "1000\n");
  CHECK(job.limit() == 2000000);
  job.with("/sys/fs/cgroup/user.slice/job/step/memory.max", "1000000\n");
  CHECK(job.limit() == 1000000);
}

TEST_CASE("version 2: a container that sees its own group only", "[cgroup]") {
  CHECK(Machine("0::/\n", kVersion2).with("/sys/fs/cgroup/memory.max", "5000000\n").limit() == 5000000);
  // A process of a group outside the namespace.
  CHECK(Machine("0::/../other\n", kVersion2).with("/sys/fs/cgroup/memory.max", "5000000\n").limit() == 5000000);
}

TEST_CASE("version 1: the group for memory counts", "[cgroup]") {
  const std::string groups = "5:name=systemd:/\n4:memory:/slurm/job\n2:cpu,cpuacct:/busy\n";
  Machine job(groups, kVersion1);
  job.with("/sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "9223372036854771712\n");
  job.with("/sys/fs/cgroup/memory/busy/memory.limit_in_bytes", "1000\n");
  CHECK(job.limit() == 9223372036854771712u);
  job.with("/sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "4000000\n");
  CHECK(job.limit() == 4000000);
}

TEST_CASE("version 1: a container in which its group is mounted under the path of the host", "[cgroup]") {
  const char *const mounts = "33 24 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
  Machine container("4:memory:/docker/abc/inner\n", mounts);
  container.with("/sys/fs/cgroup/memory/memory.limit_in_bytes", "6000000\n");
  CHECK(container.limit() == 6000000);
  container.with("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "5000000\n");
  CHECK(container.limit() == 5000000);
}

TEST_CASE("both versions: the one that limits memory counts", "[cgroup]") {
  const char *const mounts = "33 24 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                             "34 24 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  Machine hybrid("4:memory:/job\n0::/job\n", mounts);
  hybrid.with("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000000\n");
  CHECK(hybrid.limit() == 7000000);
}

TEST_CASE("a machine without control groups has no limit", "[cgroup]") {
  CHECK(Machine("", "").limit() == kNone);
  CHECK(cgroupMemoryLimit("/no-such-folder") == kNone);
}
