#include "sim/base/files.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/values.hpp"
#include "tests/scenario/changed_strategies.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

/// The table's values from a text; problems are failures.
template <class Entries>
Entries read(Table<Entries> const& table, std::string const& text) {
  YamlDocument document("file.yaml", text);
  Entries entries;
  table.read({document, document.root(), ""}, entries);
  for (Problem const& problem : document.problems()) FAIL_CHECK(problem.to_text());
  return entries;
}

/// Everything that a table can write of a file, defaults and all, is read back and written equal.
template <class Entries>
std::string check_round_trip(Table<Entries> const& table, std::string const& text) {
  YamlLayout layout;
  // An empty text, or a delay of none, holds without its key only.
  layout.kept = [](std::string_view path) {
    return !path.starts_with("strategies.two") && path != "sites.machine" && path != "sites.like" &&
           path != "platform" && !path.ends_with("dags.in") && !path.ends_with("submit.request");
  };
  layout.shape = [](std::string_view path) {
    return path.ends_with("[]") ? YamlShape::line : YamlShape::lines;
  };
  std::string const once = table.text(read(table, text), layout);
  CHECK(table.text(read(table, once), layout) == once);
  return once;
}

/// Every key of a section that can be written at all is in the text.
void check_keys(Section const& section, std::string const& text) {
  for (Key const& key : section.keys) {
    if (key.for_people || key.name == "lesson" || key.name == "machine" || key.name == "like" ||
        key.name == "platform") {
      continue;
    }
    CAPTURE(key.name);
    CHECK_THAT(text, test::has_text(key.name + ":"));
    if (key.section) check_keys(*key.section, text);
  }
}

constexpr char every_key[] = R"(schema: gridcast.scenario/1
title: 'it''s "all"'
question: q
pool: p.yaml
calibration: c.yaml
campaign:
  submit: [{at: 90 min, jobs: 3, scale: 0.5, crash_odds: 0.5..2, user: me, priority_factor: 10, name: last,
            after: [first], delay: 2 min, retries: 3, unless_exit: 2, category: big, dag: outer},
           {at: 0 s, jobs: 1, user: me, priority_factor: 10, name: first, category: big, slots: 2, dag: inner, request: small,
            abort_on: 1, abort_return: 3, ready_after: 5 min,
            final: true}]
  request: {gpus: 2, disk: 1.5 GB, gpu_memory: 8 GiB, gpu_capability: 7.5, gpu: A100, site: S, nodes: 2,
            memory: 3 GB, concurrency_limits: 'license:2'}
  requests: {small: {gpu: A100, site: S, concurrency_limits: license, requirements: 'GLIDEIN_Site == "A"'}}
  input: [{url: 'osdf:///a?b=c', size: 123457 B, job: 3}]
  work: {profile: x, from: record, epochs: 3, scale: 0.1, crash_odds: 0.5..4, batch: 8, storage: s,
         memory: [1 GB, 2 GB], disk: [3 GB], exit_codes: [3, -9], programs: [a.sh]}
  max_idle: 4
  max_materialize: 5
  max_nodes: 6
  categories: [{name: big, max_jobs: 7}]
  dags: [{name: outer, category: big}, {name: inner, in: outer, category: big, max_nodes: 2,
         retries: 1, unless_exit: 5, abort_on: 6, abort_return: 7}]
  joins: [{name: early, of: [first]}]
strategies:
  one: EVERY KEY
  two: {}
baseline: two
record_strategy: two
study: {replicas: 7, seed: 18446744073709551615, goal: 'deadline:3 d', wanted: 0.5, margin: 0.1, without: crashes}
prices: {currency: USD, gpu_hour: 1, gpu_hours: {V100: 2, A100-80GB: 3}, terabyte: 4, person_hour: 5}
)";

/// All keys of a section, each with a value that is not its default.
std::string every_key_of(Section const& section) {
  std::string text;
  for (Key const& key : section.keys) {
    std::string const value = key.section ? every_key_of(*key.section) : test::other_value(key);
    text += (text.empty() ? "{" : ", ") + key.name + ": " + value;
  }
  return text + "}";
}

std::string every_key_of_strategies() {
  std::string text = every_key;
  std::string const mark = "EVERY KEY";
  return text.replace(text.find(mark), mark.size(), every_key_of(strategy_table().section()));
}

/// 1 is allowed for each of them.
std::string every_parameter() {
  std::string text = "parameters:\n";
  for (DrawColumn const& column : draw_columns()) text += "  " + column.name + ": 1\n";
  text += "  sites:\n    one:\n";
  for (SiteColumn const& column : site_columns()) text += "      " + column.name + ": 1\n";
  return text;
}

