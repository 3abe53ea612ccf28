// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The shell around every C entry point. Bodies return a code or a Result; exceptions are caught and errcode_ret is
// written only here.
#pragma once

#include "api/failure_watch.h"
#include "api/ref.h"
#include "api/result.h"

#include <CL/cl.h>

#include <new>
#include <type_traits>
#include <utility>

namespace lanecl::icd {

// The code that the body returns, or that stands for what it throws.
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
template <class T> auto handOver(Ref<T> &object) {
  return object.detach()->handle();
}
inline void *handOver(void *&pointer) {
  return pointer;
}
} // namespace detail

// `asked`: the param_name of a query; `function`: the entry point itself.
template <class Body>
cl_int entry(Body &&body, cl_uint asked = 0, const char *function = __builtin_FUNCTION()) noexcept {
  const cl_int code = codeOf(body);
  if (code != CL_SUCCESS)
    noteFailure({function, code, asked});
  return code;
}

// For entry points that return a handle or a pointer. The body returns Result<Ref<T>> or Result<void *>. A body that
// takes a cl_int & may report a code next to the object it returns, as clLinkProgram must.
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
