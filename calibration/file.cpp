#include "calibration/file.hpp"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace gridcast::calibration {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string number(double x) {
  if (std::isnan(x)) return ".nan";
  if (std::isinf(x)) return x > 0 ? ".inf" : "-.inf";
  return fmt::format("{:.6g}", x);
}

std::string interval(Interval const& range) {
  return fmt::format("[{}, {}]", number(range.low), number(range.high));
}

/// A double-quoted scalar: safe whatever is in it, and on one line.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Names of sites and parameters stay bare where no reader can take them for anything else: letters
/// first, then letters, digits and . _ -, and no word that YAML 1.1 reads as a truth value or null.
std::string name_text(std::string_view name) {
  auto const letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  auto const inner = [&](char c) {
    return letter(c) || ('0' <= c && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  bool bare = name.size() > 5 && letter(name.front());
  for (char const c : name) bare = bare && inner(c);
  return bare ? std::string(name) : quoted(name);
}

/// The key of a block that follows, or of an empty one.
void write_key(Out out, std::string_view key, std::string_view empty) {
  fmt::format_to(out, "{}:{}{}\n", key, empty.empty() ? "" : " ", empty);
}

void write_header(Out out, CalibrationDocument const& document) {
  fmt::format_to(out,
                 "# What job histories say of the grid that they ran on: parameters with their "
                 "uncertainty, tests of\n"
                 "# the models behind them, what the data cannot tell, and joint draws that "
                 "simulations live in.\n"
                 "# Made, byte for byte, by:\n"
                 "#   {}\n"
                 "schema: gridcast.calibration/1\n"
                 "profile: {}\n"
                 "made_by:\n"
                 "  program: {}\n"
                 "  command: {}\n",
                 document.command, name_text(document.profile),
                 quoted("gridcast " + document.version), quoted(document.command));
}

void write_campaign(Out out, CampaignFacts const& facts, std::uint64_t seed) {
  fmt::format_to(out, "options: {{seed: {}}}\n", seed);
  if (!facts.executable.empty()) {
    fmt::format_to(out, "program: {{executable: {}, arguments: {}}}\n", quoted(facts.executable),
                   quoted(facts.arguments));
  }
  fmt::format_to(out, "campaign:\n  jobs: {}\n  attempts: {}\n  epochs: {}\n", facts.jobs,
                 facts.attempts, facts.epochs);
  if (facts.plugin_lifetime > Seconds()) {
    fmt::format_to(out, "  plugin_lifetime: {} s\n", number(facts.plugin_lifetime.value()));
  }
  write_key(out, "  input", facts.input_sizes.empty() ? "[]" : "");
  for (std::size_t i = 0; i < facts.input_sizes.size(); ++i) {
    std::string const url = i < facts.input_urls.size() ? facts.input_urls[i] : "";
    fmt::format_to(out, "    - {{url: {}, size: {:.0f} B}}\n", quoted(url),
                   facts.input_sizes[i].value());
  }
}

void write_sources(Out out, CalibrationDocument const& document) {
  fmt::format_to(out, "inputs:\n");
  for (CalibrationInput const& input : document.inputs) {
    fmt::format_to(out, "  - {{file: {}, sha256: {}, rows: {}}}\n", quoted(input.file),
                   quoted(input.sha256), input.rows);
  }
  fmt::format_to(out, "pool: {{file: {}, sha256: {}}}\n", quoted(document.pool_file),
                 quoted(document.pool_sha256));
  if (document.campaign) {
    write_campaign(out, *document.campaign, document.seed);
    return;
  }
  fmt::format_to(out, "options: {{epochs: {}, input_size: {:.0f} B, seed: {}}}\n", document.epochs,
                 document.input_size.value(), document.seed);
}

void write_tests(Out out, std::vector<ModelTest> const& tests) {
  write_key(out, "tests", tests.empty() ? "[]" : "");
  for (ModelTest const& test : tests) {
    fmt::format_to(out,
                   "  - hypothesis: {}\n"
                   "    statistic: {}\n"
                   "    observed: {}\n"
                   "    expected: {}\n"
                   "    p_value: {}\n"
                   "    verdict: {}\n",
                   quoted(test.hypothesis), quoted(test.statistic), number(test.observed),
                   number(test.expected), number(test.p_value), quoted(test.verdict));
  }
}

void write_not_identified(Out out, std::vector<NotIdentified> const& gaps) {
  write_key(out, "not_identified", gaps.empty() ? "[]" : "");
  for (NotIdentified const& gap : gaps) {
    fmt::format_to(out,
                   "  - what: {}\n"
                   "    why: {}\n"
                   "    taken_from: {}\n",
                   quoted(gap.what), quoted(gap.why), quoted(gap.taken_from));
  }
}

void write_weights(Out out, std::vector<ModelWeight> const& weights) {
  write_key(out, "model_weights", weights.empty() ? "[]" : "");
  for (ModelWeight const& model : weights) {
    fmt::format_to(out, "  - {{name: {}, weight: {}, interval90: {}}}\n", quoted(model.name),
                   number(model.weight), interval(model.interval90));
  }
}

void write_parameters(Out out, std::vector<Estimate> const& estimates) {
  write_key(out, "parameters", estimates.empty() ? "{}" : "");
  for (Estimate const& line : estimates) {
    fmt::format_to(out,
                   "  {}:\n"
                   "    estimate: {}\n"
                   "    se: {}\n"
                   "    interval90: {}\n"
                   "    unit: {}\n"
                   "    events: {}\n"
                   "    censored: {}\n"
                   "    method: {}\n"
                   "    fit: {}\n",
                   name_text(line.name), number(line.estimate), number(line.standard_error),
                   interval(line.interval90), quoted(line.unit), line.events, line.censored,
                   quoted(line.method), quoted(line.fit));
  }
}

void write_draws(Out out, DrawTable const& draws) {
  fmt::format_to(out, "draws:\n  columns:\n");
  for (std::string const& column : draws.columns) {
    fmt::format_to(out, "    - {}\n", name_text(column));
  }
  fmt::format_to(out, "  rows:\n");
  for (std::vector<double> const& row : draws.rows) {
    std::string text;
    for (double const value : row) text += (text.empty() ? "" : ", ") + number(value);
    fmt::format_to(out, "    - [{}]\n", text);
  }
}

}  // namespace

std::string calibration_yaml(CalibrationDocument const& document) {
  std::string text;
  Out const out = std::back_inserter(text);
  write_header(out, document);
  write_sources(out, document);
  write_tests(out, document.fit.tests);
  write_not_identified(out, document.fit.not_identified);
  write_weights(out, document.model_weights);
  write_parameters(out, document.fit.estimates);
  write_draws(out, document.fit.draws);
  return text;
}

}  // namespace gridcast::calibration
