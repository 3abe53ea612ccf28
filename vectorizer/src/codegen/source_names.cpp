// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/source_names.h"

#include "analysis/functions/kept_functions.h"

using namespace llvm;
using namespace llvm::orc;

namespace lanecl::vectorizer {

namespace {

class SourceNamesPlugin final : public ObjectLinkingLayer::Plugin {
public:
  void modifyPassConfig(MaterializationResponsibility &object, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &passes) override {
    // In this phase everything is linked, and names are no longer looked up.
    passes.PostFixupPasses.push_back([&session = object.getExecutionSession()](jitlink::LinkGraph &graph) {
      for (jitlink::Symbol *symbol : graph.defined_symbols())
        if (symbol->hasName() && isLanesName(*symbol->getName()))
          symbol->setName(session.intern(nameInSource(*symbol->getName())));
      return Error::success();
    });
  }

  Error notifyFailed(MaterializationResponsibility &) override { return Error::success(); }
  Error notifyRemovingResources(JITDylib &, ResourceKey) override { return Error::success(); }
  void notifyTransferringResources(JITDylib &, ResourceKey, ResourceKey) override {}
};

} // namespace

std::shared_ptr<ObjectLinkingLayer::Plugin> createSourceNamesPlugin() {
  return std::make_shared<SourceNamesPlugin>();
}

} // namespace lanecl::vectorizer
