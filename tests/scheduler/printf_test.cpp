// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares the formatter with the host's printf where both mean the same, and with the specification where they differ.
#include "printf/printf.h"

#include "fixture.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <locale.h>

using namespace lanecl::scheduler;

namespace {

// Arguments of printf in the form in which kernels store them: a tag with the size, number and kind of the components,
// and then the components, each part padded to 8 bytes.
class Packed {
public:
  template <typename T> Packed &add(std::initializer_list<T> components, bool pointer = false) {
    uint32_t tag = sizeof(T) | static_cast<uint32_t>(components.size()) << 8;
    tag |= std::is_floating_point_v<T> ? 1u << 16 : 0;
    tag |= pointer ? 1u << 17 : 0;
    put(&tag, sizeof tag);
    for (const T &component : components)
      put(&component, sizeof component, false);
    pad();
    return *this;
  }
  Packed &half(std::initializer_list<uint16_t> components) {
    const uint32_t tag = 2u | static_cast<uint32_t>(components.size()) << 8 | 1u << 16;
    put(&tag, sizeof tag);
    for (uint16_t component : components)
      put(&component, sizeof component, false);
    pad();
    return *this;
  }
  Packed &string(const char *text) { return add({reinterpret_cast<uint64_t>(text)}, true); }

  std::string format(const char *text, bool good = true) const {
    std::string out;
    CHECK(formatOutput(text, bytes.data(), bytes.size(), out) == good);
    return out;
  }

private:
  void put(const void *from, size_t size, bool then_pad = true) {
    const auto *p = static_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), p, p + size);
    if (then_pad)
      pad();
  }
  void pad() { bytes.resize((bytes.size() + 7) / 8 * 8); }
  std::vector<std::byte> bytes;
};

template <typename T> Packed one(T value) {
  return Packed().add({value});
}

// Checks that the output is the same as that of the host's printf.
template <typename T> void likeHost(const char *format, T value) {
  char expected[512];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  std::snprintf(expected, sizeof expected, format, value);
#pragma clang diagnostic pop
  CAPTURE(format);
  CHECK(one(value).format(format) == expected);
}

} // namespace

TEST_CASE("integers are printed as by the host", "[printf]") {
  for (const char *format : {"%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-+8.3d|", "%.0d"})
    for (int value : {0, 1, -1, 42, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
      likeHost(format, value);
  for (const char *format : {"%u", "%o", "%x", "%X", "%#x", "%#o", "%#010x", "%08X", "%.5u"})
    for (unsigned value : {0u, 1u, 255u, 4294967295u})
      likeHost(format, value);
  for (const char *format : {"%ld", "%+ld", "%20ld"})
    likeHost(format, std::numeric_limits<long>::min());
  likeHost("%lx", 0xfedcba9876543210ul);
  for (const char *format : {"%hhd", "%hhu", "%hhx", "%hd", "%hu"})
    likeHost(format, -300);
  for (const char *format : {"%zu", "%zo", "%#zx", "%20zX"})
    for (size_t value : {size_t{0}, std::numeric_limits<size_t>::max()})
      likeHost(format, value);
  for (const char *format : {"%td", "%+ti", "%-22td|", "%zd", "%.21zi"})
    for (ptrdiff_t value : {std::numeric_limits<ptrdiff_t>::min(), std::numeric_limits<ptrdiff_t>::max()})
      likeHost(format, value);
}

TEST_CASE("floating-point numbers are printed as by the host", "[printf]") {
  for (const char *format : {"%f", "%F", "%e", "%E", "%g", "%G", "%a", "%A", "%10.3f", "%-10.2e|", "%+.0f", "%#.0f",
                             "%010.4f", "%.15g", "% g"})
    for (double value : {0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e300, 1e-300, 123456789.0})
      likeHost(format, value);
  CHECK(one(1.5f).format("%.2f") == "1.50");
  CHECK(Packed().half({0x3e00}).format("%.2f") == "1.50");
  CHECK(Packed().half({0x0001}).format("%.3e") == "5.960e-08");
  CHECK(Packed().half({0xfc00}).format("%f") == "-inf");
}

TEST_CASE("infinities and NaNs", "[printf]") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(one(inf).format("%f") == "inf");
  CHECK(one(-inf).format("%F") == "-INF");
  CHECK(one(inf).format("%08.2e") == "     inf");
  CHECK(one(nan).format("%g") == "nan");
  CHECK(one(nan).format("%A") == "NAN");
}

TEST_CASE("vectors", "[printf]") {
  CHECK(Packed().add({1.0f, 2.0f, 3.0f, 4.0f}).format("%2.2v4hlf") == "1.00,2.00,3.00,4.00");
  CHECK(Packed().add<uint8_t>({0xfa, 0xfb, 0xfc, 0xfd}).format("%#v4hhx") == "0xfa,0xfb,0xfc,0xfd");
  CHECK(Packed().add<int8_t>({-1, 2, -3}).format("%v3hhd") == "-1,2,-3");
  CHECK(Packed().add<int16_t>({-1, 2}).format("%5v2hd") == "   -1,    2");
  CHECK(Packed().add<uint16_t>({65535, 2}).format("%v2hu") == "65535,2");
  CHECK(Packed().add<int32_t>({1, -2, 3, -4, 5, -6, 7, -8}).format("%v8hld") == "1,-2,3,-4,5,-6,7,-8");
  CHECK(Packed().add<int64_t>({-1, INT64_MAX}).format("%v2ld") == "-1,9223372036854775807");
  CHECK(Packed().add({1.5, -2.5}).format("%v2lg") == "1.5,-2.5");
  CHECK(Packed().half({0x3c00, 0x4000, 0x4200}).format("%v3hg") == "1,2,3");
  CHECK(Packed().add<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}).format("%v16hhu") ==
        "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
}

