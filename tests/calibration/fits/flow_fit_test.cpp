#include "calibration/fits/flow_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/random.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Transfers over one link, simulated in small steps: a rule of its own, not the likelihood's.
struct Link {
  FlowLaw law;
  int slots = 4;
  double bytes = 1000;
};

struct Flow {
  double begun = 0, wait = 0, left = 0;
};

TransferRecords run_all(std::vector<Link> const& links, int transfers, RandomStream stream) {
  constexpr double step = 0.002;
  TransferRecords records;
  for (std::size_t s = 0; s < links.size(); ++s) {
    Link const& link = links[s];
    auto const begin = [&](double at) {
      double const stretch = std::exp(link.law.sigma * normal_quantile(stream.uniform()));
      return Flow{at, at + stretch * link.law.latency, stretch * link.bytes};
    };
    std::vector<Flow> flows;
    std::vector<double> next(static_cast<std::size_t>(link.slots), 0.0);
    int done = 0;
    for (double at = 0; done < transfers; at += step) {
      for (double& slot : next) {
        if (slot >= 0 && slot <= at) {
          flows.push_back(begin(at));
          slot = -1;
        }
      }
      auto const flowing = std::count_if(flows.begin(), flows.end(),
                                         [&](Flow const& flow) { return flow.wait <= at; });
      double const rate =
          std::min(link.law.stream_limit,
                   link.law.link_capacity / static_cast<double>(std::max<long>(1, flowing)));
      for (Flow& flow : flows) {
        if (flow.wait <= at) flow.left -= rate * step;
      }
      for (std::size_t i = flows.size(); i-- > 0;) {
        if (flows[i].left > 0) continue;
        TransferTry one;
        one.job = Id<history::Job>(static_cast<std::uint32_t>(records.tries.size()));
        one.site = Id<history::Site>(static_cast<std::uint32_t>(s));
        one.start = Seconds(flows[i].begun);
        one.end = Seconds(at + step);
        one.first_byte = Seconds(flows[i].wait - flows[i].begun);
        one.bytes = Bytes(link.bytes);
        one.timed = true;
        records.tries.push_back(one);
        flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(i));
        *std::find(next.begin(), next.end(), -1) = at + 12 * stream.uniform();
        ++done;
      }
    }
  }
  std::stable_sort(records.tries.begin(), records.tries.end(),
                   [](auto const& a, auto const& b) { return a.start < b.start; });
  return records;
}

template <class Value>
std::vector<double> column(FlowPosterior const& posterior, std::size_t site, Value const& value) {
  std::vector<double> values;
  for (auto const& draw : posterior.draws) values.push_back(value(draw[site]));
  return values;
}

using Grid = std::vector<double>;

Grid grid(double low, double high, int n) {
  Grid at;
  for (int i = 0; i < n; ++i) at.push_back(low + (high - low) * (i + 0.5) / n);
  return at;
}

double normal(double x, double mean, double sd) {
  return std::exp(-(x - mean) * (x - mean) / (2 * sd * sd)) / (sd * std::sqrt(2 * M_PI));
}

/// A centre and a spread that sites have in common, with its share of their prior.
struct Common {
  double centre = 0, spread = 1, weight = 0;
};

std::vector<Common> commons(double mean, double sd, double scale) {
  std::vector<Common> all;
  for (double const at : grid(-4, 4, 32)) {
    for (double const part : grid(0, 4, 25)) {
      double const spread = part * scale;
      all.push_back(
          {mean + at * sd, spread, normal(at, 0, 1) * 0.25 * 2 * normal(part, 0, 1) * 0.16});
    }
  }
  return all;
}

Grid const log_latencies = grid(-2, 8, 200), log_sigmas = grid(-3.5, 1.5, 50);

