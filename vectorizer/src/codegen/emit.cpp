#include "emit.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// Takes what the code generator reports: errors, and the size and layout of each function's stack frame.
class CodegenReports final : public DiagnosticHandler {
public:
  explicit CodegenReports(Emitted &result) : result(result) {}

  bool isAnalysisRemarkEnabled(StringRef pass) const override { return pass == kStackLayout || pass == kStackSize; }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream out(result.error);
      DiagnosticPrinterRawOStream printer(out);
      out << (result.error.empty() ? "error: " : "\nerror: ");
      info.print(printer);
    } else if (const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info)) {
      if (remark->getPassName() == kStackLayout)
        result.spill_bytes = std::max(result.spill_bytes, spillBytes(*remark));
      else if (remark->getPassName() == kStackSize)
        result.stack_bytes += frameBytes(*remark);
    }
    return true;
  }

private:
  static constexpr StringLiteral kStackLayout = "stack-frame-layout", kStackSize = "prologepilog";
  // What the size of a frame leaves out: the return address, and the gap where the frame has a larger alignment.
  static constexpr uint64_t kBesideFrame = 128;

  // The remark lists the slots: "Type" and then "Size" of each.
  static uint64_t spillBytes(const DiagnosticInfoOptimizationBase &remark) {
    uint64_t total = 0;
    bool spill = false;
    for (const auto &argument : remark.getArgs()) {
      if (argument.Key == "Type")
        spill = argument.Val == "Spill";
      if (argument.Key == "Size" && spill)
        total += number(argument.Val);
    }
    return total;
  }

  static uint64_t frameBytes(const DiagnosticInfoOptimizationBase &remark) {
    for (const auto &argument : remark.getArgs())
      if (argument.Key == "NumStackBytes")
        return number(argument.Val) + kBesideFrame;
    return 0;
  }

  static uint64_t number(StringRef text) {
    uint64_t value = 0;
    return text.getAsInteger(10, value) ? 0 : value;
  }

  Emitted &result;
};

} // namespace

Emitted emit(Module &module, TargetMachine &target, CodeGenFileType type) {
  Emitted result;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CodegenReports>(result));
  raw_svector_ostream out(result.bytes);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true))
    result.error = "error: the target cannot emit this kind of file";
  else
    passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  return result;
}

} // namespace lanecl::vectorizer
