#include "sim/cli/renamed.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"

namespace gridcast::cli {
namespace {

struct OldVerb {
  std::string_view old, now;  // words with blanks between
};

constexpr std::array old_verbs = {OldVerb{"predict", "forecast"},
                                  OldVerb{"run", "forecast --once"},
                                  OldVerb{"replay", "compare"},
                                  OldVerb{"study", "compare"},
                                  OldVerb{"validate", "calibrate --check"},
                                  OldVerb{"import submit", "init"},
                                  OldVerb{"import dag", "init"},
                                  OldVerb{"import dlio", "init"},
                                  OldVerb{"import swf", "init"},
                                  OldVerb{"import wfformat", "init"},
                                  OldVerb{"import columns", "init"},
                                  OldVerb{"import", "init"},
                                  OldVerb{"report", "export html"},
                                  OldVerb{"train", "profile"},
                                  OldVerb{"schema", "help schema"},
                                  OldVerb{"doctor", "help doctor"},
                                  OldVerb{"docs", "help docs"},
                                  OldVerb{"completion", "help completion"}};

struct OldOption {
  std::string_view verb;  // by its new name, or the old one where only that had the option
  std::string_view old, now;
};

constexpr std::array old_options = {OldOption{"forecast", "--jobs", "--workers"},
                                    OldOption{"compare", "--jobs", "--workers"},
                                    OldOption{"calibrate", "--jobs", "--workers"},
                                    OldOption{"forecast", "--of", "--replicas"},
                                    OldOption{"import submit", "--work", "--profile"},
                                    OldOption{"import dag", "--work", "--profile"},
                                    OldOption{"import dag", "--log", "--record"}};

bool starts_with(std::vector<std::string> const& words, std::vector<std::string> const& first) {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

void rename_option(RenamedWords& renamed, OldOption const& option) {
  for (std::string& word : renamed.words) {
    bool const with_value = word.starts_with(std::string(option.old) + "=");
    if (word != option.old && !with_value) continue;
    word = std::string(option.now) + word.substr(option.old.size());
    renamed.notes.push_back(fmt::format("{} is now {}", option.old, option.now));
  }
}

/// `--on A100` names a GPU, which has a digit, and `--on slurm` a batch system.
void name_gpu_option(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    bool const with_value = words[i].starts_with("--on=");
    if (!with_value && (words[i] != "--on" || i + 1 == words.size())) continue;
    std::string const value = with_value ? words[i].substr(5) : words[i + 1];
    if (value.find_first_of("0123456789") != value.npos) words[i].insert(4, "-gpu");
  }
}

}  // namespace

RenamedWords with_new_names(std::vector<std::string> words) {
  RenamedWords renamed{std::move(words), {}};
  if (renamed.words.empty()) return renamed;
  std::string verb = renamed.words.front();
  auto const old = std::ranges::find_if(old_verbs, [&](OldVerb const& each) {
    return starts_with(renamed.words, split(each.old, ' '));
  });
  if (old != old_verbs.end()) {
    verb = old->old;
    auto const now = split(old->now, ' ');
    renamed.words.erase(renamed.words.begin(),
                        renamed.words.begin() + std::ranges::count(verb, ' ') + 1);
    renamed.words.insert(renamed.words.begin(), now.begin(), now.end());
    renamed.notes.push_back(fmt::format("{} is now {}", verb, old->now));
  }
  for (OldOption const& option : old_options) {
    bool const has_it = option.verb == verb || option.verb == renamed.words.front();
    if (has_it) rename_option(renamed, option);
  }
  name_gpu_option(renamed.words);
  return renamed;
}

std::string new_name(std::string const& verb) {
  auto const old = std::ranges::find(old_verbs, verb, &OldVerb::old);
  return old == old_verbs.end() ? "" : std::string(old->now);
}

}  // namespace gridcast::cli
