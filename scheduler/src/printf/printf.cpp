// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printf/printf.h"

#include "printf/printf_arguments.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <locale.h>
#include <mutex>

namespace lanecl::scheduler {

namespace {

constexpr int kWidest = 4096; // the widest field; a larger number is a mistake in the program

// Selects the "C" locale for a scope. The C library writes numbers as the locale of the thread or the process says, but
// a kernel's output depends on no locale.
class WithoutLocale {
public:
  WithoutLocale() : before(uselocale(classic())) {}
  ~WithoutLocale() { uselocale(before); }
  WithoutLocale(const WithoutLocale &) = delete;
  WithoutLocale &operator=(const WithoutLocale &) = delete;

private:
  // Not a static initialization: a child that is forked while another thread is in one would wait for that thread for
  // ever.
  static locale_t classic() {
    static constinit std::once_flag once;
    static locale_t locale;
    // That locale exists already, so this cannot fail.
    std::call_once(once, [] { locale = newlocale(LC_ALL_MASK, "C", nullptr); });
    return locale;
  }
  const locale_t before;
};

// One conversion specification: %[flags][width][.precision][vector][length]conversion
struct Directive {
  std::string flags;
  int width = -1, precision = -1;
  unsigned components = 1;
  unsigned length = 0; // size of an integer in bytes; 0: not given
  char conversion = 0;
};

// Parses one conversion specification of a format.
class FormatReader {
public:
  FormatReader(std::string_view text, size_t position) : format(text), at(position) {}

  // Reads what follows the percent sign. Returns false when it is not a valid specification.
  bool read(Directive &directive) {
    while (at < format.size() && std::strchr("-+ #0", format[at]) != nullptr)
      directive.flags += format[at++];
    if (isDigit())
      directive.width = number();
    if (accept('.'))
      directive.precision = number();
    if (accept('v') && !readComponents(directive))
      return false;
    readLength(directive);
    if (at == format.size())
      return false;
    directive.conversion = format[at++];
    return std::strchr("diouxXfFeEgGaAcsp", directive.conversion) != nullptr;
  }
  size_t position() const { return at; }

private:
  bool isDigit() const { return at < format.size() && format[at] >= '0' && format[at] <= '9'; }
  bool accept(char c) {
    if (at == format.size() || format[at] != c)
      return false;
    ++at;
    return true;
  }
  int number() {
    int value = 0;
    for (; isDigit(); ++at)
      value = std::min(kWidest, value * 10 + (format[at] - '0'));
    return value;
  }
  bool readComponents(Directive &directive) {
    directive.components = static_cast<unsigned>(number());
    const unsigned n = directive.components;
    return n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
  }
  void readLength(Directive &directive) {
    if (accept('h'))
      directive.length = accept('h') ? 1 : accept('l') ? 4 : 2;
    else if (accept('l') || accept('z') || accept('t')) // long, size_t, ptrdiff_t
      directive.length = 8;
  }

  std::string_view format;
  size_t at;
};

// Appends the output of the host's printf to the text.
template <typename... Values> void print(std::string &text, const std::string &format, Values... values) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, format.c_str(), values...);
  if (length < 0)
    return;
  if (static_cast<size_t>(length) < sizeof buffer) {
    text.append(buffer, static_cast<size_t>(length));
    return;
  }
  const size_t before = text.size();
  text.resize(before + static_cast<size_t>(length) + 1);
  std::snprintf(text.data() + before, static_cast<size_t>(length) + 1, format.c_str(), values...);
  text.pop_back();
}

// Returns the equivalent specification for the host's printf; `modifier` is the length modifier for the value.
std::string hostFormat(const Directive &directive, const char *modifier) {
  std::string format = "%" + directive.flags;
  if (directive.width >= 0)
    format += std::to_string(directive.width);
  if (directive.precision >= 0)
    format += "." + std::to_string(directive.precision);
  return format + modifier + directive.conversion;
}

const void *asPointer(const PrintfArgument &argument) {
  return reinterpret_cast<const void *>(static_cast<uintptr_t>(argument.asUnsigned(0)));
}

// Prints a string. An argument that is not a pointer is a mistake in the program and must not be dereferenced.
bool printString(std::string &text, const Directive &directive, const PrintfArgument &argument) {
  const auto *string = argument.pointer ? static_cast<const char *>(asPointer(argument)) : nullptr;
  print(text, hostFormat(directive, ""), string != nullptr ? string : "(null)");
  return argument.pointer;
}

// Prints one component of an argument. Returns false when its type does not fit the conversion.
bool printComponent(std::string &text, const Directive &directive, const PrintfArgument &argument, unsigned index) {
  // Without a length, an integer is taken as it was passed: ids are size_t and are often printed with %d.
  const unsigned most = directive.length != 0 ? directive.length : 8;
  switch (directive.conversion) {
  case 'd':
  case 'i': print(text, hostFormat(directive, "ll"), static_cast<long long>(argument.asSigned(index, most))); break;
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    print(text, hostFormat(directive, "ll"), static_cast<unsigned long long>(argument.asUnsigned(index, most)));
    break;
  case 'c': print(text, hostFormat(directive, ""), static_cast<int>(argument.asUnsigned(index, 1))); break;
  case 's': return printString(text, directive, argument);
  case 'p': print(text, hostFormat(directive, ""), asPointer(argument)); break;
  default: print(text, hostFormat(directive, ""), argument.asDouble(index)); return argument.floating;
  }
  return !argument.floating;
}

// Prints all components, separated by commas. Returns false when the argument does not fit the directive.
bool printArgument(std::string &text, const Directive &directive, const PrintfArgument &argument) {
  const unsigned count = std::min(directive.components, argument.count);
  bool good = directive.components == argument.count;
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0)
      text += ',';
    good &= printComponent(text, directive, argument, i);
  }
  return good;
}

} // namespace

bool formatOutput(std::string_view format, const std::byte *packed, size_t bytes, std::string &text) {
  const WithoutLocale without_locale;
  PrintfArguments arguments(packed, bytes);
  bool good = true;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    text.append(format.substr(at, percent - at));
    at = percent;
    if (at == format.size())
      break;
    if (format.substr(at, 2) == "%%") {
      text += '%';
      at += 2;
      continue;
    }
    FormatReader reader(format, at + 1);
    Directive directive;
    const bool valid = reader.read(directive);
    const std::optional<PrintfArgument> argument = valid ? arguments.next() : std::nullopt;
    if (argument)
      good &= printArgument(text, directive, *argument);
    else {
      text.append(format.substr(at, reader.position() - at)); // as written, so that the mistake can be seen
      good = false;
    }
    at = reader.position();
  }
  return good;
}

int32_t printfService(const char *format, const std::byte *arguments, uint32_t bytes) {
  if (format == nullptr)
    return -1;
  try {
    std::string text;
    const bool good = formatOutput(format, arguments, bytes, text);
    appendOutput(text);
    return good ? 0 : -1;
  } catch (...) { // there is no memory
    return -1;
  }
}

} // namespace lanecl::scheduler
