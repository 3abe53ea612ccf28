// Values that are made at first use.
#pragma once

#include <mutex>

namespace lanecl::icd {

// For a global variable. The value is never destroyed, as commands may still run while the process exits. And unlike a
// local static it survives a fork in the midst of it: what another thread had begun, the forked process begins anew.
template <class T> class MadeOnce {
public:
  constexpr MadeOnce() = default;

  template <class Make> const T &get(Make make) {
    std::call_once(once_, [&] { value_ = new T(make()); });
    return *value_;
  }

private:
  std::once_flag once_;
  const T *value_ = nullptr;
};

} // namespace lanecl::icd
