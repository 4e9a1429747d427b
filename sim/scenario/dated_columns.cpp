#include "sim/scenario/dated_columns.hpp"

namespace gridcast::scenario {
namespace {

/// The four columns of a distribution.
template <Distribution DatedWorld::*member>
struct Columns {
  static Distribution& of(World& w) { return (*w.dated).*member; }
  static void family(World& w, double v) {
    of(w).family = static_cast<Family>(static_cast<int>(v));
  }
  static void shape(World& w, double v) { of(w).shape = v; }
  static void scale(World& w, double v) { of(w).scale = v; }
  static void shift(World& w, double v) { of(w).shift = v; }
};

constexpr WorldColumn dated_world_columns[] = {
    {"url_reference_B", Allowed::positive,
     [](World& w, double v) { w.dated->url_reference = Bytes(v); }},
    {"url_exponent", Allowed::not_negative, [](World& w, double v) { w.dated->url_exponent = v; }},
    {"url_failed_after", Allowed::probability,
     [](World& w, double v) { w.dated->url_failed_after = v; }},
    {"work_s", Allowed::positive, [](World& w, double v) { w.dated->work = Seconds(v); }},
    {"job_sigma", Allowed::not_negative, [](World& w, double v) { w.dated->job_sigma = v; }},
    {"execution_sigma", Allowed::not_negative,
     [](World& w, double v) { w.dated->execution_sigma = v; }},
    {"release", Allowed::probability, [](World& w, double v) { w.dated->release = v; }},
    {"most_holds", Allowed::count,
     [](World& w, double v) { w.dated->most_holds = static_cast<int>(v); }},
    {"suspension_s", Allowed::not_negative,
     [](World& w, double v) { w.dated->suspension = Seconds(v); }},
    {"pilot_replacement_s", Allowed::not_negative,
     [](World& w, double v) { w.dated->pilot_replacement = Seconds(v); }},
    {"match_delay_family", Allowed::family, Columns<&DatedWorld::match_delay>::family},
    {"match_delay_shape", Allowed::positive, Columns<&DatedWorld::match_delay>::shape},
    {"match_delay_scale_s", Allowed::positive, Columns<&DatedWorld::match_delay>::scale},
    {"match_delay_shift_s", Allowed::not_negative, Columns<&DatedWorld::match_delay>::shift},
    {"setup_family", Allowed::family, Columns<&DatedWorld::setup>::family},
    {"setup_shape", Allowed::positive, Columns<&DatedWorld::setup>::shape},
    {"setup_scale_s", Allowed::positive, Columns<&DatedWorld::setup>::scale},
    {"setup_shift_s", Allowed::not_negative, Columns<&DatedWorld::setup>::shift},
    {"teardown_family", Allowed::family, Columns<&DatedWorld::teardown>::family},
    {"teardown_shape", Allowed::positive, Columns<&DatedWorld::teardown>::shape},
    {"teardown_scale_s", Allowed::positive, Columns<&DatedWorld::teardown>::scale},
    {"teardown_shift_s", Allowed::not_negative, Columns<&DatedWorld::teardown>::shift},
    {"checkpoint_family", Allowed::family, Columns<&DatedWorld::checkpoint>::family},
    {"checkpoint_shape", Allowed::positive, Columns<&DatedWorld::checkpoint>::shape},
    {"checkpoint_scale_s", Allowed::positive, Columns<&DatedWorld::checkpoint>::scale},
    {"checkpoint_shift_s", Allowed::not_negative, Columns<&DatedWorld::checkpoint>::shift},
    {"requeue_delay_family", Allowed::family, Columns<&DatedWorld::requeue_delay>::family},
    {"requeue_delay_shape", Allowed::positive, Columns<&DatedWorld::requeue_delay>::shape},
    {"requeue_delay_scale_s", Allowed::positive, Columns<&DatedWorld::requeue_delay>::scale},
    {"requeue_delay_shift_s", Allowed::not_negative, Columns<&DatedWorld::requeue_delay>::shift},
    {"release_delay_family", Allowed::family, Columns<&DatedWorld::release_delay>::family},
    {"release_delay_shape", Allowed::positive, Columns<&DatedWorld::release_delay>::shape},
    {"release_delay_scale_s", Allowed::positive, Columns<&DatedWorld::release_delay>::scale},
    {"release_delay_shift_s", Allowed::not_negative, Columns<&DatedWorld::release_delay>::shift},
    {"reconnect_delay_family", Allowed::family, Columns<&DatedWorld::reconnect_delay>::family},
    {"reconnect_delay_shape", Allowed::positive, Columns<&DatedWorld::reconnect_delay>::shape},
    {"reconnect_delay_scale_s", Allowed::positive, Columns<&DatedWorld::reconnect_delay>::scale},
    {"reconnect_delay_shift_s", Allowed::not_negative,
     Columns<&DatedWorld::reconnect_delay>::shift},
};

constexpr SiteColumn dated_site_columns[] = {
    {"slots", Allowed::count,
     [](SiteNumbers const& s, double v) { s.dated->slots = static_cast<int>(v); }},
    {"url_median_s", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.dated->url_median = Seconds(v); }},
    {"url_sigma", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.dated->url_sigma = v; }},
    {"url_failure", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.dated->url_failure = v; }},
    {"url_hang", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.dated->url_hang = v; }},
    {"speed", Allowed::positive, [](SiteNumbers const& s, double v) { s.dated->speed = v; }},
    {"crash", Allowed::probability, [](SiteNumbers const& s, double v) { s.dated->crash = v; }},
    {"evict_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.dated->evict_per_second = v; }},
    {"disconnect_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.dated->disconnect_per_second = v; }},
    {"reconnect", Allowed::probability,
     [](SiteNumbers const& s, double v) { s.dated->reconnect = v; }},
    {"suspend_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.dated->suspend_per_second = v; }},
    {"pilot_death_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.dated->pilot_death_per_second = v; }},
};

}  // namespace

std::span<WorldColumn const> dated_columns_of_world() { return dated_world_columns; }
std::span<SiteColumn const> dated_columns_of_sites() { return dated_site_columns; }

}  // namespace gridcast::scenario
