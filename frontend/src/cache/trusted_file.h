// Files that lead to code: nobody but root and the user this process acts for may have written them. What is checked is
// what has been opened, never a name, which may stand for something else a moment later.
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
// place is not followed. Invalid when it is not there, and when it is not trusted or cannot be opened: then `refusal`
// says why, beginning with `path`, which is what the user calls it.
Descriptor openTrustedFolder(int parent, const std::string &name, const std::string &path, std::string &refusal);
Descriptor openTrustedFile(int parent, const std::string &name, const std::string &path, std::string &refusal);

// Whether its owner may lead this process to code: root and the user it acts for.
bool isTrustedOwner(uid_t owner);

} // namespace lanecl::frontend
