#include "calibration/fits/transfer_fit.hpp"

#include <cmath>

#include "tests/calibration/log_records.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Jobs that fetched these URLs each, in this order, in their first attempt; URL n has n + 1 GB.
history::JobHistory fetched(std::vector<std::vector<std::uint32_t>> const& jobs) {
  history::JobHistory history;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    history.jobs.push_back({1, static_cast<std::uint32_t>(job)});
    for (std::uint32_t const url : jobs[job]) {
      history::UrlTransfer transfer;
      transfer.job = Id<history::Job>(job);
      transfer.attempt = 1;
      transfer.url = url;
      transfer.succeeded = true;
      transfer.size = Bytes(1e9 * (url + 1));
      history.transfers.push_back(transfer);
    }
  }
  return history;
}

/// Attempts at site A whose transfers took so long and then ended like this.
class Transfers {
 public:
  AttemptRecord& arrived(double seconds) {
    AttemptRecord& attempt = add(seconds + 100);
    attempt.executing = attempt.start + Seconds(seconds);
    attempt.end_kind = history::EventKind::terminated;
    return attempt;
  }
  AttemptRecord& ended(double seconds, history::EventKind kind, history::Reason reason) {
    AttemptRecord& attempt = add(seconds);
    attempt.end_kind = kind;
    attempt.reason = reason;
    return attempt;
  }
  AttemptRecord& hung(double seconds) {
    return ended(seconds, history::EventKind::held, history::Reason::transfer_timeout);
  }
  AttemptRecord& failed(double seconds) {
    return ended(seconds, history::EventKind::held, history::Reason::transfer_failed);
  }
  AttemptRecord& stalled(double seconds) {
    return ended(seconds, history::EventKind::shadow_exception, history::Reason::transfer_stalled);
  }
  AttemptRecord& cut(double seconds) {
    return ended(seconds, history::EventKind::evicted, history::Reason::vacated);
  }

  UrlCounts counts(std::vector<Bytes> const& sizes) const {
    return url_counts(history(), records_, {{sizes, false}, {}});
  }
  std::optional<RuleInForce> rule() const {
    return stall_rule(make_transfer_records(history(), records_, {Bytes(1e9)}, {}));
  }

 private:
  AttemptRecord& add(double seconds) {
    std::size_t const job = records_.attempts.size();
    records_.attempts.push_back(attempt_at(job, 0, 1000, 1000 + seconds));
    records_.attempts.back().input_started = Seconds(1000);
    return records_.attempts.back();
  }
  history::JobHistory history() const {
    history::JobHistory history = two_sites();
    for (std::uint32_t job = 0; job < records_.attempts.size(); ++job) {
      history.jobs.push_back({1, job});
    }
    return history;
  }

  AttemptRecords records_;
};

/// P(hung | not arrived yet), where so many did not hang that would have arrived with this
/// probability.
double hung_rather_than_late(double events, double tried, double later) {
  double const prior = (events + 0.5) / (tried + 1);
  return prior / (prior + (1 - prior) * later);
}

std::vector<Bytes> const both = {Bytes(2e9), Bytes(1e9)};

}  // namespace

TEST_CASE("The input of a job is the usual number of URLs, in the order of their transfers") {
  // A job whose ads of two attempts are counted to one fetched no more URLs than the others.
  CHECK(urls_of(fetched({{1, 0}, {1, 0, 1, 0}, {1, 0}})).sizes == both);
  // One job that fetches three is not the usual one, nor is one that got only the first.
  CHECK(urls_of(fetched({{1, 0}, {1, 0, 2}, {1, 0}, {1}})).sizes == both);
  // Where two numbers are as usual, the larger.
  CHECK(urls_of(fetched({{1}, {1, 0}})).sizes == both);
}

TEST_CASE("Without transfers one URL is assumed, of unknown size") {
  auto const input = urls_of(fetched({{}, {}}));
  CHECK(input.assumed);
  CHECK(input.sizes == std::vector<Bytes>{Bytes()});
}