/// A site's likelihood by ln sigma, averaged over its latency with each law of latencies.
std::vector<Grid> over_latencies(Grid const& times, std::vector<Common> const& laws) {
  std::vector<Grid> all(laws.size(), Grid(log_sigmas.size()));
  for (double const latency : log_latencies) {
    Grid likelihood;
    for (double const sigma : log_sigmas) {
      double& product = likelihood.emplace_back(10.0 / 200 * 5.0 / 50);
      for (double const t : times) product *= normal(std::log(t), latency, std::exp(sigma)) / t;
    }
    for (std::size_t l = 0; l < laws.size(); ++l) {
      double const p = normal(latency, laws[l].centre, laws[l].spread);
      for (std::size_t j = 0; j < log_sigmas.size(); ++j) all[l][j] += p * likelihood[j];
    }
  }
  return all;
}

/// Centres and spreads of what sites have in common, evenly in the centre and in the logarithm of
/// the spread.
std::vector<Common> commons_by_log(double mean, double sd, double scale) {
  std::vector<Common> all;
  for (double const at : grid(-3, 3, 48)) {
    for (double const log_part : grid(-2.5, 1.5, 12)) {
      double const part = std::exp(log_part);
      all.push_back({mean + at * sd, part * scale, normal(at, 0, 1) * normal(part, 0, 1) * part});
    }
  }
  return all;
}

/// Sites whose one URL of `bytes` takes these times, each known for sure, some of it latency and
/// the rest bytes at min(S, C), ln(C / S) uniform from -ln 20 to ln 4: how likely the latency is
/// more than half at the first. Summed over the logit of the latency's share, and over what sites
/// have in common.
double mostly_latency(Grid const& times, double bytes) {
  auto const streams = commons_by_log(std::log(1e8), 3, 1), latencies = commons_by_log(0, 4, 1);
  Grid const logits = grid(-14, 14, 56);
  double const ln20 = std::log(20.0), ln4 = std::log(4.0);
  Grid all(streams.size() * latencies.size(), 1), more = all;
  for (double const& time : times) {
    std::vector<Grid> of_streams(streams.size()), of_latencies(latencies.size());
    for (double const logit : logits) {
      double const log_rate = std::log(bytes / time) + std::log1p(std::exp(logit));
      double const log_latency = std::log(time) - std::log1p(std::exp(-logit));
      for (std::size_t m = 0; m < streams.size(); ++m) {
        auto const& [centre, spread, weight] = streams[m];
        double const by_link = normal_cdf((log_rate + ln20 - centre) / spread) -
                               normal_cdf((log_rate - centre) / spread);
        of_streams[m].push_back(ln4 * normal(log_rate, centre, spread) + by_link);
      }
      for (std::size_t l = 0; l < latencies.size(); ++l) {
        of_latencies[l].push_back(normal(log_latency, latencies[l].centre, latencies[l].spread));
      }
    }
    for (std::size_t l = 0; l < latencies.size(); ++l) {
      for (std::size_t m = 0; m < streams.size(); ++m) {
        double const *a = of_latencies[l].data(), *b = of_streams[m].data();
        std::size_t const half = logits.size() / 2;
        double const most = std::inner_product(a + half, a + 2 * half, b + half, 0.0);
        double const least = std::inner_product(a, a + half, b, 0.0);
        all[l * streams.size() + m] *= most + least;
        more[l * streams.size() + m] *= &time == &times.front() ? most : most + least;
      }
    }
  }
  double sum = 0, of_more = 0;
  for (std::size_t l = 0; l < latencies.size(); ++l) {
    for (std::size_t m = 0; m < streams.size(); ++m) {
      double const weight = latencies[l].weight * streams[m].weight;
      sum += weight * all[l * streams.size() + m];
      of_more += weight * more[l * streams.size() + m];
    }
  }
  return of_more / sum;
}

}  // namespace

