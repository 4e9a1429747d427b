// Any bytes as a submit file, which may include itself and queue from itself: jobs and notes, or an
// InputError; what was imported is a scenario's text.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/import/calibrated_program.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/scenario/scenario.hpp"

namespace {

class OneFile final : public gridcast::condor::SubmitFolder {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  std::string read(std::filesystem::path const& file) const override {
    if (file.filename() == "job.sub" || file.filename() == "x") return text_;
    throw gridcast::InputError(gridcast::Problem{{file.string()}, "no such file", "", ""});
  }
  std::vector<std::string> matching(std::filesystem::path const&, std::string const& pattern,
                                    Kind) const override {
    return {pattern, "a"};
  }

 private:
  std::string text_;
};

bool has_long_number(std::string const& text) {
  std::size_t digits = 0;
  for (char const c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 2) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast;
  std::string text(reinterpret_cast<char const*>(data), size);
  // A million jobs are allowed, and take their time: a hundred are enough here.
  if (size > 4096 || has_long_number(text)) return 0;
  try {
    condor::SubmitFile const file =
        condor::read_submit_file("job.sub", import::deciding_submit_commands(), OneFile(text));
    import::SubmitImport import = import::import_submit(file, {});
    import::CalibratedProgram program;
    program.from_event_log = size % 2 == 0;
    import::fit_to_calibration(import, program, "job.sub");
    import::set_work(import, program, {}, "job.sub");
    scenario::scenario_yaml(
        {{import.title}, import.title, "p", "c", import.campaign, import.strategy});
  } catch (InputError const&) {
  }
  return 0;
}
