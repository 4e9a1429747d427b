#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/report/text/reason_words.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::report {
namespace {

// Numbers of the definitions below.
enum Line {
  define_container_type,
  define_state_type,
  define_variable_type,
  define_entity_value,
  create_container,
  destroy_container,
  push_state,
  pop_state,
  set_variable,
};

/// What a line of each number is called, and which fields it has.
std::string header() {
  static constexpr std::string_view time = "Time date", type = "Type string";
  static constexpr std::string_view alias = "Alias string", name = "Name string";
  static constexpr std::string_view container = "Container string", colour = "Color color";
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> const lines = {
      {"DefineContainerType", {alias, type, name}},
      {"DefineStateType", {alias, type, name}},
      {"DefineVariableType", {alias, type, name, colour}},
      {"DefineEntityValue", {alias, type, name, colour}},
      {"CreateContainer", {time, alias, type, container, name}},
      {"DestroyContainer", {time, type, name}},
      {"PushState", {time, type, container, "Value string", "Job string", "Reason string"}},
      {"PopState", {time, type, container}},
      {"SetVariable", {time, type, container, "Value double"}}};
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("%EventDef Paje{} {}\n", lines[i].first, i);
    for (auto const field : lines[i].second) text += fmt::format("%       {}\n", field);
    text += "%EndEventDef\n";
  }
  return text;
}

// In the order of Phase; those of the queue are not states of a slot. After Okabe and Ito, colours
// that everybody can tell apart.
constexpr std::string_view colours[history::phase_count] = {"",
                                                            "0.7 0.7 0.7",
                                                            "0.34 0.71 0.91",
                                                            "0.84 0.37 0.0",
                                                            "0.0 0.62 0.45",
                                                            "0.94 0.89 0.26",
                                                            "0.0 0.45 0.70",
                                                            "0.9 0.62 0.0",
                                                            "0.8 0.47 0.65",
                                                            "",
                                                            ""};

/// In quotes, without what would end them or the line.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    result += c == '"' ? '\'' : static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

class PajeWriter {
 public:
  PajeWriter(history::JobHistory const& history, TraceContext const& context, std::ostream& out)
      : history_(history), context_(context), layout_(trace_layout(history)), out_(out) {
    end_ = layout_.end;
    for (history::CacheSample const& sample : context.cache_samples)
      end_ = std::max(end_, sample.at);
  }

  void write() {
    out_ << header() << "# " << in_quotes(context_.title) << "\n";
    write_types();
    write_containers();
    write_timed();
    write_ends();
  }

 private:
  template <class... Fields>
  static std::string text(Line kind, Fields const&... fields) {
    std::string line = std::to_string(kind);
    ((line += fmt::format(" {}", fields)), ...);
    return line + '\n';
  }
  template <class... Fields>
  void line(Line kind, Fields const&... fields) {
    out_ << text(kind, fields...);
  }

  static std::string time(Seconds at) { return fmt::format("{:.6f}", at.value()); }
  bool has_caches() const { return !context_.cache_samples.empty(); }

  void write_types() {
    line(define_container_type, "GRID", 0, "Grid");
    line(define_container_type, "SITE", "GRID", "Site");
    line(define_container_type, "SLOT", "SITE", "Slot");
    if (has_caches()) line(define_container_type, "CACHE", "GRID", "Cache");
    line(define_state_type, "PHASE", "SLOT", "Phase");
    variable("WAITING", "GRID", "waiting jobs");
    variable("HELD", "GRID", "held jobs");
    variable("ALLIN", "GRID", "input transfers");
    variable("SITEIN", "SITE", "input transfers");
    variable("SITEOUT", "SITE", "output transfers");
    if (has_caches()) variable("FILL", "CACHE", "used bytes");
    for (history::Phase const phase : history::all_phases()) {
      if (!has_slot(phase)) continue;
      line(define_entity_value, name(phase), "PHASE", in_quotes(name(phase)),
           in_quotes(colours[static_cast<std::size_t>(phase)]));
    }
  }

  void variable(char const* alias, char const* type, char const* name) {
    line(define_variable_type, alias, type, in_quotes(name), "\"0.0 0.45 0.70\"");
  }