// 60 transfers a site, sigma 0.3: the standard error of ln S or ln C is about 0.3 / sqrt(60) = 0.04
// where all 60 show it; five of them, as half of them do, are 0.28.
TEST_CASE("Limits and capacities of links come out of who transferred when") {
  std::vector<Link> const links = {{{0.5, 200, 350, 0.3}, 6, 1000},
                                   {{0.2, 100, 1000, 0.2}, 4, 400}};
  TransferRecords const records = run_all(links, 60, test_stream(41));
  FlowPosterior const posterior =
      flow_posterior(records, 2, CutView::healthy, 120, test_stream(42));
  REQUIRE(posterior.draws.size() == 120);
  for (std::size_t s = 0; s < 2; ++s) {
    CAPTURE(s);
    FlowLaw const& truth = links[s].law;
    auto const streams = column(posterior, s, [](auto& law) { return law.stream_limit; });
    auto const sigmas = column(posterior, s, [](auto& law) { return law.sigma; });
    auto const latencies = column(posterior, s, [](auto& law) { return law.latency; });
    CHECK(std::abs(std::log(median(streams) / truth.stream_limit)) < 0.28);
    CHECK(std::abs(std::log(median(sigmas) / truth.sigma)) < 5 / std::sqrt(2 * 60.0));
    // Exponential in the likelihood, lognormal in truth: its mean to 1 / sqrt(60).
    CHECK(std::abs(std::log(median(latencies) / truth.latency)) < 5 / std::sqrt(60.0));
  }
  auto const narrow = column(posterior, 0, [](auto& law) { return law.link_capacity; });
  CHECK(std::abs(std::log(median(narrow) / 350)) < 0.28);
  CHECK(quantile(narrow, 0.95) / quantile(narrow, 0.05) < 1.6);
  // Four streams of 100 never filled a link of 1000: it keeps its prior, above what they needed.
  auto const wide = column(posterior, 1, [](auto& law) { return law.link_capacity; });
  CHECK(quantile(wide, 0.05) > 200);
  CHECK(quantile(wide, 0.95) > 1000);
}

// 700 kB after two seconds, at four sites, and no word of when the first byte came. Stream limits
// of 350 kB/s would do as well, but are 5.7 in the logarithm below the usual one, around which the
// sites' centre has a standard deviation of 3: less likely by exp(-1.8).
TEST_CASE("With one size only, the fit takes times as waiting unless streams would be very slow") {
  std::vector<Link> const links(4, {{2, 1e8, 1e9, 0.1}, 3, 7e5});
  TransferRecords records = run_all(links, 30, test_stream(43));
  for (TransferTry& one : records.tries) {
    one.first_byte.reset();
    one.timed = false;
  }
  FlowPosterior const posterior =
      flow_posterior(records, 4, CutView::healthy, 100, test_stream(44));
  for (std::size_t s = 0; s < 4; ++s) {
    CAPTURE(s);
    auto const latencies = column(posterior, s, [](auto& law) { return law.latency; });
    auto const streams = column(posterior, s, [](auto& law) { return law.stream_limit; });
    CHECK(quantile(latencies, 0.95) > 1.9);
    CHECK(quantile(streams, 0.95) > 3e7);
    // Any stream that is fast enough: nothing says how fast.
    CHECK(std::log(quantile(streams, 0.95) / quantile(streams, 0.05)) > 2);
  }
}

