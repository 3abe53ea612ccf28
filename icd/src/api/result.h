// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The result of the bodies behind entry points: a value, or an OpenCL error code. Bodies return `Error{CL_INVALID_…}`
// or the value itself.
#pragma once

#include <CL/cl.h>

#include <utility>
#include <variant>

namespace lanecl::icd {

struct Error {
  cl_int code;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, error) {}

  explicit operator bool() const { return state_.index() == 0; }
  cl_int code() const { return *this ? CL_SUCCESS : std::get<1>(state_).code; }
  Error error() const { return std::get<1>(state_); }
  T &operator*() { return std::get<0>(state_); }
  T *operator->() { return &std::get<0>(state_); }

private:
  std::variant<T, Error> state_;
};

} // namespace lanecl::icd
