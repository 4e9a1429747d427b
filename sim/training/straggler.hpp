// A synchronous step is as slow as its slowest rank. With a normal compute time of relative spread
// s, n ranks take 1 + s E[max of n standard normals] on average (about s sqrt(2 ln n)). Effects of
// the machine that grow with each doubling of the ranks (jitter met at each level of a tree of
// messages) add d log2 n. One rank that is slower all along by a factor (an older GPU, a shared
// host) sets the pace alone if that is more: max(factor, 1 + s E[max]).
//
// Left out: heavy tails, which would grow faster, and the chance that such a rank is the slowest in
// some steps only.
#pragma once

#include "sim/base/random.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

/// E[max of n independent standard normals]: 0, 1/sqrt(pi), 3/(2 sqrt(pi)), ...
double expected_max_normal(int n);

/// One draw of that maximum, with one uniform.
double draw_max_normal(int n, RandomStream& stream);

/// By what the compute time of a step grows on n ranks; 1 for one.
double straggler_factor(scenario::ComputeSpec const& compute, int ranks);

}  // namespace gridcast::training
