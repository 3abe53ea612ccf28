// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/runtime_symbols.h"

#include "codegen/lane_questions.h"
#include "vectorizer/check.h"

#include "llvm/ExecutionEngine/Orc/Shared/ExecutorAddress.h"

#include <cmath>
#include <cstring>

// Functions of the compiler's runtime library: conversions of half, for processors that have none.
extern "C" {
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
}

using namespace llvm;
using namespace llvm::orc;

namespace lanecl::vectorizer {

SymbolMap runtimeSymbols(ExecutionSession &session) {
  SymbolMap symbols;
  const auto add = [&](const char *name, auto *address) {
    symbols[session.intern(name)] = {ExecutorAddr::fromPtr(reinterpret_cast<void *>(address)),
                                     JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  // The code generator turns memory intrinsics, frem and mathematical intrinsics into calls of these.
  add("memcpy", &std::memcpy);
  add("memmove", &std::memmove);
  add("memset", &std::memset);
  add("memcmp", &std::memcmp);
  add("bcmp", &std::memcmp);
#define MATH1(name)                                                                                                    \
  add(#name, static_cast<double (*)(double)>(&std::name));                                                             \
  add(#name "f", static_cast<float (*)(float)>(&std::name))
  MATH1(sin);
  MATH1(cos);
  MATH1(tan);
  MATH1(asin);
  MATH1(acos);
  MATH1(atan);
  MATH1(sinh);
  MATH1(cosh);
  MATH1(tanh);
  MATH1(exp);
  MATH1(exp2);
  MATH1(log);
  MATH1(log2);
  MATH1(log10);
  MATH1(sqrt);
  MATH1(cbrt);
  MATH1(floor);
  MATH1(ceil);
  MATH1(trunc);
  MATH1(rint);
  MATH1(round);
  MATH1(nearbyint);
#undef MATH1
#define MATH2(name)                                                                                                    \
  add(#name, static_cast<double (*)(double, double)>(&std::name));                                                     \
  add(#name "f", static_cast<float (*)(float, float)>(&std::name))
  MATH2(fmod);
  MATH2(pow);
  MATH2(atan2);
  MATH2(fmin);
  MATH2(fmax);
#undef MATH2
  add("ldexp", static_cast<double (*)(double, int)>(&std::ldexp));
  add("ldexpf", static_cast<float (*)(float, int)>(&std::ldexp));
  add("frexp", static_cast<double (*)(double, int *)>(&std::frexp));
  add("frexpf", static_cast<float (*)(float, int *)>(&std::frexp));
  add("fma", static_cast<double (*)(double, double, double)>(&std::fma));
  add("fmaf", static_cast<float (*)(float, float, float)>(&std::fma));
  add("__extendhfsf2", &__extendhfsf2);
  add("__truncsfhf2", &__truncsfhf2);
  add("__truncdfhf2", &__truncdfhf2);
  add(kNextLane, &laneclNextLaneForDebugger);
  add(kDebuggerProbe, &debuggerProbe);
  if (const Instrumentation *checks = instrumentation()) {
    add("lanecl.check.begin", checks->runtime.begin);
    add("lanecl.check.read.end", checks->runtime.read_end);
    add("lanecl.check.write.end", checks->runtime.write_end);
    add("lanecl.check.found", checks->runtime.found);
    add("lanecl.check.found.in.call", checks->runtime.found_in_call);
    add("lanecl.check.reached", checks->runtime.reached);
    add("lanecl.check.done", checks->runtime.done);
    add("lanecl.check.lanes.access", checks->runtime.record_access);
    add("lanecl.check.lanes.access.in.call", checks->runtime.record_access_in_call);
    add("lanecl.check.lanes.barrier", checks->runtime.record_barrier);
    add("lanecl.check.lanes.fence", checks->runtime.record_fence);
    add("lanecl.check.begun", checks->runtime.begun);
    add("lanecl.check.shadow", checks->runtime.shadow);
  }
  return symbols;
}

} // namespace lanecl::vectorizer
