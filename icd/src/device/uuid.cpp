#include "device/uuid.h"

#include "device/processor.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>
#include <vector>

namespace lanecl::icd {
namespace {

// Chosen once, so that nobody else's names give our identifiers.
constexpr Uuid kNamespace{0x6c, 0x1f, 0x8a, 0x52, 0x0d, 0x3b, 0x4e, 0x97,
                          0xb4, 0x2c, 0x91, 0x5e, 0x7a, 0xd0, 0x33, 0xc8};

using Digest = std::array<uint32_t, 5>;

// The message with its end mark and its length in bits, a multiple of 64 bytes.
std::vector<uint8_t> padded(std::vector<uint8_t> message) {
  const uint64_t bits = 8 * uint64_t(message.size());
  message.push_back(0x80);
  message.resize((message.size() + 8 + 63) / 64 * 64);
  for (size_t i = 0; i < 8; ++i)
    message[message.size() - 1 - i] = uint8_t(bits >> (8 * i));
  return message;
}

void addBlock(Digest &digest, const uint8_t *block) {
  std::array<uint32_t, 80> words{};
  for (size_t i = 0; i < 64; ++i)
    words[i / 4] = words[i / 4] << 8 | block[i];
  for (size_t i = 16; i < words.size(); ++i)
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = digest;
  for (size_t i = 0; i < words.size(); ++i) {
    uint32_t mix, constant;
    switch (i / 20) {
    case 0: mix = (b & c) | (~b & d), constant = 0x5a827999; break;
    case 1: mix = b ^ c ^ d, constant = 0x6ed9eba1; break;
    case 2: mix = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc; break;
    default: mix = b ^ c ^ d, constant = 0xca62c1d6; break;
    }
    const uint32_t next = std::rotl(a, 5) + mix + e + constant + words[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  const Digest sum{a, b, c, d, e};
  for (size_t i = 0; i < digest.size(); ++i)
    digest[i] += sum[i];
}

// SHA-1, which the format prescribes.
Digest digestOf(std::vector<uint8_t> message) {
  Digest digest{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::vector<uint8_t> blocks = padded(std::move(message));
  for (size_t i = 0; i < blocks.size(); i += 64)
    addBlock(digest, blocks.data() + i);
  return digest;
}

// Given to a system when it is installed; it must not be shown to others, so only its digest is. Without one the
// processor's name has to do.
std::string machineId() {
  for (const char *path : {"/etc/machine-id", "/var/lib/dbus/machine-id"})
    if (std::string id; std::ifstream(path) >> id)
      return id;
  return {};
}

} // namespace

Uuid uuidOf(const Uuid &name_space, std::string_view name) {
  std::vector<uint8_t> message(name_space.begin(), name_space.end());
  message.insert(message.end(), name.begin(), name.end());
  const Digest digest = digestOf(std::move(message));
  Uuid result;
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = uint8_t(digest[i / 4] >> (24 - 8 * (i % 4)));
  result[6] = (result[6] & 0x0f) | 0x50; // the version
  result[8] = (result[8] & 0x3f) | 0x80; // the variant
  return result;
}

const Uuid &deviceUuid() {
  static const Uuid uuid = uuidOf(kNamespace, "device " + machineId() + " " + processor().brand);
  return uuid;
}

const Uuid &driverUuid() {
  static const Uuid uuid = uuidOf(kNamespace, "driver " LANECL_VERSION);
  return uuid;
}

} // namespace lanecl::icd
