// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shell around every C entry point. The bodies return an error code or a Result. Only here are exceptions caught,
// so that none leaves a C function, and errcode_ret is written.
//
//   cl_int CL_API_CALL clFinish(cl_command_queue queue) { return entry([&]() -> cl_int { … }); }
#pragma once

#include "api/failure_watch.h"
#include "api/ref.h"
#include "api/result.h"

#include <CL/cl.h>

#include <new>
#include <type_traits>
#include <utility>

namespace lanecl::icd {

// Calls the body and returns its error code. std::bad_alloc becomes CL_OUT_OF_HOST_MEMORY, any other exception
// CL_OUT_OF_RESOURCES.
template <class Body> cl_int codeOf(Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return CL_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return CL_OUT_OF_RESOURCES;
  }
}

namespace detail {
// Gives the value of a Result to the application: an object's reference with its handle, or the plain pointer.
template <class T> auto handOver(Ref<T> &object) {
  return object.detach()->handle();
}
inline void *handOver(void *&pointer) {
  return pointer;
}
} // namespace detail

// Runs the body of an entry point that returns an error code, and reports failures to check mode. `asked` is the
// param_name of a query, and `function` the name of the entry point.
template <class Body>
cl_int entry(Body &&body, cl_uint asked = 0, const char *function = __builtin_FUNCTION()) noexcept {
  const cl_int code = codeOf(body);
  if (code != CL_SUCCESS)
    noteFailure({function, code, asked});
  return code;
}

// Runs the body of an entry point that returns a handle or a pointer. The body returns Result<Ref<T>> or
// Result<void *>. A body that takes a cl_int & may report a code beside the object it returns: clLinkProgram returns a
// program object even if linking has failed.
template <class Body>
auto create(cl_int *errcode_ret, Body &&body, const char *function = __builtin_FUNCTION()) noexcept {
  cl_int code_beside = CL_SUCCESS;
  const auto call = [&] {
    if constexpr (std::is_invocable_v<Body, cl_int &>)
      return body(code_beside);
    else
      return body();
  };
  decltype(detail::handOver(*std::declval<decltype(call()) &>())) value = nullptr;
  const auto combined = [&] {
    auto result = call();
    if (result)
      value = detail::handOver(*result);
    return result ? code_beside : result.code();
  };
  const cl_int code = entry(combined, 0, function);
  if (errcode_ret)
    *errcode_ret = code;
  return value;
}

} // namespace lanecl::icd
