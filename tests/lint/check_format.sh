#!/usr/bin/env bash
# Every C++ file is laid out as .clang-format says. Versions of clang-format differ in taste, so only version 14 counts; exits with 77
# (skipped) where it is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v clang-format-14 >/dev/null; then
  echo "clang-format-14 is not installed: skipped"
  exit 77
fi
find base config robots scheduler fetch crawler tests -name '*.h' -print0 -o -name '*.cpp' -print0 |
  xargs -0 clang-format-14 --dry-run -Werror
