// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads pictures from PNG and JPEG files, and writes them to PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Picture {
  size_t width = 0, height = 0;
  // The pixels, row after row. Red is in the lowest byte of a pixel, followed by green, blue and alpha.
  std::vector<uint32_t> pixels;
};

// Both functions throw std::runtime_error with the reason when they fail.
Picture readPicture(const std::string &path);
void writePng(const std::string &path, const Picture &picture);
