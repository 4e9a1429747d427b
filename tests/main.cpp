// The main of every test program. Catch2 2 compiles its runner here, which takes a while; once.
#define CATCH_CONFIG_RUNNER
#include "tests/test.hpp"

std::filesystem::path gridcast::test::source_dir() { return GRIDCAST_SOURCE_DIR; }

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