// 200 MB each, one at a time, at sites that need 1.1, 1.6, 2.5 and 3.6 s for it: latencies of so
// long, or streams of some 100 MB/s, or some of both. Nothing decides, so draws are of each as
// often as the priors have it.
TEST_CASE("With one size only, the draws contain each reading of the times by its probability") {
  Grid const times = {1.1, 1.6, 2.5, 3.6};
  double const bytes = 2e8;
  TransferRecords records;
  for (std::size_t s = 0; s < times.size(); ++s) {
    for (int i = 0; i < 12; ++i) {
      TransferTry one;
      one.site = Id<history::Site>(static_cast<std::uint32_t>(s));
      one.start = Seconds(100.0 * i);
      one.end = one.start + Seconds(times[s] * (i % 2 == 0 ? 1.03 : 1 / 1.03));
      one.bytes = Bytes(bytes);
      one.timed = true;
      records.tries.push_back(one);
    }
  }
  auto const posterior = flow_posterior(records, 4, CutView::healthy, 200, test_stream(51));
  double share = 0;
  for (auto const& draw : posterior.draws) {
    FlowLaw const& law = draw.front();
    share += law.latency > bytes / std::min(law.stream_limit, law.link_capacity) ? 1.0 / 200 : 0;
  }
  // Some forty of the 200 draws are as good as independent.
  CHECK(share == Approx(mostly_latency(times, bytes)).margin(3 * 0.5 / std::sqrt(40.0)));
  CHECK(share > 0.25);
  CHECK(share < 0.85);
}

TEST_CASE("A site without a transfer borrows from the others") {
  std::vector<Link> const links = {{{0.5, 200, 1e6, 0.3}, 2, 1000},
                                   {{0.5, 220, 1e6, 0.3}, 2, 1000}};
  TransferRecords const records = run_all(links, 30, test_stream(43));
  FlowPosterior const posterior =
      flow_posterior(records, 3, CutView::healthy, 200, test_stream(44));
  auto const own = column(posterior, 0, [](auto& law) { return law.stream_limit; });
  auto const borrowed = column(posterior, 2, [](auto& law) { return law.stream_limit; });
  CHECK(median(borrowed) == Approx(210).epsilon(0.4));
  CHECK(quantile(borrowed, 0.95) / quantile(borrowed, 0.05) >
        2 * quantile(own, 0.95) / quantile(own, 0.05));
}

// A link of 200 kB/s that two streams fill, so that one which flows beside another is worth a
// factor of two. A quarter of the tries end without their bytes: as long as they flowed, or, in
// between, after 21 s without a byte. The standard errors of ln C and ln sigma are 0.1 / sqrt(30)
// and 1 / sqrt(60).
TEST_CASE("A cut try loads its link as it flowed, whatever is assumed to make tries stall") {
  for (bool const cut_ones_flowed : {true, false}) {
    TransferRecords records = run_all({{{0.01, 500, 200, 0.1}, 2, 1000}}, 40, test_stream(45));
    for (std::size_t i = 0; i < 40; i += 4) {
      TransferTry& one = records.tries[i];
      TransferTry dead = one;
      dead.end = dead.start + Seconds(21);
      TransferTry& cut = cut_ones_flowed ? one : records.tries.emplace_back(dead);
      cut.end_kind = TransferEnd::by_timer;
      cut.first_byte.reset();
    }
    for (CutView const view : {CutView::healthy, CutView::dead}) {
      CAPTURE(cut_ones_flowed, static_cast<int>(view));
      auto const posterior = flow_posterior(records, 1, view, 60, test_stream(46));
      auto const capacities = column(posterior, 0, [](auto& law) { return law.link_capacity; });
      auto const sigmas = column(posterior, 0, [](auto& law) { return law.sigma; });
      CHECK(std::abs(std::log(median(capacities) / 200)) < 5 * 0.1 / std::sqrt(30.0));
      CHECK(std::abs(std::log(median(sigmas) / 0.1)) < 5 / std::sqrt(60.0));
    }
  }
}

