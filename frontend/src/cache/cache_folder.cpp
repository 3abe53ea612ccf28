// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Opens the cache's folders one inside the other by descriptor. No path is resolved twice, so no other process can
// exchange a folder between its check and its use.
#include "cache/cache_folder.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanecl::frontend {
namespace {

std::string parentOf(const std::string &path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
}

// Refuses to make a folder inside a folder of another user. It matters where root runs with a user's environment: that
// user could replace the new folder, and could not write to it.
bool mayMakeIn(const std::string &path, std::string &refusal) {
  struct stat status;
  std::string existing = parentOf(path);
  while (stat(existing.c_str(), &status) != 0) {
    if (existing == "/" || existing == ".")
      return false;
    existing = parentOf(existing);
  }
  if (isTrustedOwner(status.st_uid))
    return true;
  refusal = path + ": it would be created in " + existing + ", which belongs to user " + std::to_string(status.st_uid);
  return false;
}

// Makes all parents of `path`. Errors are ignored: a parent may exist already, and if one cannot be made, opening the
// folder itself fails.
void makeParents(const std::string &path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0700);
}

// Returns the contents of a whole file, or nothing if it cannot be read to its end.
std::optional<std::string> readAll(int file) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return std::nullopt;
  std::string bytes(size_t(status.st_size), '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = pread(file, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    done += size_t(count);
  }
  return bytes;
}

// Writes all bytes, in several steps if the system takes only a part.
bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Returns "name.9f1c…", a name that no other thread or process uses, or an empty name without random numbers.
std::string temporaryName(const std::string &name) {
  uint8_t random[8] = {};
  if (getrandom(random, sizeof random, 0) != sizeof random)
    return {};
  return name + "." + llvm::toHex(random, /*LowerCase=*/true);
}

// Calls `visit` for all files of a folder and of the folders in it, and removes those for which it returns false.
void sweepFolder(Descriptor folder, const std::string &path,
                 const std::function<bool(const CacheFolder::File &)> &visit) {
  const std::unique_ptr<DIR, int (*)(DIR *)> listing(fdopendir(folder.get()), closedir);
  if (!listing)
    return;
  const int parent = folder.release(); // closedir() closes it
  std::string ignored;
  while (const dirent *entry = readdir(listing.get())) {
    const std::string name = entry->d_name;
    struct stat status;
    if (name == "." || name == ".." || fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue; // another process may have removed the file
    if (S_ISDIR(status.st_mode)) {
      const std::string inner = path + "/" + name;
      if (Descriptor opened = openTrustedFolder(parent, name, inner, ignored))
        sweepFolder(std::move(opened), inner, visit);
      continue;
    }
    const auto used = std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    if (S_ISREG(status.st_mode) && !visit({name, used, uint64_t(status.st_size)}))
      unlinkat(parent, name.c_str(), 0);
  }
}

} // namespace

CacheFolder::CacheFolder(std::string path, Readers readers) : root(std::move(path)), readers(readers) {}

// Opens the folder `name` in the folder `parent`, and makes it first if it is missing and may be made.
Descriptor CacheFolder::openFolder(int parent, const std::string &name, const std::string &path, Missing missing,
                                   std::string &refusal) const {
  Descriptor opened = openTrustedFolder(parent, name, path, refusal);
  if (opened || !refusal.empty() || missing == Missing::Fail)
    return opened;
  if (mkdirat(parent, name.c_str(), folderMode()) != 0 && errno != EEXIST)
    return opened;
  opened = openTrustedFolder(parent, name, path, refusal);
  if (opened && readers == Readers::Everybody)
    fchmod(opened.get(), folderMode()); // mkdirat() has applied the umask
  return opened;
}

// Opens the cache's own folder. Its parents are made, too, but not inside a folder of another user.
Descriptor CacheFolder::openRoot(Missing missing, std::string &refusal) const {
  if (root.empty())
    return Descriptor();
  Descriptor opened = openFolder(AT_FDCWD, root, root, Missing::Fail, refusal);
  if (opened || !refusal.empty() || missing == Missing::Fail || !mayMakeIn(root, refusal))
    return opened;
  makeParents(root);
  return openFolder(AT_FDCWD, root, root, Missing::Make, refusal);
}

Descriptor CacheFolder::openParent(std::string &name, Missing missing, std::string &refusal) const {
  Descriptor folder = openRoot(missing, refusal);
  std::string path = root;
  for (size_t slash; folder && (slash = name.find('/')) != std::string::npos; name.erase(0, slash + 1)) {
    const std::string step = name.substr(0, slash);
    path += "/" + step;
    folder = openFolder(folder.get(), step, path, missing, refusal);
  }
  return folder;
}

std::optional<std::string> CacheFolder::read(const std::string &name, std::string &refusal) const {
  assert(refusal.empty() && !name.starts_with('/') && "an earlier refusal would be told again");
  std::string last = name;
  const Descriptor folder = openParent(last, Missing::Fail, refusal);
  const Descriptor file = folder ? openTrustedFile(folder.get(), last, root + "/" + name, refusal) : Descriptor();
  if (!file)
    return std::nullopt;
  // Sets the time of modification to now. It serves as the time of last use, by which prune() chooses.
  futimens(file.get(), nullptr);
  return readAll(file.get());
}

// Writes a temporary file and renames it. Renaming is atomic, so other processes see the old file or the new one.
bool CacheFolder::write(const std::string &name, std::string_view bytes, std::string &refusal) const {
  assert(refusal.empty() && !name.starts_with('/') && "an earlier refusal would be told again");
  std::string last = name;
  const Descriptor folder = openParent(last, Missing::Make, refusal);
  const std::string temporary = temporaryName(last);
  if (!folder || temporary.empty())
    return false;
  Descriptor file(openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return false;
  const bool readable = readers == Readers::Owner || fchmod(file.get(), 0644) == 0;
  // Close the file before it gets its name. A network file system shows the contents to other machines only from
  // close() on, and only close() reports that the disk was full.
  if (readable && writeAll(file.get(), bytes) && close(file.release()) == 0 &&
      renameat(folder.get(), temporary.c_str(), folder.get(), last.c_str()) == 0)
    return true;
  unlinkat(folder.get(), temporary.c_str(), 0);
  return false;
}

void CacheFolder::remove(const std::string &name) const {
  std::string last = name, ignored;
  if (const Descriptor folder = openParent(last, Missing::Fail, ignored))
    unlinkat(folder.get(), last.c_str(), 0);
}

void CacheFolder::sweep(const std::string &top, const std::function<bool(const File &)> &visit) const {
  std::string ignored;
  const Descriptor opened = openRoot(Missing::Fail, ignored);
  if (!opened)
    return;
  const std::string path = root + "/" + top;
  if (Descriptor folder = openTrustedFolder(opened.get(), top, path, ignored))
    sweepFolder(std::move(folder), path, visit);
}

} // namespace lanecl::frontend
