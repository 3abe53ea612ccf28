// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache/trusted_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lanecl::frontend {
namespace {

enum class Kind { Folder, File };

// Returns why this process must not execute the file, or an empty text when the file is trusted.
std::string distrustOf(const struct stat &status, Kind kind, const std::string &path) {
  // Reading a device, a pipe or a socket may give other contents each time, so no check of it holds.
  if (kind == Kind::File && !S_ISREG(status.st_mode))
    return path + ": it is not a regular file";
  if (!isTrustedOwner(status.st_uid))
    return path + ": it belongs to user " + std::to_string(status.st_uid) + ", but this process runs as user " +
           std::to_string(geteuid());
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return path + ": users other than its owner may write to it (chmod go-w forbids that)";
  return {};
}

// Explains why opening failed. O_NOFOLLOW makes symbolic links fail with ELOOP, or ENOTDIR with O_DIRECTORY.
std::string reasonOf(int error, const std::string &path) {
  if (error == ELOOP || error == ENOTDIR)
    return path + ": it is a symbolic link or not a folder";
  return path + ": " + strerror(error);
}

// Opens a file or folder and checks the descriptor, so that nobody can exchange the file between the check and its use.
Descriptor openTrusted(int parent, const std::string &name, const std::string &path, Kind kind, std::string &refusal) {
  // O_NONBLOCK, because opening a pipe that has the file's name would block.
  const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (kind == Kind::Folder ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY);
  Descriptor opened(openat(parent, name.c_str(), flags));
  struct stat status;
  if (!opened || fstat(opened.get(), &status) != 0) {
    // A file that does not exist is no reason to distrust anything, so it gives no message.
    if (errno != ENOENT)
      refusal = reasonOf(errno, path);
    return Descriptor();
  }
  const std::string distrust = distrustOf(status, kind, path);
  if (distrust.empty())
    return opened;
  refusal = distrust;
  return Descriptor();
}

} // namespace

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  std::swap(number, other.number);
  return *this;
}

Descriptor::~Descriptor() {
  if (number >= 0)
    close(number);
}

int Descriptor::release() {
  return std::exchange(number, -1);
}

Descriptor openTrustedFolder(int parent, const std::string &name, const std::string &path, std::string &refusal) {
  return openTrusted(parent, name, path, Kind::Folder, refusal);
}

Descriptor openTrustedFile(int parent, const std::string &name, const std::string &path, std::string &refusal) {
  return openTrusted(parent, name, path, Kind::File, refusal);
}

bool isTrustedOwner(uid_t owner) {
  return owner == 0 || owner == geteuid();
}

} // namespace lanecl::frontend