// Two sites whose transfers of unknown size take 1 s and 200 s. Summed over the logarithms of a
// site's latency and sigma, and over the centres and spreads of both: for each pair of these the
// product over the sites. Eight arrived within two seconds, forty were ended by the timer after
// twenty. That each of these was broken in spite of a view in which one in fifty is costs 40 ln 50
// = 156; that they were healthy, and tries differ by a factor of ten, a quarter of that. So the
// latter is where all chains have to be, wherever they begin.
TEST_CASE("With many cut transfers, draws and evidence follow the likelier of two explanations") {
  auto records = run_all({{{0.2, 1000, 4000, 0.2}, 2, 1000}}, 8, test_stream(52));
  for (TransferTry& one : records.tries) one.first_byte.reset();
  double const first = records.tries.back().end.value();
  for (std::uint32_t i = 0; i < 40; ++i) {
    TransferTry one;
    one.job = Id<history::Job>(100 + i);
    one.site = Id<history::Site>(0);
    one.start = Seconds(first + 12 * i);
    one.end = one.start + Seconds(20);
    one.bytes = Bytes(1000);
    one.timed = true;
    one.end_kind = TransferEnd::by_timer;
    records.tries.push_back(one);
  }
  std::vector<double> evidences;
  for (std::uint32_t const seed : {53u, 54u, 55u, 56u}) {
    auto const posterior = flow_posterior(records, 1, CutView::healthy, 100, test_stream(seed));
    std::vector<double> sigmas;
    for (auto const& draw : posterior.draws) sigmas.push_back(draw[0].sigma);
    CHECK(quantile(sigmas, 0.05) > 1);
    evidences.push_back(posterior.log_evidence);
  }
  auto const [low, high] = std::minmax_element(evidences.begin(), evidences.end());
  CHECK(*high - *low < 3);
  CHECK(*low > -156);
}

TEST_CASE("The evidence integrates over the common part of the sites") {
  std::array<Grid, 2> const times = {Grid{0.8, 1.1, 1.3, 0.9, 1.0}, {150.0, 260.0, 190.0, 230.0}};
  auto const latencies = commons(0, 4, 1), sigmas = commons(-0.7, 1, 0.5);
  auto const first = over_latencies(times[0], latencies);
  auto const second = over_latencies(times[1], latencies);
  double evidence = 0;
  for (Common const& law : sigmas) {
    Grid p;
    for (double const each : log_sigmas) p.push_back(normal(each, law.centre, law.spread));
    for (std::size_t l = 0; l < latencies.size(); ++l) {
      evidence += law.weight * latencies[l].weight *
                  std::inner_product(p.begin(), p.end(), first[l].begin(), 0.0) *
                  std::inner_product(p.begin(), p.end(), second[l].begin(), 0.0);
    }
  }
  TransferRecords records;
  for (std::size_t s = 0; s < 2; ++s) {
    for (double const seconds : times[s]) {
      TransferTry one;
      one.site = Id<history::Site>(static_cast<std::uint32_t>(s));
      one.end = Seconds(seconds);
      one.timed = true;
      records.tries.push_back(one);
    }
  }
  auto const posterior = flow_posterior(records, 2, CutView::healthy, 200, test_stream(49));
  CHECK(posterior.log_evidence == Approx(std::log(evidence)).margin(0.7));
  CHECK(std::sqrt(posterior.evidence_variance) == Approx(0.23).epsilon(0.5));
}

// Twenty that took 10 s, and one beside them all that is no chance of theirs: slow, or dead in any
// other view.
TEST_CASE("A slow transfer shares a link as a healthy one does; a dead one takes nothing of it") {
  TransferRecords records;
  TransferTry one;
  one.site = Id<history::Site>(0);
  one.bytes = Bytes(1000);
  one.timed = true;
  one.end = Seconds(1000);
  one.end_kind = TransferEnd::by_timer;
  records.tries.push_back(one);
  one.end_kind = TransferEnd::arrived;
  for (int i = 0; i < 20; ++i) {
    one.start = Seconds(20.0 * i);
    one.end = one.start + Seconds(i % 2 == 0 ? 10.2 : 9.8);
    records.tries.push_back(one);
  }
  for (auto const& [view, flows] :
       {std::pair(CutView::healthy, 1), {CutView::slow, 2}, {CutView::dead, 1}}) {
    auto const posterior = flow_posterior(records, 1, view, 10, test_stream(50));
    REQUIRE(posterior.tries[0][1].pieces.size() == 1);
    CHECK(posterior.tries[0][1].pieces[0].flows == Approx(flows).margin(1e-6));
  }
}

