// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and writes pictures with libpng and libjpeg.
#include "picture.hpp"

#include <csetjmp>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <jpeglib.h>
#include <png.h>

namespace {

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

// Opens the file for reading.
File openFile(const std::string &path) {
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    throw std::runtime_error("cannot open the picture " + path);
  return file;
}

// Reads a picture with libpng's simplified interface, which converts every format to RGBA.
Picture readPng(const std::string &path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    throw std::runtime_error(path + ": " + image.message);
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height, std::vector<uint32_t>(size_t(image.width) * image.height)};
  if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr))
    throw std::runtime_error(path + ": " + image.message);
  return picture;
}

// libjpeg ends the program on an error, unless its error handler leaves by longjmp.
struct JpegError {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
};

// Stores libjpeg's message and returns to setjmp().
void leaveJpeg(j_common_ptr info) {
  auto *error = reinterpret_cast<JpegError *>(info->err);
  (*info->err->format_message)(info, error->message);
  std::longjmp(error->leave, 1);
}

// No object with a destructor may live in this function, because longjmp would skip the destructor.
bool decodeJpeg(FILE *file, Picture &picture, JpegError &error) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&error.manager);
  error.manager.error_exit = leaveJpeg;
  jpeg_create_decompress(&info);
  if (setjmp(error.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&info);
  picture.width = info.output_width;
  picture.height = info.output_height;
  picture.pixels.resize(picture.width * picture.height);
  while (info.output_scanline < info.output_height) {
    auto *row = reinterpret_cast<JSAMPROW>(picture.pixels.data() + info.output_scanline * picture.width);
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

} // namespace

// The first bytes of the file tell PNG from JPEG.
Picture readPicture(const std::string &path) {
  const File file = openFile(path);
  unsigned char signature[8] = {};
  if (std::fread(signature, 1, sizeof signature, file.get()) == sizeof signature && png_sig_cmp(signature, 0, 8) == 0)
    return readPng(path);
  std::rewind(file.get());
  Picture picture;
  JpegError error;
  if (!decodeJpeg(file.get(), picture, error))
    throw std::runtime_error(path + ": " + error.message + " (PNG and JPEG can be read)");
  return picture;
}

void writePng(const std::string &path, const Picture &picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write " + path + ": " + image.message);
}
