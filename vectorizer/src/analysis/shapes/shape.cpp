// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/shape.h"

namespace lanecl::vectorizer {

Shape Shape::join(const Shape &a, const Shape &b) {
  if (a.isUndefined())
    return b;
  if (b.isUndefined())
    return a;
  if (!a.isLinear() || !b.isLinear() || a.stride() != b.stride())
    return varying();
  return strided(a.stride(), a.progression() & b.progression());
}

std::string Shape::str() const {
  switch (shape_kind) {
  case Kind::Undefined: return "undefined";
  case Kind::Uniform: return "uniform";
  case Kind::Strided: {
    const char *is_signed = numbers.signed_from_lane_0 ? ", nsw" : numbers.is_signed ? ", active nsw" : "";
    return "strided(" + std::to_string(lane_stride) + (numbers.is_unsigned ? ", nuw" : "") + is_signed +
           (numbers.non_negative ? ", nneg" : "") + ")";
  }
  case Kind::Varying: break;
  }
  return "varying";
}

} // namespace lanecl::vectorizer
