// Rates of transfers, fitted through the simulator: the rate of one stream alone, the capacity of
// the site's link (bytes a second), and the spread between attempts (standard deviation of ln
// rate). The table shows last-transfer times. The number of concurrent transfers spreads them, and
// follows from repeated simulations of the table's own campaign: the same pool, the same clusters,
// as many jobs as reached a transfer. Parameters of the other fits are drawn; this fit sets its
// own. The loss, over sites with n_s transfers of the table,
//   sum n_s (W1_s / D_s + 3 |mean simulated / mean observed - 1|) / sum n_s
// has the Wasserstein-1 distance W1 of simulated and observed times over the mean absolute
// deviation D of the observed. Replicas have common random numbers, and the search needs no
// derivatives (calibration with the simulator in the loop: McDonald et al. 2024, arXiv 2403.13918).
//
// The last transfers of a site may form two groups (inference/two_kinds.hpp) that differ by more
// than two transfers that share a link. Then a share c of the tries at caches there is cold, and a
// stream from a cold cache is slower: three more parameters. The loss charges for them with
//   sum 0.2 n_s c_s / sum n_s
// and so prefers shared links where they explain the times. Each try draws its kind anew.
//
// The table does not show how many GPUs the campaign had at a time: it has neither dates nor idle
// time, and "one week" with "685 GPU hours" only gives an average of four. The number n therefore
// has a stated log-uniform range. Capacities are fitted at several n and interpolated between them,
// linear in the logarithms, which gives each draw the capacities for its n. The number of GPUs at
// a site is
//   n_s ~ n x share_s turnover_s / sum,   share ~ Dirichlet(first matches + 1/2)
// rounded up or down at random, which keeps the means right where GPUs are few.
//
// All fits through the simulator simulate in rounds. A round depends on the results of the rounds
// before it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

struct Round {
  std::uint32_t tasks = 0;
  std::function<study::Record(std::uint32_t)> task;  // by its number, from 0
};

/// Thrown when Ctrl-C ends a fit: nothing is written.
struct CalibrationInterrupted {};

/// The records of all tasks of a round, by task. CalibrationInterrupted after Ctrl-C, ResourceError
/// if the machine starts no process.
using RunRound = std::function<std::vector<study::Record>(Round const&)>;

/// Runs rounds in child processes; each process runs one task after the other.
RunRound simulated_here(unsigned processes, study::Progress progress = {});

/// Values for columns of the draws that a fit through the simulator proposes.
struct Proposal {
  std::vector<std::string> columns;
  std::vector<double> values;

  void set(std::string column, double value);
};

/// The table's campaign, ready to be simulated.
class SimulatedCampaign {
 public:
  /// `direct`: the columns of the other fits; proposals must supply the rest. Without shocks, the
  /// campaign has only the jobs whose input no shock (HTTP 404) stopped; with them, all jobs.
  SimulatedCampaign(history::JobTable const& table, scenario::Pool pool, int epochs,
                    Bytes input_size, DrawTable direct,
                    study::Shocks shocks = study::Shocks::left_out);

  /// The table that a replica of the campaign gives, in the world of draw `draw` with the proposal.
  study::SimulatedCampaignReport simulate(Proposal const& proposal, std::uint32_t draw,
                                          RandomStreams const& streams) const;

 private:
  scenario::Pool pool_;
  study::Shocks shocks_;
  scenario::Campaign campaign_;
  DrawTable direct_;
};

/// GPUs that pilots hold at a time, all sites together: log-uniform.
struct AvailabilityRange {
  double low = 4;    // 685 GPU hours in one week are four on average
  double high = 60;  // more than the 50 jobs of a cluster at once
};

/// Jobs whose first match was at a site.
struct SiteShare {
  std::string site;
  std::size_t first_matches = 0;
};

std::vector<SiteShare> site_shares(TableRecords const& records);

/// How many GPUs a site needs for the same share of jobs, relative to the others: a slot that turns
/// jobs round faster takes more of them where jobs queue for slots. Fitted through the simulator
/// (link_fit).
using Turnover = std::map<std::string, double>;

/// GPUs by site for `gpus` in all; at least one in all.
std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares,
                                        Turnover const& turnover, double gpus, RandomStream stream);

