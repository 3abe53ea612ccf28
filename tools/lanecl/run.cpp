// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lanecl PROGRAM ARGS…`: runs a program on our device.
#include "commands.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace fs = std::filesystem;

namespace lanecl::tool {

std::string ownLibrary() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path candidates[] = {folder / LANECL_INSTALLED_LIBRARY, folder / LANECL_BUILT_LIBRARY};
  for (const fs::path &candidate : candidates)
    if (std::error_code error; fs::exists(candidate, error))
      return fs::canonical(candidate).string();
  throw std::runtime_error("cannot find " + candidates[0].lexically_normal().string() + "; reinstall LaneCL");
}

void useOwnDevice() {
  const std::string library = ownLibrary();
  // Both loaders accept the path of a library, so no .icd file is needed.
  setenv("OCL_ICD_VENDORS", library.c_str(), 1);   // ocl-icd
  setenv("OCL_ICD_FILENAMES", library.c_str(), 1); // Khronos' loader, which adds these to the system's drivers
  // Khronos' loader also reads OCL_ICD_VENDORS, but as the folder with the system's drivers. Given the path of a file
  // it finds none there, so that only our library remains.
}

int runProgram(const std::vector<std::string> &command) {
  useOwnDevice();
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int reason = errno;
  fmt::print(stderr, "lanecl: error: cannot run '{}': {}\n", command[0], std::strerror(reason));
  return reason == ENOENT ? 127 : 126;
}

} // namespace lanecl::tool