constexpr char every_key_of_hardware[] = R"(hardware:
  gpus: {G: {memory: 40 GB, images_per_s: 500, variation: 0.1, sources: {memory: measured}}}
  storage:
    S: {bandwidth: 9 GB/s, node_bandwidth: 2 GB/s, stream_bandwidth: 1 GB/s, write_bandwidth: 1 GB/s,
        read_latency: 2 ms, open_latency: 3 ms, stripe_size: 1 MB, stripes: 2, node_local: true,
        capacity: 2 TB, sources: {'stripe_size, stripes': measured}}
  machines:
    M: {nodes: 2, gpus_per_node: 4, gpu: G, memory: 512 GB, cores: 8, cache_share: 0.5,
        intra_latency: 2 us, inter_latency: 3 us, intra_bandwidth: 9 GB/s, inter_bandwidth: 2 GB/s,
        sources: {nodes: measured}}
)";

/// The pool's file, with each key of `software`.
std::string with_every_text(std::string text) {
  for (std::size_t at = text.find("  - name: "); at != std::string::npos;
       at = text.find("  - name: ", at + 1)) {
    text.insert(text.find('\n', at), "\n    resource: a part");
  }
  std::string const negotiator = "\nnegotiator: {interval: 60 s";
  text.insert(text.find(negotiator) + negotiator.size(),
              ", concurrency_limits: [{name: license, limit: 20}]");
  constexpr std::string_view slots = "transfer_slots:";
  if (text.find("max_transfer_input:") == std::string::npos)
    text.insert(text.find(slots), "max_transfer_input: 5 GB\n  ");
  auto const own = text.find("\nsoftware:");
  return text.substr(0, own) + "\nsoftware: {htcondor: 23.9.6, pelican: 7.10}\n" +
         (own == std::string::npos ? "" : text.substr(text.find('\n', own + 1)));
}

}  // namespace

TEST_CASE("every key of a scenario is written as it is read") {
  std::string const text = check_round_trip(
      scenario_table(), every_key_of_strategies() + every_parameter() + every_key_of_hardware);
  check_keys(scenario_table().section(), text);
  CHECK_THAT(text, test::has_text("seed: 18446744073709551615") &&
                       test::has_text("avoid_site:\n        after_stalls: 7\n"));
}

TEST_CASE("every key of a pool is written as it is read") {
  for (char const* pool : {"ospool-2024", "ospool-2024-training", "ospool-2026"}) {
    std::string const file = std::string("scenarios/pools/") + pool + ".yaml";
    std::string const text =
        check_round_trip(pool_table(), with_every_text(read_text_file(test::source_dir() / file)));
    check_keys(pool_table().section(), text);
  }
}

TEST_CASE("defaults are left out, and groups of them") {
  Pool const usual;
  PoolEntries pool;
  pool.entries.emplace_back().name = "A";
  pool.entries.front().slots = 2;
  pool.pilots.walltime = hours(3);
  YamlLayout layout;
  CHECK(pool_table().text(pool, layout) ==
        "schema: gridcast.pool/1\n"
        "sites: [{name: \"A\", slots: 2}]\n"
        "pilots: {walltime: 3 h}\n");
  layout.shape = [](std::string_view) { return YamlShape::lines; };
  layout.text = plain_name;
  layout.above = {{"sites[0]", {"a site"}}, {"pilots", {"", "pilots"}}};
  layout.as = {{"pilots.walltime", "180 min"}};
  CHECK(pool_table().text(pool, layout) ==
        "schema: gridcast.pool/1\n"
        "sites:\n"
        "  # a site\n"
        "  - name: A\n"
        "    slots: 2\n"
        "\n"
        "# pilots\n"
        "pilots:\n"
        "  walltime: 180 min\n");
}

TEST_CASE("quantities are written exactly, and read back as they were") {
  for (double const value : {0., 1., 60., 90., 7200., 86400., 0.1, 123456.789}) {
    CAPTURE(value);
    CHECK(parse_seconds(time_in_hours(Seconds(value))) == Seconds(value));
    CHECK(parse_seconds(time_in_largest(Seconds(value))) == Seconds(value));
    CHECK(parse_bytes(exact_size(Bytes(value * 1024))) == Bytes(value * 1024));
    CHECK(parse_rate(exact_rate(BytesPerSecond(value * 1e6))) == BytesPerSecond(value * 1e6));
  }
  CHECK(time_in_largest(minutes(5)) == "5 min");
  CHECK(time_in_hours(minutes(60)) == "3600 s");
  CHECK(exact_size(Bytes(137e9)) == "137 GB");
  CHECK(exact_rate(BytesPerSecond(1.25e9)) == "10 Gbps");
}

TEST_CASE("names are plain where nothing else can be read in them") {
  CHECK(plain_name("SITE-0001.a/b_c") == "SITE-0001.a/b_c");
  CHECK(plain_name("1st") == "\"1st\"");
  CHECK(plain_name("a: b") == "\"a: b\"");
  CHECK(quoted_text("a\n\"\\\xff") == "\"a \\\"\\\\?\"");
  CHECK(yaml_comment("") == "#");
}

}  // namespace gridcast::scenario
