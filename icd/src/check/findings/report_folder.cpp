// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The files of a report: they are written such that readers and other processes may access them at any time.
#include "check/findings/report_folder.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lanecl::icd {
namespace {

// An open file, which is closed at the end of the scope.
class File {
public:
  File(const std::string &name, int flags) : descriptor(open(name.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (descriptor >= 0)
      close(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  const int descriptor; // negative: cannot be opened
};

// Creates a file with a counter and maps it. Returns null if that fails.
uint64_t *mapCounter(const std::string &name) {
  const File file(name, O_RDWR | O_CREAT | O_TRUNC);
  if (file.descriptor < 0 || ftruncate(file.descriptor, sizeof(uint64_t)) != 0)
    return nullptr;
  void *const memory = mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<uint64_t *>(memory);
}

// Writes a new file, or overwrites one. Returns false if that fails.
bool writeFile(const std::string &name, std::string_view text) {
  std::FILE *const file = std::fopen(name.c_str(), "we");
  if (!file)
    return false;
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && whole;
}

// Whether the file has these contents.
bool holds(const std::string &name, std::string_view text) {
  std::ifstream file(name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == text;
}

} // namespace

ReportFolder::ReportFolder(std::string folder) : folder_(std::move(folder)) {}

// A claimed place is a file that holds the place and is named after its hash. Places of equal hashes have files of
// consecutive numbers.
bool ReportFolder::isFirstClaim(std::string_view place) const {
  const std::string own = folder_ + "/" + std::to_string(getpid()) + ".claim";
  if (!writeFile(own, place))
    return true;
  bool is_first = true;
  for (size_t number = std::hash<std::string_view>()(place);; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "/%016zx.place", number);
    // The file appears with its contents, so no other process reads a part of them.
    if (link(own.c_str(), (folder_ + name).c_str()) == 0 || errno != EEXIST)
      break;
    if (holds(folder_ + name, place)) {
      is_first = false;
      break;
    }
  }
  unlink(own.c_str());
  return is_first;
}

uint64_t ReportFolder::claim(std::string_view place) {
  if (folder_.empty())
    return ++claimed_;
  if (!isFirstClaim(place))
    return 0;
  // Each claim appends one byte to a shared file. Appending is atomic, so the file's offset afterwards is a number that
  // no other process gets.
  const File numbers(folder_ + "/numbers", O_WRONLY | O_CREAT | O_APPEND);
  if (numbers.descriptor < 0 || ::write(numbers.descriptor, "", 1) != 1)
    return ++claimed_;
  return uint64_t(lseek(numbers.descriptor, 0, SEEK_CUR));
}

void ReportFolder::beginProcess() {
  unchecked_[0] = unchecked_[1] = 0;
  launches_ = folder_.empty() ? nullptr : mapCounter(folder_ + "/" + std::to_string(getpid()) + ".launches");
}

void ReportFolder::countLaunch() {
  if (launches_)
    std::atomic_ref(*launches_).fetch_add(1, std::memory_order_relaxed);
}

// These launches are rare, so the file is simply rewritten each time.
void ReportFolder::countUnchecked(size_t why) {
  ++unchecked_[why];
  if (folder_.empty())
    return;
  if (std::FILE *const file = std::fopen((folder_ + "/" + std::to_string(getpid()) + ".unchecked").c_str(), "we")) {
    std::fprintf(file, "%llu %llu\n", static_cast<unsigned long long>(unchecked_[0]),
                 static_cast<unsigned long long>(unchecked_[1]));
    std::fclose(file);
  }
}

// Writes a new file beside the old one and renames it, so that readers never see a part of it.
void ReportFolder::write(const std::string &lines) const {
  if (folder_.empty())
    return;
  const std::string name = folder_ + "/" + std::to_string(getpid());
  if (writeFile(name + ".new", lines))
    std::rename((name + ".new").c_str(), (name + ".findings").c_str());
}

// A reader that comes meanwhile, or after this process was killed, finds whole lines and perhaps a part of the last
// one.
void ReportFolder::append(const std::string &line) const {
  if (folder_.empty())
    return;
  const File file(folder_ + "/" + std::to_string(getpid()) + ".findings", O_WRONLY | O_CREAT | O_APPEND);
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t more = ::write(file.descriptor, line.data() + written, line.size() - written);
    if (more < 0 && errno == EINTR)
      continue;
    if (more <= 0)
      return;
    written += size_t(more);
  }
}

} // namespace lanecl::icd
