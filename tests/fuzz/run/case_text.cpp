// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The text of a case:
//
//   # notes
//   spirv 7                         the program is a SPIR-V module with its blocks in this order
//   options -cl-std=CL3.0
//   source 12                       number of source lines that follow
//   …
//   launch NAME
//   range 2                         dimensions, and for each: global size, local size or 0 for any, offset
//   64 16 0
//   2 2 0
//   parts                           all buffers are parts of one
//   buffer int 256 …                arguments, in order
//   same 0                          the buffer of that argument once more
//   image int 2 16 8 1 4 512 …      channel type, dimensions, width, height, depth, channels, number of values, values
//   local 256                       bytes
//   scalar uint 7
//   expect 0 1 int 64 …             sub-group size or 0, argument, type, number of values, values; ? is any value, and
//                                   in 12~240 the bits of 240 may have any value
//   end
#include "run/case.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace lanecl::fuzz {

namespace {

void writeValue(std::ostream &out, Base base, uint64_t bits) {
  if (isSigned(base))
    out << ' ' << extended(base, bits);
  else
    out << ' ' << bits; // for a float, its bits
}

// Writes the type, the number of values and the values. A value any bit of which may differ is "?"; one with a mask of
// such bits is "value~mask".
void writeValues(std::ostream &out, Type type, const std::vector<uint64_t> &values,
                 const std::vector<uint64_t> &open = {}) {
  out << nameOf(type) << ' ' << values.size();
  const uint64_t all = truncated(type.base, ~uint64_t(0));
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t mask = open.empty() ? 0 : truncated(type.base, open[i]);
    if (mask == all) {
      out << " ?";
      continue;
    }
    writeValue(out, type.base, values[i]);
    if (mask)
      out << '~' << mask;
  }
  out << '\n';
}

// Writes the type, the number of dimensions, the sizes, the number of channels, and the channels of all texels.
void writeImage(std::ostream &out, const Argument &argument) {
  const ImageShape &image = argument.image;
  out << "image " << nameOf(argument.type) << ' ' << image.dims << ' ' << image.width << ' ' << image.height << ' '
      << image.depth << ' ' << image.channels << ' ' << argument.values.size();
  for (uint64_t value : argument.values)
    writeValue(out, argument.type.base, value);
  out << '\n';
}

// Writes a launch: its range with a line for each dimension, and a line for each argument and each expectation.
void writeLaunch(std::ostream &out, const CaseLaunch &launch) {
  out << "launch " << launch.kernel << "\nrange " << launch.range.global.size() << '\n';
  for (unsigned dim = 0; dim < launch.range.global.size(); ++dim)
    out << launch.range.globalSize(dim) << ' ' << (launch.range.open ? 0 : launch.range.localSize(dim)) << ' '
        << launch.range.globalOffset(dim) << '\n';
  if (launch.shares_buffer)
    out << "parts\n";
  for (const Argument &argument : launch.arguments)
    switch (argument.kind) {
    case Argument::Kind::Buffer: writeValues(out << "buffer ", argument.type, argument.values); break;
    case Argument::Kind::Same: out << "same " << argument.values[0] << '\n'; break;
    case Argument::Kind::Image: writeImage(out, argument); break;
    case Argument::Kind::Local: out << "local " << argument.bytes << '\n'; break;
    case Argument::Kind::Scalar:
      out << "scalar " << nameOf(argument.type);
      writeValue(out, argument.type.base, argument.values[0]);
      out << '\n';
    }
  for (const Expectation &e : launch.expectations)
    writeValues(out << "expect " << e.width << ' ' << e.argument << ' ', launch.arguments[e.argument].type, e.values,
                e.open);
}

// The words of a line.
class Words {
public:
  explicit Words(const std::string &line) : in(line), text(line) {}
  std::string word() {
    std::string result;
    if (!(in >> result))
      throw std::runtime_error("something is missing in the line: " + text.substr(0, 60));
    return result;
  }
  uint64_t number() { return parsed(word()); }
  std::vector<uint64_t> values(Type type, size_t count) {
    std::vector<uint64_t> result;
    result.reserve(count);
    while (result.size() < count)
      result.push_back(truncated(type.base, number()));
    return result;
  }
  // Reads expected values, some of whose bits may have any value.
  void expected(Type type, size_t count, Expectation &e) {
    e.open.assign(count, 0);
    for (size_t i = 0; i < count; ++i) {
      const std::string digits = word();
      const size_t mask = digits.find('~');
      e.values.push_back(digits == "?" ? 0 : truncated(type.base, parsed(digits.substr(0, mask))));
      if (digits == "?")
        e.open[i] = truncated(type.base, ~uint64_t(0));
      else if (mask != std::string::npos)
        e.open[i] = parsed(digits.substr(mask + 1));
    }
  }

private:
  std::istringstream in;
  std::string text;

