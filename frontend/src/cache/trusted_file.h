// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Opens files whose contents are executed: only root and the user this process acts for may have written them. The
// checks apply to the opened descriptor, never to a name, which may refer to another file a moment later.
#pragma once

#include <string>

#include <sys/types.h>

namespace lanecl::frontend {

// Owns a file descriptor and closes it.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor();

  int get() const { return number; }
  // Gives up ownership of the descriptor, and returns it.
  int release();
  explicit operator bool() const { return number >= 0; }

private:
  int number;
};

// Each function opens `name` in the folder `parent`, or in the working directory if `parent` is AT_FDCWD. A symbolic
// link as the last component is not followed. The result is invalid when the file does not exist, cannot be opened or
// is not trusted. In the latter two cases `refusal` says why, starting with `path`, the full path for the user.
Descriptor openTrustedFolder(int parent, const std::string &name, const std::string &path, std::string &refusal);
Descriptor openTrustedFile(int parent, const std::string &name, const std::string &path, std::string &refusal);

// Whether this process may execute files of that owner: only those of root and of the user it acts for.
bool isTrustedOwner(uid_t owner);

} // namespace lanecl::frontend
