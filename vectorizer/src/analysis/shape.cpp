#include "analysis/shape.h"

namespace lanecl::vectorizer {

Shape Shape::join(const Shape &a, const Shape &b) {
  if (a.isUndefined())
    return b;
  if (b.isUndefined())
    return a;
  if (!a.isLinear() || !b.isLinear() || a.stride() != b.stride())
    return varying();
  return strided(a.stride(), a.noWrap() & b.noWrap());
}

std::string Shape::str() const {
  switch (shape_kind) {
  case Kind::Undefined: return "undefined";
  case Kind::Uniform: return "uniform";
  case Kind::Strided:
    return "strided(" + std::to_string(lane_stride) + (no_wrap.is_unsigned ? ", nuw" : "") +
           (no_wrap.is_signed ? ", nsw" : "") + ")";
  case Kind::Varying: break;
  }
  return "varying";
}

} // namespace lanecl::vectorizer
