// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A folder of files that this process may run as code. The folder, the folders in it and the files are checked as they
// are opened (trusted_file.h). Nothing is kept open between calls.
#pragma once

#include "cache/trusted_file.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lanecl::frontend {

enum class Readers { Owner, Everybody };

// Files are named by their paths in the folder, such as "entries/ab/cdef". `refusal` must be empty before a call. When
// the call fails because a file or folder is not trusted, `refusal` says which one and why.
class CacheFolder {
public:
  // `path` is the folder's path. If it is empty, there is no folder: read() finds nothing and write() fails. `readers`
  // says who may read the files that are written.
  explicit CacheFolder(std::string path, Readers readers = Readers::Owner);

  const std::string &path() const { return root; }

  // Returns the file's contents, or nothing when there is no such file. Marks the file as used now.
  std::optional<std::string> read(const std::string &name, std::string &refusal) const;
  // Writes the file atomically: other processes see all of it or nothing. Makes missing folders, but none inside a
  // folder of another user.
  bool write(const std::string &name, std::string_view bytes, std::string &refusal) const;
  void remove(const std::string &name) const;

  struct File {
    std::string name; // without its folders
    // The time of last use, since the epoch.
    std::chrono::nanoseconds used;
    uint64_t bytes;
  };
  // Calls `visit` for every file in the folder `top` and in the folders below it. Removes a file for which `visit`
  // returns false.
  void sweep(const std::string &top, const std::function<bool(const File &)> &visit) const;

private:
  // Whether to fail or to make the folder when it does not exist.
  enum class Missing { Fail, Make };
  Descriptor openRoot(Missing missing, std::string &refusal) const;
  // Opens the folder that holds the file `name`, and removes all but the file's own name from `name`.
  Descriptor openParent(std::string &name, Missing missing, std::string &refusal) const;
  Descriptor openFolder(int parent, const std::string &name, const std::string &path, Missing missing,
                        std::string &refusal) const;
  mode_t folderMode() const { return readers == Readers::Everybody ? 0755 : 0700; }

  std::string root;
  Readers readers;
};

} // namespace lanecl::frontend
