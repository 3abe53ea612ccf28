// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files whose contents are executed: only root and the user this process acts for may have written them. Checks apply
// to the opened descriptor, never to a name, which may refer to another file a moment later.
#pragma once

#include <string>

#include <sys/types.h>

namespace lanecl::frontend {

class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor();

  int get() const { return number; }
  int release();
  explicit operator bool() const { return number >= 0; }

private:
  int number;
};

// Each opens `name` in the folder `parent`, or, with AT_FDCWD, in the working directory. A symbolic link in the last
// place is not followed. Invalid when it does not exist, and when it is not trusted or cannot be opened: then `refusal`
// says why, beginning with `path`, the full path for the user.
Descriptor openTrustedFolder(int parent, const std::string &name, const std::string &path, std::string &refusal);
Descriptor openTrustedFile(int parent, const std::string &name, const std::string &path, std::string &refusal);

// Whether this process may execute files of that owner: root and the user it acts for.
bool isTrustedOwner(uid_t owner);

} // namespace lanecl::frontend