  static uint64_t parsed(const std::string &digits) {
    return digits[0] == '-' ? uint64_t(std::stoll(digits)) : std::stoull(digits);
  }
};

// Returns the next line. A case ends with the line "end", so there must be one.
std::string nextLine(std::istream &in) {
  std::string line;
  if (!std::getline(in, line))
    throw std::runtime_error("the text ends before its line 'end'");
  return line;
}

// Reads global size, local size and offset of each dimension. A local size of 0 is left to the device.
NDRange readRange(std::istream &in, size_t dims) {
  NDRange range;
  for (size_t dim = 0; dim < dims; ++dim) {
    Words words(nextLine(in));
    range.global.push_back(words.number());
    const uint64_t local = words.number();
    range.open |= local == 0;
    range.local.push_back(std::max<uint64_t>(local, 1));
    range.offset.push_back(words.number());
  }
  return range;
}

std::string readLines(std::istream &in, size_t count) {
  std::string text;
  while (count-- > 0)
    text += nextLine(in) + '\n';
  return text;
}

// Reads what writeImage() wrote after the word "image".
Argument readImage(Words &words) {
  Argument argument{.kind = Argument::Kind::Image, .type = typeNamed(words.word())};
  ImageShape &image = argument.image;
  image.base = argument.type.base;
  for (unsigned *number : {&image.dims, &image.width, &image.height, &image.depth, &image.channels})
    *number = unsigned(words.number());
  argument.values = words.values(argument.type, words.number());
  return argument;
}

// Reads a line that starts with the word `kind` and belongs to the launch.
void readArgument(CaseLaunch &launch, const std::string &kind, Words &words) {
  if (kind == "local") {
    launch.arguments.push_back({.kind = Argument::Kind::Local, .bytes = words.number()});
    return;
  }
  if (kind == "parts") {
    launch.shares_buffer = true;
    return;
  }
  if (kind == "same") {
    launch.arguments.push_back({.kind = Argument::Kind::Same, .values = {words.number()}});
    if (launch.arguments.back().values[0] + 1 >= launch.arguments.size())
      throw std::runtime_error("an argument that is the same as a later one");
    return;
  }
  if (kind == "expect") {
    Expectation e{.width = unsigned(words.number()), .argument = unsigned(words.number())};
    const Type type = typeNamed(words.word());
    if (e.argument >= launch.arguments.size())
      throw std::runtime_error("there is no argument " + std::to_string(e.argument));
    words.expected(type, words.number(), e);
    launch.expectations.push_back(std::move(e));
    return;
  }
  if (kind == "image") {
    launch.arguments.push_back(readImage(words));
    return;
  }
  Argument argument{.kind = kind == "buffer" ? Argument::Kind::Buffer : Argument::Kind::Scalar,
                    .type = typeNamed(words.word())};
  if (kind != "buffer" && kind != "scalar")
    throw std::runtime_error("unknown word '" + kind + "'");
  argument.values = words.values(argument.type, kind == "buffer" ? words.number() : 1);
  launch.arguments.push_back(std::move(argument));
}

} // namespace

void write(std::ostream &out, const Case &test) {
  std::istringstream notes(test.notes);
  for (std::string line; std::getline(notes, line);)
    out << "# " << line << '\n';
  size_t lines = 0;
  for (char c : test.source)
    lines += c == '\n';
  if (test.block_order != 0)
    out << "spirv " << test.block_order << '\n';
  out << "options " << test.options << "\nsource " << lines << '\n' << test.source;
  for (const CaseLaunch &launch : test.launches)
    writeLaunch(out, launch);
  out << "end\n";
}

Case readCase(std::istream &in) {
  Case test;
  for (;;) {
    const std::string line = nextLine(in);
    if (line.empty() || line[0] == '#')
      continue;
    Words words(line);
    const std::string kind = words.word();
    if (kind == "end")
      return test;
    if (kind == "spirv")
      test.block_order = words.number();
    else if (kind == "options")
      test.options = line.substr(kind.size());
    else if (kind == "source")
      test.source = readLines(in, words.number());
    else if (kind == "launch")
      test.launches.push_back({.kernel = words.word()});
    else if (test.launches.empty())
      throw std::runtime_error("'" + kind + "' before a launch");
    else if (kind == "range")
      test.launches.back().range = readRange(in, words.number());
    else
      readArgument(test.launches.back(), kind, words);
  }
}

} // namespace lanecl::fuzz
