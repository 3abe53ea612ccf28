#include "executable.h"

#include "device_limits.h"
#include "icd/settings.h"
#include "vectorizer/width.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lanecl::icd {
namespace {

// More exact sizes than this are a program that tries out sizes, or one whose sizes vary with its data.
constexpr size_t kExactSizesPerKernel = 8;
constexpr size_t kMostExactSizes = 128; // the worthwhile ones included: code needs memory

} // namespace

std::shared_ptr<Executable> Executable::create(const frontend::Module &module, std::span<Device *const> devices,
                                               std::string &error) {
  frontend::Frontend *frontend = Device::frontend(error);
  if (!frontend)
    return nullptr;
  auto kernels = frontend->kernels(module, error);
  if (kernels.empty() && !error.empty())
    return nullptr;
  frontend::ProgramVariables variables = frontend->variables(module, error);
  if (!error.empty())
    return nullptr;
  std::shared_ptr<Executable> executable(new Executable(module, std::move(kernels), std::move(variables)));
  for (const Device *device : devices)
    if (std::byte *block; !executable->variables(*device, block)) {
      error = "error: there is no memory for " + std::to_string(executable->variableBytes()) +
              " bytes of program scope variables\n";
      return nullptr;
    }
  return executable;
}

Executable::Executable(frontend::Module module, std::vector<frontend::KernelInfo> kernels,
                       frontend::ProgramVariables variables)
    : module_(std::move(module)), kernels_(std::move(kernels)), variables_(std::move(variables)),
      exact_sizes_(kernels_.size()), compile_nanoseconds_(kernels_.size()) {}

Executable::Block Executable::makeVariables() const {
  const size_t alignment = std::max<size_t>(kBaseAlignment, variables_.alignment);
  const size_t bytes = (variables_.bytes + alignment - 1) / alignment * alignment;
  Block memory(static_cast<std::byte *>(std::aligned_alloc(alignment, bytes)));
  if (!memory)
    return nullptr;
  std::byte *const block = memory.get();
  std::memcpy(block, variables_.initial.data(), variables_.initial.size());
  std::memset(block + variables_.initial.size(), 0, bytes - variables_.initial.size());
  for (const auto &[at, target] : variables_.addresses) {
    std::byte *const address = block + target;
    std::memcpy(block + at, &address, sizeof address);
  }
  return memory;
}

bool Executable::variables(const Device &device, std::byte *&block) {
  block = nullptr;
  if (variables_.bytes == 0)
    return true;
  const std::lock_guard lock(mutex_);
  Block &own = blocks_[&device];
  if (!own)
    own = makeVariables();
  block = own.get();
  return block != nullptr;
}

int Executable::find(std::string_view name) const {
  for (size_t i = 0; i < kernels_.size(); ++i)
    if (kernels_[i].name == name)
      return int(i);
  return -1;
}

unsigned Executable::width(size_t kernel, const LocalSize &local_size) const {
  const frontend::KernelInfo &info = kernels_[kernel];
  return vectorizer::subGroupWidth({.required = info.required_sub_group_size,
                                    .forced = settings().sub_group_size,
                                    .numbers_sub_groups = info.numbers_sub_groups},
                                   local_size);
}

vectorizer::LaunchClass Executable::classFor(size_t kernel, const LocalSize &local_size, bool ids_fit_int) {
  vectorizer::LaunchClass launch;
  launch.width = width(kernel, local_size);
  launch.ids_fit_int = ids_fit_int;
  const std::lock_guard lock(mutex_);
  std::set<LocalSize> &sizes = exact_sizes_[kernel];
  if (sizes.size() < kExactSizesPerKernel)
    sizes.insert(local_size);
  if (sizes.contains(local_size))
    for (size_t d = 0; d < 3; ++d)
      launch.local_size[d] = uint32_t(local_size[d]);
  return launch;
}

bool Executable::specialize(size_t kernel, const LocalSize &local_size) {
  const std::lock_guard lock(mutex_);
  std::set<LocalSize> &sizes = exact_sizes_[kernel];
  if (sizes.size() < kMostExactSizes)
    sizes.insert(local_size);
  return sizes.contains(local_size);
}

vectorizer::LaunchClass Executable::likelyClass(size_t kernel) const {
  const frontend::KernelInfo &info = kernels_[kernel];
  const LocalSize &known =
      info.required_work_group_size[0] != 0 ? info.required_work_group_size : info.work_group_size_hint;
  vectorizer::LaunchClass launch;
  if (known[0] == 0) {
    // Any local size; long rows are the most frequent.
    launch.width = width(kernel, {256, 1, 1});
    return launch;
  }
  launch.width = width(kernel, known);
  for (size_t d = 0; d < 3; ++d)
    launch.local_size[d] = uint32_t(known[d]);
  return launch;
}

Executable::Code Executable::compile(size_t kernel, const vectorizer::LaunchClass &launch, std::string &error) {
  const Key key{kernel, launch.width, launch.local_size, launch.ids_fit_int};
  std::optional<std::promise<vectorizer::CompileOutput>> promise; // for the first who asks
  Pending pending;
  {
    const std::lock_guard lock(mutex_);
    auto place = code_.find(key);
    if (place == code_.end())
      place = code_.emplace(key, promise.emplace().get_future().share()).first;
    pending = place->second;
  }
  if (promise) {
    try {
      promise->set_value(compileNow(kernel, launch));
    } catch (...) {
      // Those who wait hear of it now; who asks later tries again.
      promise->set_exception(std::current_exception());
      const std::lock_guard lock(mutex_);
      code_.erase(key);
    }
  }
  const vectorizer::CompileOutput &output = pending.get();
  error = output.error;
  return output.kernel;
}

vectorizer::CompileOutput Executable::compileNow(size_t kernel, const vectorizer::LaunchClass &launch) {
  vectorizer::CompileOutput output;
  vectorizer::Vectorizer *vectorizer = Device::vectorizer(output.error);
  if (!vectorizer)
    return output;
  const vectorizer::KernelSource source{.bitcode = *module_.bitcode,
                                        .kernel = kernels_[kernel].name,
                                        .debug = module_.debug,
                                        .optimize = module_.optimize};
  const uint64_t begin = scheduler::nanoseconds();
  output = vectorizer->compile(source, launch);
  compile_nanoseconds_[kernel].store(scheduler::nanoseconds() - begin);
  return output;
}

} // namespace lanecl::icd