TEST_CASE("characters, strings, pointers, percent", "[printf]") {
  CHECK(one(int{'x'}).format("%c") == "x");
  CHECK(one(int{'x'}).format("%3c|%%") == "  x|%");
  CHECK(Packed().string("hello").format("%s") == "hello");
  CHECK(Packed().string("hello").format("%-8.3s|") == "hel     |");
  CHECK(Packed().string(nullptr).format("%s") == "(null)");
  CHECK(Packed().string(reinterpret_cast<const char *>(0x1234)).format("%p") == "0x1234");
  CHECK(Packed().format("100%% done\n") == "100% done\n");
  CHECK(Packed().format("") == "");
}

TEST_CASE("several arguments", "[printf]") {
  Packed packed;
  packed.add({7}).string("name").add({1.5f, 2.5f}).add({uint64_t{99}});
  CHECK(packed.format("%d %s %v2hlf %lu.") == "7 name 1.500000,2.500000 99.");
}

TEST_CASE("mistakes in a format are reported and do no harm", "[printf]") {
  CHECK(Packed().format("%d", false) == "%d");
  CHECK(Packed().format("ends with %", false) == "ends with %");
  CHECK(one(1).format("%y", false) == "%y");
  CHECK(one(1).format("%zzd", false) == "%zzd");
  CHECK(one(1).format("%jd", false) == "%jd");
  CHECK(one(1).format("%v5d", false) == "%v5d"[0] + std::string("v5d"));
  CHECK(one(1).format("%*d", false) == "%*d");
  CHECK(one(12345).format("%s", false) == "(null)");
  CHECK(one(3).format("%f", false) == "3.000000");
  CHECK(one(3.7).format("%d", false) == "3");
  CHECK(one(1e300).format("%u", false) == "9223372036854775807");
  CHECK(one(1).format("%v4hld", false) == "1");
  CHECK(one(1).format("%99999999999d").size() == 4096);
  CHECK(one(0.5).format("%.99999999f").size() == 4098);
}

TEST_CASE("random formats and arguments never crash", "[printf]") {
  uint32_t seed = 99;
  const auto next = [&seed] { return (seed = seed * 1664525 + 1013904223) >> 16; };
  const std::string_view alphabet = "%%%%%%diouxXfFeEgGaAcspvhlzt0123456789.-+ #*n\\j";
  for (int round = 0; round < 20000; ++round) {
    std::string format, out;
    for (uint32_t i = next() % 12; i != 0; --i)
      format += alphabet[next() % alphabet.size()];
    std::vector<std::byte> bytes(next() % 64);
    for (std::byte &byte : bytes)
      byte = static_cast<std::byte>(next() % 20);
    for (size_t i = 2; i < bytes.size(); i += 8)
      bytes[i] = static_cast<std::byte>(next() % 2); // no pointers, because the formatter trusts them
    formatOutput(format, bytes.data(), bytes.size(), out);
  }
  SUCCEED();
}

namespace {

// The locale that the tests are built with: decimal comma, and a point between thousands.
constexpr const char *kCommaLocale = "comma";

// Checks the output while the process has a locale with a decimal comma.
void checkWithoutLocale() {
  char host[16];
  std::snprintf(host, sizeof host, "%.2f", 1.5);
  REQUIRE(std::string(host) == "1,50"); // otherwise the test would show nothing
  CHECK(one(1234567.25).format("%.2f") == "1234567.25");
  CHECK(one(-0.5f).format("%a|%%") == "-0x1p-1|%");
  CHECK(one(1e-10).format("%g") == "1e-10");
  CHECK(one(2.5).format("%#.3e") == "2.500e+00");
  CHECK(Packed().add({1.5f, 2.5f}).format("%v2hlf") == "1.500000,2.500000");
  CHECK(one(1234567).format("%'d", false) == "%'d"); // OpenCL C does not have this flag
  std::snprintf(host, sizeof host, "%.2f", 1.5);
  CHECK(std::string(host) == "1,50"); // the program's own output must not be affected
}

} // namespace

TEST_CASE("the process's locale changes nothing", "[printf]") {
  REQUIRE(setlocale(LC_NUMERIC, kCommaLocale) != nullptr);
  checkWithoutLocale();
  setlocale(LC_NUMERIC, "C");
}

TEST_CASE("the thread's locale changes nothing", "[printf]") {
  const locale_t comma = newlocale(LC_NUMERIC_MASK, kCommaLocale, nullptr);
  REQUIRE(comma != nullptr);
  const locale_t before = uselocale(comma);
  checkWithoutLocale();
  uselocale(before);
  freelocale(comma);
}
