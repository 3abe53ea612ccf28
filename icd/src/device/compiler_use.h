// When the compiler may run, in a process that exits or forks.
#pragma once

namespace lanecl::icd {

// For a scope in which the compiler runs. It must not while its libraries' destructors do: exit() waits for those who
// compile in other threads, and then nobody begins any more. Nor may a process be forked in the midst of it, as its
// locks would stay taken in the forked one: fork() waits, too. Neither waits for ever.
class CompilerUse {
public:
  static constexpr const char *kRefused = "error: nothing is compiled any more, because the process is exiting\n";

  CompilerUse();
  ~CompilerUse();
  CompilerUse(const CompilerUse &) = delete;
  CompilerUse &operator=(const CompilerUse &) = delete;

  explicit operator bool() const { return allowed_; } // false: the process is exiting

  // Before the first one, in a process that is not exiting or forking yet.
  static void watchProcess();

private:
  const bool allowed_;
};

} // namespace lanecl::icd
