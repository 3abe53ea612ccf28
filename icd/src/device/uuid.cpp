// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/uuid.h"

#include "device/processor.h"
#include "icd/profile.h"
#include "settings/made_once.h"

#include <fstream>
#include <string>

#include <uuid/uuid.h>

namespace lanecl::icd {
namespace {

// LaneCL's name space. The random value keeps the names of other programs from giving the same identifiers.
constexpr Uuid kNamespace{0x6c, 0x1f, 0x8a, 0x52, 0x0d, 0x3b, 0x4e, 0x97,
                          0xb4, 0x2c, 0x91, 0x5e, 0x7a, 0xd0, 0x33, 0xc8};

// Returns the machine id, which is generated when a system is installed, or "" if there is none. The id is
// confidential, so only a digest of it leaves this file. Without it, only the processor's name identifies the device.
std::string machineId() {
  for (const char *path : {"/etc/machine-id", "/var/lib/dbus/machine-id"})
    if (std::string id; std::ifstream(path) >> id)
      return id;
  return {};
}

// Returns the part of the names that makes each GPU's profile a device of its own.
std::string ofGpu() {
  return deviceProfile().is_gpu ? " as " + std::string(deviceProfile().name) : std::string();
}

} // namespace

Uuid uuidOf(const Uuid &name_space, std::string_view name) {
  Uuid result;
  uuid_generate_sha1(result.data(), name_space.data(), name.data(), name.size());
  return result;
}

const Uuid &deviceUuid() {
  static constinit MadeOnce<Uuid> uuid;
  return uuid.get([] { return uuidOf(kNamespace, "device " + machineId() + " " + processor().brand + ofGpu()); });
}

const Uuid &driverUuid() {
  static constinit MadeOnce<Uuid> uuid;
  return uuid.get([] { return uuidOf(kNamespace, "driver " LANECL_VERSION + ofGpu()); });
}

} // namespace lanecl::icd