TEST_CASE("An attempt that failed or hung at one of its URLs tried half of them and one") {
  Transfers three;
  three.arrived(10);
  three.failed(5);
  three.hung(900);
  three.stalled(21);
  UrlCounts const counts = three.counts({Bytes(1e9), Bytes(1e9), Bytes(1e9)});
  CHECK(counts.failed.events == 1);
  CHECK(counts.hung.events == 1);
  CHECK(counts.failed.exposure == Approx(3 + 3 * 2));
  CHECK(counts.hung.exposure == counts.failed.exposure);
}

TEST_CASE("A transfer that was cut counts as hung as far as none that arrives would take as long") {
  auto const with_cut = [](double seconds, auto const&... others) {
    Transfers all;
    all.arrived(2);
    all.arrived(8);
    (others(all), ...);
    all.cut(seconds);
    return all.counts({Bytes()});
  };
  // Half of those that arrive take longer than their median, 4 s.
  UrlCounts const usual = with_cut(4);
  double const hung = hung_rather_than_late(0, 3, 0.5);
  CHECK(usual.hung.events == Approx(hung));
  CHECK(usual.failed.events == 0);
  CHECK(usual.hung.exposure ==
        Approx(2 + hung));  // of one that would have arrived nothing is known
  auto const another = [](Transfers& all) { all.hung(900); };
  CHECK(with_cut(4, another).hung.events == Approx(1 + hung_rather_than_late(1, 4, 0.5)));
  CHECK(with_cut(4e6).hung.events == Approx(1).margin(1e-6));
  CHECK(with_cut(0.5).hung.events == Approx(hung_rather_than_late(0, 3, 1)).margin(0.002));
}

// Eight of eleven tries stalled, none hung: half an event against eight.
TEST_CASE("If the stall timer ended others, a transfer that was cut hardly counts as hung") {
  Transfers all;
  all.arrived(2);
  all.arrived(8);
  for (int i = 0; i < 8; ++i) all.stalled(21);
  all.cut(4e6);
  CHECK(all.counts({Bytes()}).hung.events == Approx(0.5 / 8.5));
}

TEST_CASE("If all transfers took the same time, later ones may differ by a fifth") {
  Transfers all;
  for (int i = 0; i < 3; ++i) all.arrived(10);
  all.cut(10 * std::exp(0.2));
  constexpr double beyond_one_sd = 0.158655;  // of a normal distribution
  CHECK(all.counts({Bytes()}).hung.events == Approx(hung_rather_than_late(0, 4, beyond_one_sd)));
}

TEST_CASE("If nothing arrived, a transfer that was cut is no evidence") {
  Transfers all;
  all.cut(50);
  CHECK(all.counts({Bytes()}).hung.events == 0);
  CHECK(all.counts({Bytes()}).hung.exposure == 0);
}

