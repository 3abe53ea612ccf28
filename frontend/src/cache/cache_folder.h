// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A folder of files that this process may run as code. Every file and folder on the way to one is checked as it is
// opened (trusted_file.h); nothing is kept open in between.
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

// Files are named by their paths in the folder, "entries/ab/cdef". `refusal` is empty before a call; when it fails
// because a file or folder is not trusted, it says which one and why.
class CacheFolder {
public:
  // `path`: empty for no folder, where read() finds nothing and write() fails. `readers`: who may read what is written.
  explicit CacheFolder(std::string path, Readers readers = Readers::Owner);

  const std::string &path() const { return root; }

  // Nothing when there is no such file. Marks it as used now.
  std::optional<std::string> read(const std::string &name, std::string &refusal) const;
  // Writes the file atomically: other processes see all of it or nothing. Makes missing folders, but none in a folder
  // of another user.
  bool write(const std::string &name, std::string_view bytes, std::string &refusal) const;
  void remove(const std::string &name) const;

  struct File {
    std::string name; // without the folders
    std::chrono::nanoseconds used;
    uint64_t bytes;
  };
  // Calls `visit` for every file in the folder `top` and those in it; a file for which it returns false is removed.
  void sweep(const std::string &top, const std::function<bool(const File &)> &visit) const;

private:
  enum class Missing { Fail, Make };
  Descriptor openRoot(Missing missing, std::string &refusal) const;
  // The folder that holds the file, whose own name is left in `name`.
  Descriptor openParent(std::string &name, Missing missing, std::string &refusal) const;
  Descriptor openFolder(int parent, const std::string &name, const std::string &path, Missing missing,
                        std::string &refusal) const;
  mode_t folderMode() const { return readers == Readers::Everybody ? 0755 : 0700; }

  std::string root;
  Readers readers;
};

} // namespace lanecl::frontend
