// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pictures in files: reads PNG and JPEG, writes PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Picture {
  size_t width = 0, height = 0;
  std::vector<uint32_t> pixels; // row after row; red in the lowest byte, then green, blue, alpha
};

Picture readPicture(const std::string &path); // throws std::runtime_error with the reason
void writePng(const std::string &path, const Picture &picture);