// Ads of five jobs with one URL that arrived each, and of a sixth job with one that failed.
TEST_CASE("Transfers in ads are fitted, and their gaps are reported") {
  history::JobHistory history = two_sites();
  AttemptRecords attempts;
  auto const fetch = [&](double seconds, bool succeeded, double size) {
    std::uint32_t const job = static_cast<std::uint32_t>(history.jobs.size());
    double const start = 100. * job;
    history.jobs.push_back({1, job});
    history.transfers.push_back({Id<history::Job>(job), 1, 0, false, succeeded, Seconds(start),
                                 Seconds(std::floor(start + seconds)), Seconds(seconds),
                                 Bytes(size)});
    attempts.attempts.push_back(done_at(job, 0, start, start + seconds, start + 50));
    if (succeeded) return;
    attempts.attempts.back() = attempt_at(job, 0, start, start + seconds);
    attempts.attempts.back().end_kind = history::EventKind::held;
    attempts.attempts.back().reason = history::Reason::transfer_failed;
  };
  for (double const seconds : {2.2, 2.5, 2.1, 2.9, 2.4}) fetch(seconds, true, 1e9);
  TransferFitInput input{urls_of(history), {}};
  auto const fitted = [&] {
    return transfer_fit(history, attempts, input, 50, RandomStreams(1, 0));
  };
  Fit const arrived = fitted();
  CHECK(not_identified(arrived, "url_failed_after"));
  CHECK(line(arrived, "url_failed_after").origin == Origin::by_default);
  CHECK(line(arrived, "url_failure.A").events == 0);
  CHECK(line(arrived, "latency_s.A").events == 5);
  CHECK(line(arrived, "latency_s.A").origin == Origin::fitted);
  CHECK(line(arrived, "latency_s.B").origin == Origin::borrowed);
  CHECK_FALSE(not_identified(arrived, "URLs of a job"));
  CHECK_FALSE(not_identified(arrived, "stream_limit_Bps, link_capacity_Bps"));
  CHECK(not_identified(arrived, "link_capacity_Bps.A"));  // one at a time
  CHECK_FALSE(not_identified(arrived, "link_capacity_Bps.B"));
  CHECK(not_identified(arrived, "cache of an attempt"));
  CHECK_FALSE(not_identified(arrived, "site of failed transfers"));

  fetch(1.1, false, 0);
  attempts.attempts.push_back(attempt_at(0, 0, 900, 950));
  attempts.attempts.back().number = 2;
  attempts.attempts.back().site = {};
  input.stall_timer = Seconds(3600);
  Fit const failed = fitted();
  CHECK_FALSE(not_identified(failed, "url_failed_after"));
  CHECK(line(failed, "url_failed_after").events == 1);
  CHECK(line(failed, "url_failure.A").events == 1);
  CHECK(not_identified(failed, "site of failed transfers"));
  CHECK(line(failed, "stall_timer_s").estimate == 3600);
  CHECK(line(failed, "stall_timer_s").origin == Origin::stated);

  history.transfers.clear();
  input.urls = urls_of(history);
  Fit const log_only = fitted();
  CHECK(not_identified(log_only, "URLs of a job"));
  CHECK(not_identified(log_only, "stream_limit_Bps, link_capacity_Bps"));
}

TEST_CASE("The transfers that the stall timer ended show when it acts") {
  Transfers all;
  CHECK_FALSE(all.rule());
  for (double const seconds : {23., 20., 21., 22.}) all.stalled(seconds);
  for (double const seconds : {5., 23., 24., 300.}) all.arrived(seconds);
  all.cut(400);
  auto const rule = all.rule();
  REQUIRE(rule);
  CHECK(rule->ended == 4);
  CHECK(rule->shortest == Seconds(20));
  CHECK(rule->usual == Seconds(21.5));
  CHECK(rule->longest == Seconds(23));
  CHECK(rule->longer == 2);
}

TEST_CASE("Clients that ask the next cache after a silent try show their timeout") {
  using enum history::TryEnd;
  history::JobHistory history = fetched({{0}, {0}, {0}, {0}, {0}});
  CHECK_FALSE(client_rule(history));
  auto const tried = [&](std::size_t job, std::vector<history::CacheTry> tries) {
    history.transfers[job].tries = std::move(tries);
  };
  Bytes const none, some(1e8);
  tried(0, {{0, stalled, Seconds(4.001), none},
            {1, stalled, Seconds(4.2), none},
            {2, arrived, Seconds(2), some}});
  tried(1, {{0, stalled, Seconds(4.003), none}, {1, arrived, Seconds(2), some}});
  tried(2, {{0, stalled, Seconds(90), some}, {1, arrived, Seconds(2), some}});  // bytes came
  tried(3, {{0, failed, Seconds(0.1), none}, {1, arrived, Seconds(2), some}});  // refused
  tried(4, {{0, stalled, Seconds(60), none}});  // nobody was asked after it
  auto const rule = client_rule(history);
  REQUIRE(rule);
  CHECK(rule->ended == 3);
  CHECK(rule->shortest == Seconds(4.001));
  CHECK(rule->usual == Seconds(4.003));
  CHECK(rule->longest == Seconds(4.2));
  history.transfers[0].upload = history.transfers[1].upload = true;
  CHECK_FALSE(client_rule(history));
}

}  // namespace gridcast::calibration
