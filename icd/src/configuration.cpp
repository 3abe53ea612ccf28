#include "icd/configuration.h"

#include "icd/settings.h"

namespace lanecl::icd {

vectorizer::Config vectorizerConfig() {
  vectorizer::Config config;
  const std::string &isa = settings().isa;
  config.isa = isa == "avx512"  ? vectorizer::Isa::Avx512
               : isa == "avx2"  ? vectorizer::Isa::Avx2
               : isa == "sse42" ? vectorizer::Isa::Sse42
                                : vectorizer::Isa::Host;
  config.dump_directory = settings().dump_dir;
  return config;
}

} // namespace lanecl::icd
