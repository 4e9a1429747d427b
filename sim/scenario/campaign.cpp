#include "sim/scenario/campaign.hpp"

namespace gridcast::scenario {

int Campaign::jobs() const {
  int sum = 0;
  for (Submission const& submission : submit) sum += submission.jobs;
  return sum;
}

Bytes Campaign::input_size() const {
  Bytes sum;
  for (InputFile const& file : input) sum += file.size;
  return sum;
}

std::vector<double> Campaign::scales() const {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(jobs()));
  for (Submission const& submission : submit) {
    all.insert(all.end(), static_cast<std::size_t>(submission.jobs), submission.scale);
  }
  return all;
}

}  // namespace gridcast::scenario
