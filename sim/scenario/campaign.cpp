#include "sim/scenario/campaign.hpp"

namespace gridcast {

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

}  // namespace gridcast
