#include "calibration/fits/transfer_fit.hpp"

#include "tests/test.hpp"

namespace gridcast::calibration {
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

}  // namespace gridcast::calibration
