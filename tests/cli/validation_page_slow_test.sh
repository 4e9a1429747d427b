#!/usr/bin/env bash
# docs/validation.md is what its commands print.
export GRIDCAST GRIDCAST_SOURCE
exec "$GRIDCAST_SOURCE/tests/validation/write" --check