// One URL of unknown size and a law of 10 s: the lognormal density of its duration, and its tail.
TEST_CASE("The factor of a try is its density or its tail, mixed with broken transfers") {
  FlowLaw const law{10, 100, 1e9, 0.5};
  auto const density = [&](double seconds, double fraction) {
    double const z = std::log(seconds * fraction / 10) / 0.5;
    return std::exp(-z * z / 2) / (seconds * 0.5 * std::sqrt(2 * M_PI));
  };
  FlowTry one;
  one.seconds = 15;
  one.timed = true;
  CHECK(std::exp(log_factor(one, law, CutView::dead)) == Approx(density(15, 1)));
  CHECK(std::exp(log_factor(one, law, CutView::healthy)) == Approx(density(15, 1)));
  double slow = 0;
  for (int i = 0; i < 1000; ++i) slow += density(15, std::pow(0.01, (i + 0.5) / 1000)) / 1000;
  // Where bytes come slowly, one in ten of those that arrived did so at a fraction of the rate.
  CHECK(std::exp(log_factor(one, law, CutView::slow)) == Approx(0.9 * density(15, 1) + 0.1 * slow));

  one.end_kind = TransferEnd::by_timer;
  double const longer = 0.5 * std::erfc(std::log(1.5) / 0.5 * M_SQRT1_2);
  CHECK(std::exp(log_factor(one, law, CutView::healthy)) == Approx(0.02 + 0.98 * longer));
  CHECK(std::exp(log_factor(one, law, CutView::dead)) == Approx(0.5 + 0.5 * longer));
  one.end_kind = TransferEnd::cut;
  CHECK(std::exp(log_factor(one, law, CutView::slow)) == Approx(0.1 + 0.9 * longer));
  for (TransferEnd const says_nothing :
       {TransferEnd::failed, TransferEnd::hung, TransferEnd::by_client}) {
    one.end_kind = says_nothing;
    CHECK(log_factor(one, law, CutView::dead) == 0);
  }
}

TEST_CASE("A law without scatter makes no stamp likelier than sure, in any view") {
  FlowTry one;
  for (double const sigma : {1e-3, 0.1, 2.0}) {
    for (double const seconds : {0.0, 1.0, 9.0, 10.0, 21.0, 3000.0}) {
      CAPTURE(sigma, seconds);
      FlowLaw const law{10, 100, 1e9, sigma};
      one.seconds = seconds;
      for (CutView const view : {CutView::healthy, CutView::dead, CutView::slow}) {
        CHECK(log_factor(one, law, view) <= 1e-12);
        CHECK(log_factor(one, law, view) >= std::log(0.99e-12));
      }
    }
  }
}

// A thousand that began each ten seconds at one site, 2 s each to a tick: of those with times of
// their own so many as 600, of those that stamps alone show, all, as they are one and a number.
TEST_CASE("The record marks transfers that the links' likelihood leaves out") {
  TransferRecords records;
  for (int i = 0; i < 1000; ++i) {
    TransferTry one;
    one.site = Id<history::Site>(0);
    one.start = Seconds(10.0 * i);
    one.end = Seconds(10.0 * i + 2);
    records.tries.push_back(one);
  }
  for (bool const timed : {true, false}) {
    for (TransferTry& one : records.tries) one.timed = timed;
    auto const posterior = flow_posterior(records, 1, CutView::healthy, 2, test_stream(48));
    auto const in_evidence = std::count_if(posterior.tries[0].begin(), posterior.tries[0].end(),
                                           [](FlowTry const& one) { return one.in_evidence; });
    CHECK(in_evidence == (timed ? 600 : 1000));
  }
}

}  // namespace gridcast::calibration