/// The link that transfers share. A table does not show it, so each possibility is a hypothesis.
struct SharedLink {
  enum class Of { site, node } of = Of::site;
  int slots_per_node = 1;
};

/// A search leaves the rates of a site without a transfer in the table at their start
/// (borrow_links).
struct SiteRates {
  double stream_limit = 0;  // B/s
  double capacity = 0;      // B/s, of the shared link
  double cold_share = 0;    // of the tries at caches; zero: all are alike
  double cold_limit = 0;    // B/s, limit of a stream from a cold cache
  double cold_noise = 0;    // spread of its rate, sd of ln(rate)
};

/// One fitted point.
struct LinkPoint {
  double gpus = 0;
  double rate_noise = 0;
  std::map<std::string, SiteRates> sites{};
  Turnover turnover{};
  double loss = 0;  // mean over sites; 1: off by as much as the data spread
  std::map<std::string, double> site_loss{};
};

/// Fitted points in order of gpus.
struct LinkFit {
  SharedLink shared = {};
  std::vector<LinkPoint> points;

  /// The weight of each point at a number of GPUs: linear in its logarithm between two points.
  std::vector<double> weights(double gpus) const;
  LinkPoint at(double gpus) const;
};

/// Stall columns that a link fit simulates with.
using StallProposals = std::vector<Proposal>;

/// Last transfers of jobs that got their input, in seconds, by site.
using TimesBySite = std::map<std::string, std::vector<double>>;
TimesBySite last_transfers(history::JobTable const& table);

struct LinkFitOptions {
  int evaluations = 300;  // per search, each of twelve campaigns
};

/// Links that transfers may share: a site's link, or the link of a node with two or four slots.
std::vector<SharedLink> const& link_hypotheses();

/// Sites with cold and warm tries, in the order of the shares.
std::vector<std::string> cold_sites(LinkPoint const& point, std::vector<SiteShare> const& shares);

/// True if the table has a transfer there, to which the site's links are fitted.
bool has_transfers(LinkFit const& links, std::string const& site);

/// The fits of one search, one for each of link_hypotheses().
using LinkSearch = std::vector<LinkFit>;

/// Searches in two rounds. Each search has its own replicas, so the difference between searches
/// shows the effect of the random numbers. `stalls(i, n)`: proposals for stalls under the ith
/// hypothesis with n GPUs.
std::vector<LinkSearch> fit_links(
    std::size_t searches, SimulatedCampaign const& campaign, TableRecords const& records,
    std::vector<SiteShare> const& shares, std::vector<double> const& gpus,
    std::function<StallProposals(std::size_t hypothesis, double gpus)> const& stalls,
    LinkFitOptions const& options, RandomStreams const& streams, RunRound const& run_all);

/// Adds gpus, stream_limit_Bps, link_capacity_Bps, node_capacity_Bps and slots_per_node of every
/// site, cold_share, cold_limit_Bps and cold_sigma of sites with cold tries, and rate_noise to a
/// proposal.
void propose_links(Proposal& proposal, SharedLink const& shared, LinkPoint const& point,
                   std::map<std::string, int> const& gpus);

// Are durations of one kind or of two? A mixture of two lognormals against one lognormal. Let y =
// ln t, n values, and phi the normal density:
//   f(y) = (1 - w) phi(y; m1, s1) + w phi(y; m2, s2),   m1 <= m2
// by maximum likelihood: expectation maximisation from the split of the sorted y with the least
// squares within (Dempster, Laird & Rubin 1977; McLachlan & Peel, Finite Mixture Models, 2000). A
// kind has at least four members. It is no narrower than a fifth of the whole, since a spread of
// zero has an unbounded likelihood. Two kinds are taken if the Bayesian information criterion
// prefers them,
//   2 (ln L2 - ln L1) > 3 ln n
// since the mixture has three parameters more.

struct TwoKinds {
  double faster = 0, slower = 0;  // medians, in the unit of the durations
  double share_of_slower = 0;
  double sd_of_slower = 0;  // standard deviation of the logarithms
};

/// Durations are positive. Empty if they are of one kind, or too few to decide.
std::optional<TwoKinds> two_kinds(std::vector<double> const& durations);

}  // namespace gridcast::calibration
