// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images, read at the nearest texel, also outside their bounds.
#include "generate/maker.h"

namespace lanecl::fuzz {

namespace {

// Returns the coordinates of a texel, which may be outside the image.
ExprPtr coordinates(Maker &m, const ImageShape &image, Level level) {
  const auto one = [&] {
    return m.converted(kInt, m.chance(25) ? m.ask(Query::GlobalId, kInt) : m.expr(kInt, level, 1));
  };
  const auto at = [&] { return level == Level::Lane ? one() : m.expr(kInt, level, 1); };
  if (image.dims == 1)
    return at();
  Expr e{.kind = Expr::Kind::Construct, .type = {Base::Int, uint8_t(image.dims == 2 ? 2 : 4)}};
  for (unsigned i = 0; i < e.type.lanes; ++i)
    e.args.push_back(at());
  return make(std::move(e));
}

} // namespace

// Returns a component of a texel, clamped to the border or to the edge outside the image.
ExprPtr imageLeaf(Maker &m, Type type, Level level, unsigned depth) {
  const auto images = m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Image; });
  if (images.empty() || depth == 0 || !isInteger(type.base))
    return nullptr;
  const unsigned memory = m.pick(images);
  const MemoryObject object = m.kernel.memories[memory];
  return m.converted(type, make({.kind = Expr::Kind::ReadImage,
                                 .type = object.type,
                                 .args = {coordinates(m, object.image, level)},
                                 .number = m.below(2),
                                 .memory = memory}));
}

} // namespace lanecl::fuzz
