// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A file system that records what Clang reads and what it looks for in vain.
#include "cache/disk_use.h"
#include "vectorizer/content_hash.h"

#include "llvm/Support/MemoryBuffer.h"

namespace lanecl::frontend {
namespace {

// Hashes the contents that Clang reads at the moment when it reads them, because the file may change right after that.
class RecordedFile final : public llvm::vfs::File {
public:
  RecordedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, DiskUse &use)
      : file(std::move(file)), path(std::move(path)), use(use) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file->status(); }
  llvm::ErrorOr<std::string> getName() override { return file->getName(); }
  std::error_code close() override { return file->close(); }

  // Clang reads a file only through this function.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size,
                                                               bool needs_terminator, bool is_volatile) override {
    auto buffer = file->getBuffer(name, size, needs_terminator, is_volatile);
    if (buffer) {
      use.files[path] = hashOf((*buffer)->getBuffer());
      use.depends_on_time |= dependsOnTime((*buffer)->getBuffer());
    }
    return buffer;
  }

private:
  const std::unique_ptr<llvm::vfs::File> file;
  const std::string path;
  DiskUse &use;
};

// Passes everything on to `disk`. Notes each path that was asked for: found or missing.
class RecordingFileSystem final : public llvm::vfs::ProxyFileSystem {
public:
  RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk, DiskUse &use)
      : ProxyFileSystem(std::move(disk)), use(use) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto found = ProxyFileSystem::status(path);
    note(path, found.getError(), found && found->isRegularFile());
    return found;
  }

  // The base class would ask the disk without noting the path.
  bool exists(const llvm::Twine &path) override { return !!status(path); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    const std::string full = note(path, file.getError(), !!file);
    if (!file)
      return file;
    return std::make_unique<RecordedFile>(std::move(*file), full, use);
  }

private:
  // Records the outcome for the absolute path, and returns that path. A hash of contents that have been read is kept.
  std::string note(const llvm::Twine &path, std::error_code error, bool is_file) {
    llvm::SmallString<256> full;
    path.toVector(full);
    if (makeAbsolute(full))
      return std::string(full);
    if (error)
      use.missing.insert(std::string(full));
    else if (is_file)
      use.files.try_emplace(std::string(full));
    return std::string(full);
  }

  DiskUse &use;
};

} // namespace

// Comments and strings count, too. They only cost a compile that could have been cached.
bool dependsOnTime(llvm::StringRef text) {
  return text.contains("__DATE__") || text.contains("__TIME__") || text.contains("__TIMESTAMP__");
}

std::optional<std::string> hashFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || dependsOnTime((*file)->getBuffer()))
    return std::nullopt;
  return hashOf((*file)->getBuffer());
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordUse(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
                                                          DiskUse &use) {
  return llvm::makeIntrusiveRefCnt<RecordingFileSystem>(std::move(disk), use);
}

} // namespace lanecl::frontend
