// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The writer of all clGet…Info queries. It implements their common rule about sizes: if the buffer is too small, the
// query fails with CL_INVALID_VALUE and writes nothing. Otherwise it writes the answer to the buffer and the answer's
// size to param_value_size_ret, each only if the pointer is not null.
#pragma once

#include <CL/cl.h>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanecl::icd {

// Holds the parameters param_value_size, param_value and param_value_size_ret of a query, and writes its answer.
class InfoWriter {
public:
  InfoWriter(size_t size, void *value, size_t *size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  // Answers with one value, or with an array. T must be spelled at the call, as in value<cl_uint>(n), so that the size
  // of the answer cannot change with the type of the expression.
  template <class T> cl_int value(const std::type_identity_t<T> &result) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return bytes(&result, sizeof(T));
  }
  template <class T> cl_int list(std::span<const std::type_identity_t<T>> results) const {
    return bytes(results.data(), results.size_bytes());
  }
  // Answers with a string and its terminating zero.
  cl_int text(std::string_view result) const { return bytes(std::string(result).c_str(), result.size() + 1); }

  // Answers with `size` bytes.
  cl_int bytes(const void *data, size_t size) const {
    // CL_INVALID_VALUE if the size in bytes specified by param_value_size is less than the size of the return type
    // and param_value is not NULL.
    if (value_ && size_ < size)
      return CL_INVALID_VALUE;
    if (value_ && size != 0)
      std::memcpy(value_, data, size);
    if (size_ret_)
      *size_ret_ = size;
    return CL_SUCCESS;
  }

  size_t size() const { return size_; }
  size_t *sizeOut() const { return size_ret_; }
  void *target() const { return value_; }

private:
  size_t size_;
  void *value_;
  size_t *size_ret_;
};

} // namespace lanecl::icd
