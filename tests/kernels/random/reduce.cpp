#include "reduce.h"

namespace lanecl::test::random_kernels {

namespace {

// Changes one statement or one expression of a kernel, the `left`th in order of the text.
class Edit {
public:
  Edit(unsigned position, unsigned way_) : left(position), way(way_) {}

  bool statement(Block &block) {
    for (size_t i = 0; i < block.size(); ++i) {
      if (left-- == 0)
        return changeStatement(block, i);
      for (Block &nested : block[i].blocks)
        if (statement(nested))
          return true;
      if (left == ~0u) // the statement was found and could not be changed
        return false;
    }
    return false;
  }

  bool expression(Block &block) {
    for (Stmt &s : block) {
      for (ExprPtr &e : s.values)
        if (visit(e))
          return true;
      for (Block &nested : s.blocks)
        if (expression(nested))
          return true;
    }
    return false;
  }

  bool exhausted() const { return !reached; }

private:
  unsigned left;
  unsigned way;
  bool reached = false;

  bool changeStatement(Block &block, size_t i) {
    reached = true;
    left = ~0u;
    Stmt s = block[i];
    if (s.kind == Stmt::Kind::Barrier || s.kind == Stmt::Kind::LocalStore || (way > 0 && way > s.blocks.size()))
      return false;
    block.erase(block.begin() + i);
    if (way > 0) // one of its blocks in its place
      block.insert(block.begin() + i, s.blocks[way - 1].begin(), s.blocks[way - 1].end());
    return true;
  }

  bool visit(ExprPtr &e) {
    if (left-- == 0) {
      reached = true;
      return changeExpression(e);
    }
    for (size_t i = 0; i < e->args.size(); ++i) {
      ExprPtr arg = e->args[i];
      const bool changed = visit(arg);
      if (changed) {
        Expr copy = *e;
        copy.args[i] = arg;
        e = std::make_shared<const Expr>(copy);
      }
      if (changed || reached)
        return changed;
    }
    return false;
  }

  bool changeExpression(ExprPtr &e) {
    if (way < 2) {
      if (e->kind == Expr::Kind::Constant || e->type.lanes > 1)
        return false;
      e = std::make_shared<const Expr>(Expr{.kind = Expr::Kind::Constant, .type = e->type, .number = way});
      return true;
    }
    if (way - 2 >= e->args.size() || !(e->args[way - 2]->type == e->type))
      return false;
    e = e->args[way - 2];
    return true;
  }
};

bool pass(Kernel &kernel, bool statements, const std::function<bool(const Kernel &)> &fails) {
  bool progress = false;
  for (Function &function : kernel.functions)
    for (unsigned position = 0;; ++position) {
      bool exhausted = false;
      for (unsigned way = 0; way < 5 && !exhausted; ++way) {
        const Block before = function.body;
        Edit edit(position, way);
        const bool changed = statements ? edit.statement(function.body) : edit.expression(function.body);
        exhausted = edit.exhausted();
        if (changed && fails(kernel)) {
          progress = true;
          --position;
          break;
        }
        function.body = before;
      }
      if (exhausted)
        break;
    }
  return progress;
}

} // namespace

Kernel reduce(Kernel kernel, const std::function<bool(const Kernel &)> &fails) {
  for (bool progress = true; progress;) {
    progress = pass(kernel, true, fails);
    progress |= pass(kernel, false, fails);
  }
  return kernel;
}

} // namespace lanecl::test::random_kernels
