// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and writes of images in modules made at random: images of every shape and format, with samplers and without.
#pragma once

#include "builder.h"

namespace lanecl::modules {

class ImageAccesses {
public:
  // `minor`: of the version, 1.x. Adds instructions that compute each work-item's own element of the images.
  ImageAccesses(Builder &builder, unsigned minor_);

  // A component of an element, anywhere in an image that is only read, or the work-item's own one.
  Value read();
  // The work-item's own element is written, where it comes by.
  void write();

  // Parts of the module's text.
  std::string capabilities() const;
  std::string types() const;
  std::string parameterTypes() const;
  std::string parameters() const;

  std::vector<SampleImage> results() const;
  const test::SamplerModel &samplerArgument() const { return sampler_argument; }

private:
  enum class Access : unsigned { Read, Write, ReadWrite };

  struct Shape {
    cl_mem_object_type type;
    const char *dimension; // of SPIR-V
    bool is_array;
    unsigned axes, filtered; // coordinates, and how many of them are the image's own
    test::Extent extent;     // with room for an element of each work-item
  };
  static const Shape kShapes[];

  struct Image {
    const Shape *shape;
    Access access;
    std::string name, type;
    test::ImageModel content; // as the work-items leave it
    std::vector<uint8_t> before;
    std::string own; // coordinates of the work-item's own element
  };

  // Single precision numbers of each work-item.
  struct Reals {
    std::string name;
    std::array<float, kItems> lanes;
  };

  // Where an element is read: the instruction's operands, and the color.
  struct Place {
    std::string instruction, operands;
    std::array<test::Color, kItems> colors;
  };

  // A color that is written: integers, or the bits of single precision numbers.
  struct Written {
    std::string name;
    std::array<std::array<uint32_t, kItems>, 4> numbers;
  };

  Image anyImage();
  std::vector<uint8_t> anyContent(const test::FormatModel &format, size_t elements);
  cl_image_format anyFormat(bool is_written);

  Value coordinate(const Value &number, size_t extent, int outside);
  std::string ownCoordinates(const Image &image);
  size_t ownElement(const Image &image, size_t item) const;
  std::string joined(const std::vector<std::string> &axes, const char *scalar);

  Reals axisOf(const Image &image, unsigned axis, const test::SamplerModel &model, bool whole);
  Place placeAnywhere(const Image &image);
  Place placeOfSampler(const Image &image);
  Place ownPlace(const Image &image);
  std::pair<std::string, test::SamplerModel> anySampler(const test::FormatModel &format);

  Written anyColor(const test::FormatModel &format);
  std::string imageOperands(const test::FormatModel &format, bool has_lod);
  Value component(const Image &image, const Place &place);
  Value numberOf(const test::FormatModel &format, const std::string &component, bool is_half, size_t which,
                 const Place &place);

  Reals realConstant(float value);
  Reals reals(const std::string &instruction, const std::function<float(size_t)> &compute);
  Reals anyReals();

  Builder &b;
  unsigned minor;
  std::vector<Image> images;
  test::SamplerModel sampler_argument;
};

} // namespace lanecl::modules