  std::string site_alias(Id<history::Site> site) const {
    return fmt::format("site{}", site.valid() ? site.index() : history_.sites.size());
  }
  static std::string lane_alias(std::size_t lane) { return fmt::format("slot{}", lane); }
  static std::string cache_alias(std::size_t cache) { return fmt::format("cache{}", cache); }

  std::vector<Id<history::Site>> sites() const {
    std::vector<Id<history::Site>> all;
    for (std::size_t i = 0; i < history_.sites.size(); ++i) all.emplace_back(i);
    if (layout_.has_unknown_site) all.emplace_back();
    return all;
  }

  void write_containers() {
    std::string const start = time(Seconds());
    line(create_container, start, "grid", "GRID", 0, in_quotes("grid"));
    for (Id<history::Site> const site : sites()) {
      line(create_container, start, site_alias(site), "SITE", "grid",
           in_quotes(site_name(history_, site)));
    }
    for (std::size_t i = 0; i < layout_.lanes.size(); ++i) {
      line(create_container, start, lane_alias(i), "SLOT", site_alias(layout_.lanes[i].site),
           in_quotes(layout_.lanes[i].name));
    }
    for (std::size_t i = 0; has_caches() && i < context_.caches.size(); ++i) {
      line(create_container, start, cache_alias(i), "CACHE", "grid", in_quotes(context_.caches[i]));
    }
  }

  // At one time states end before others begin.
  struct Timed {
    Seconds at;
    int order = 0;
    std::string text;
  };

  void add_states() {
    for (std::size_t i = 0; i < layout_.spans.size(); ++i) {
      if (layout_.lane[i] == TraceLayout::in_queue) continue;
      history::PhaseSpan const& span = layout_.spans[i];
      std::string const lane = lane_alias(layout_.lane[i]);
      timed_.push_back({span.begin, 1,
                        text(push_state, time(span.begin), "PHASE", lane, name(span.phase),
                             in_quotes(name_of_job(history_, span.job)),
                             in_quotes(cause_in_words(span, history_.batch_system)))});
      timed_.push_back({span.end, 0, text(pop_state, time(span.end), "PHASE", lane)});
    }
  }

  void add_value(Seconds at, char const* type, std::string const& container, double value) {
    timed_.push_back({at, 2, text(set_variable, time(at), type, container, value)});
  }

  void add_counts(char const* type, std::vector<history::Phase> const& phases, bool of_all) {
    for (CountStep const& step : counts_of(layout_, phases, of_all)) {
      add_value(step.at, type, of_all ? "grid" : site_alias(step.site), step.count);
    }
  }

  void write_timed() {
    add_states();
    add_counts("WAITING", {history::Phase::waiting, history::Phase::cool_down}, true);
    add_counts("HELD", {history::Phase::held}, true);
    add_counts("ALLIN", {history::Phase::transfer, history::Phase::stalled}, true);
    add_counts("SITEIN", {history::Phase::transfer, history::Phase::stalled}, false);
    add_counts("SITEOUT", {history::Phase::output, history::Phase::checkpoint}, false);
    for (history::CacheSample const& sample : context_.cache_samples) {
      add_value(sample.at, "FILL", cache_alias(sample.cache), sample.used.value());
    }
    std::stable_sort(timed_.begin(), timed_.end(), [](Timed const& a, Timed const& b) {
      return a.at != b.at ? a.at < b.at : a.order < b.order;
    });
    for (Timed const& timed : timed_) out_ << timed.text;
  }

  void write_ends() {
    std::string const end = time(end_);
    for (std::size_t i = 0; has_caches() && i < context_.caches.size(); ++i) {
      line(destroy_container, end, "CACHE", cache_alias(i));
    }
    for (std::size_t i = 0; i < layout_.lanes.size(); ++i) {
      line(destroy_container, end, "SLOT", lane_alias(i));
    }
    for (Id<history::Site> const site : sites())
      line(destroy_container, end, "SITE", site_alias(site));
    line(destroy_container, end, "GRID", "grid");
  }

  history::JobHistory const& history_;
  TraceContext const& context_;
  TraceLayout layout_;
  std::ostream& out_;
  Seconds end_;
  std::vector<Timed> timed_;
};

}  // namespace

void write_paje_trace(history::JobHistory const& history, TraceContext const& context,
                      std::ostream& out) {
  PajeWriter(history, context, out).write();
}

}  // namespace gridcast::report
