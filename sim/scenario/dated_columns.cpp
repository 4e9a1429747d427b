#include "sim/scenario/dated_columns.hpp"

namespace gridcast::scenario {
namespace {

/// The four columns of a distribution.
template <Distribution EventLogParameters::*member>
struct Columns {
  static Distribution& of(ParameterDraw& w) { return (*w.event_log).*member; }
  static void family(ParameterDraw& w, double v) {
    of(w).family = static_cast<Family>(static_cast<int>(v));
  }
  static void shape(ParameterDraw& w, double v) { of(w).shape = v; }
  static void scale(ParameterDraw& w, double v) { of(w).scale = v; }
  static void shift(ParameterDraw& w, double v) { of(w).shift = v; }
};

constexpr DrawColumn event_log_draw_columns[] = {
    {"url_reference_B", Allowed::positive,
     [](ParameterDraw& w, double v) { w.event_log->url_reference = Bytes(v); }},
    {"url_exponent", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.event_log->url_exponent = v; }},
    {"url_failed_after", Allowed::probability,
     [](ParameterDraw& w, double v) { w.event_log->url_failed_after = v; }},
    {"work_s", Allowed::positive,
     [](ParameterDraw& w, double v) { w.event_log->work = Seconds(v); }},
    {"job_sigma", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.event_log->job_sigma = v; }},
    {"execution_sigma", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.event_log->execution_sigma = v; }},
    {"release", Allowed::probability, [](ParameterDraw& w, double v) { w.event_log->release = v; }},
    {"most_holds", Allowed::count,
     [](ParameterDraw& w, double v) { w.event_log->most_holds = static_cast<int>(v); }},
    {"suspension_s", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.event_log->suspension = Seconds(v); }},
    {"pilot_replacement_s", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.event_log->pilot_replacement = Seconds(v); }},
    {"match_delay_family", Allowed::family, Columns<&EventLogParameters::match_delay>::family},
    {"match_delay_shape", Allowed::positive, Columns<&EventLogParameters::match_delay>::shape},
    {"match_delay_scale_s", Allowed::positive, Columns<&EventLogParameters::match_delay>::scale},
    {"match_delay_shift_s", Allowed::not_negative,
     Columns<&EventLogParameters::match_delay>::shift},
    {"setup_family", Allowed::family, Columns<&EventLogParameters::setup>::family},
    {"setup_shape", Allowed::positive, Columns<&EventLogParameters::setup>::shape},
    {"setup_scale_s", Allowed::positive, Columns<&EventLogParameters::setup>::scale},
    {"setup_shift_s", Allowed::not_negative, Columns<&EventLogParameters::setup>::shift},
    {"teardown_family", Allowed::family, Columns<&EventLogParameters::teardown>::family},
    {"teardown_shape", Allowed::positive, Columns<&EventLogParameters::teardown>::shape},
    {"teardown_scale_s", Allowed::positive, Columns<&EventLogParameters::teardown>::scale},
    {"teardown_shift_s", Allowed::not_negative, Columns<&EventLogParameters::teardown>::shift},
    {"checkpoint_family", Allowed::family, Columns<&EventLogParameters::checkpoint>::family},
    {"checkpoint_shape", Allowed::positive, Columns<&EventLogParameters::checkpoint>::shape},
    {"checkpoint_scale_s", Allowed::positive, Columns<&EventLogParameters::checkpoint>::scale},
    {"checkpoint_shift_s", Allowed::not_negative, Columns<&EventLogParameters::checkpoint>::shift},
    {"requeue_delay_family", Allowed::family, Columns<&EventLogParameters::requeue_delay>::family},
    {"requeue_delay_shape", Allowed::positive, Columns<&EventLogParameters::requeue_delay>::shape},
    {"requeue_delay_scale_s", Allowed::positive,
     Columns<&EventLogParameters::requeue_delay>::scale},
    {"requeue_delay_shift_s", Allowed::not_negative,
     Columns<&EventLogParameters::requeue_delay>::shift},
    {"release_delay_family", Allowed::family, Columns<&EventLogParameters::release_delay>::family},
    {"release_delay_shape", Allowed::positive, Columns<&EventLogParameters::release_delay>::shape},
    {"release_delay_scale_s", Allowed::positive,
     Columns<&EventLogParameters::release_delay>::scale},
    {"release_delay_shift_s", Allowed::not_negative,
     Columns<&EventLogParameters::release_delay>::shift},
    {"reconnect_delay_family", Allowed::family,
     Columns<&EventLogParameters::reconnect_delay>::family},
    {"reconnect_delay_shape", Allowed::positive,
     Columns<&EventLogParameters::reconnect_delay>::shape},
    {"reconnect_delay_scale_s", Allowed::positive,
     Columns<&EventLogParameters::reconnect_delay>::scale},
    {"reconnect_delay_shift_s", Allowed::not_negative,
     Columns<&EventLogParameters::reconnect_delay>::shift},
};

constexpr SiteColumn event_log_site_columns[] = {
    {"slots", Allowed::count,
     [](SiteNumbers const& s, double v) { s.of_event_log->slots = static_cast<int>(v); }},
    {"url_median_s", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.of_event_log->url_median = Seconds(v); }},
    {"url_sigma", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_event_log->url_sigma = v; }},
    {"url_failure", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.of_event_log->url_failure = v; }},
    {"url_hang", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.of_event_log->url_hang = v; }},
    {"speed", Allowed::positive, [](SiteNumbers const& s, double v) { s.of_event_log->speed = v; }},
    {"crash", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.of_event_log->crash = v; }},
    {"evict_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_event_log->evict_per_second = v; }},
    {"disconnect_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_event_log->disconnect_per_second = v; }},
    {"reconnect", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.of_event_log->reconnect = v; }},
    {"suspend_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_event_log->suspend_per_second = v; }},
    {"pilot_death_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_event_log->pilot_death_per_second = v; }},
};

}  // namespace

std::span<DrawColumn const> event_log_columns_of_draw() { return event_log_draw_columns; }
std::span<SiteColumn const> event_log_columns_of_sites() { return event_log_site_columns; }

}  // namespace gridcast::scenario
