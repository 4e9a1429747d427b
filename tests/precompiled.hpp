// Headers that nearly every test includes, compiled once for each test program: it saves a third
// of their build. No test relies on it: `cmake -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON` builds them
// without.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/test.hpp"
