// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clang_module/kernel_attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace lanecl::frontend {
namespace {

// Returns text such as "8, 16 and 32".
std::string listOf(const std::vector<unsigned> &sizes) {
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i != 0)
      text += i + 1 == sizes.size() ? " and " : ", ";
    text += std::to_string(sizes[i]);
  }
  return text;
}

// Reads each kernel when its declaration has been parsed.
class Reader final : public clang::ASTConsumer {
public:
  Reader(clang::CompilerInstance &compiler, const std::vector<unsigned> &sizes, AttributeTexts &texts)
      : compiler(compiler), sizes(sizes), texts(texts) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        if (function->hasAttr<clang::DeviceKernelAttr>())
          readKernel(*function);
    return true;
  }

private:
  // Records the texts of the attributes that the source gives the kernel, `kernel` itself aside.
  void readKernel(const clang::FunctionDecl &kernel) {
    checkSubGroupSize(kernel);
    std::string text;
    for (const clang::Attr *attribute : kernel.attrs()) {
      if (attribute->isImplicit() || llvm::isa<clang::DeviceKernelAttr>(attribute))
        continue;
      if (!text.empty())
        text += ' ';
      text += spell(*attribute);
    }
    texts[kernel.getNameAsString()] = std::move(text);
  }

  // Reports a required sub-group size that the device does not have. Attributes of earlier declarations have been
  // reported.
  void checkSubGroupSize(const clang::FunctionDecl &kernel) {
    const auto *attribute = kernel.getAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>();
    if (!attribute || attribute->isInherited())
      return;
    const unsigned size = attribute->getSubGroupSize();
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end())
      return;
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                    "kernel %0 requires a sub-group size of %1, which the device does "
                                                    "not support; supported sizes are %2");
    diagnostics.Report(attribute->getLocation(), id) << &kernel << size << listOf(sizes);
  }

  // Returns the attribute as written inside __attribute__((…)), or, if it comes out of a macro, as Clang prints it.
  std::string spell(const clang::Attr &attribute) const {
    const clang::SourceRange range = attribute.getRange();
    if (range.isValid() && !range.getBegin().isMacroID() && !range.getEnd().isMacroID()) {
      const llvm::StringRef source = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                                                 compiler.getSourceManager(), compiler.getLangOpts());
      if (!source.empty())
        return withoutLineBreaks(source);
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    attribute.printPretty(stream, compiler.getASTContext().getPrintingPolicy());
    llvm::StringRef printed = llvm::StringRef(text).trim();
    if (printed.consume_front("__attribute__(("))
      printed.consume_back("))");
    return withoutLineBreaks(printed);
  }

  // Returns the attribute's text on one line: line breaks and the backslashes in front of them are dropped.
  static std::string withoutLineBreaks(llvm::StringRef source) {
    std::string text;
    for (char c : source.trim())
      if (c != '\n' && c != '\r' && c != '\\')
        text += c;
    return text;
  }

  clang::CompilerInstance &compiler;
  const std::vector<unsigned> &sizes;
  AttributeTexts &texts;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> makeKernelAttributeReader(clang::CompilerInstance &compiler,
                                                              const std::vector<unsigned> &sub_group_sizes,
                                                              AttributeTexts &texts) {
  return std::make_unique<Reader>(compiler, sub_group_sizes, texts);
}

} // namespace lanecl::frontend
