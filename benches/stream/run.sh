#!/usr/bin/env bash
# What a stream costs a run: processor time of `with.toml` over that of `without.toml`, in pairs that alternate. Both are
# the same bed; sources and gates look every 100 steps. Prints each pair, the median of their ratios, and the ratio of
# the shortest times, which others on the machine disturb least.
#
#   cargo build --release -p grains && benches/stream/run.sh target/release/grains [PAIRS]
set -euo pipefail
grains=$(realpath "$1") pairs=${2:-12}
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT
cp "$(dirname "$0")"/*.toml "$here" && cd "$here"
"$grains" --threads 1 run bed.toml --quiet
# Processor time in s of a run.
cost() {
    local TIMEFORMAT='%U %S'
    { time "$grains" --threads 1 run "$1.toml" --overwrite --quiet 2> said.txt; } 2> time.txt || {
        cat said.txt >&2
        return 1
    }
    awk '{ printf "%.3f", $1 + $2 }' time.txt
}
for ((k = 0; k < pairs; k++)); do
    # One assignment a line: only then does `set -e` see that a run failed.
    without=$(cost without)
    with=$(cost with)
    awk -v a="$with" -v b="$without" 'BEGIN { printf "with %s s, without %s s: %.4f\n", a, b, a / b }'
done | tee pairs.txt
awk '{ print $NF }' pairs.txt | sort -n | awk '{ r[NR] = $1 } END { printf "median %.4f\n", (r[int((NR + 1) / 2)] + r[int(NR / 2) + 1]) / 2 }'
awk '{ a = $2 + 0; b = $5 + 0; if (NR == 1 || a < with) with = a; if (NR == 1 || b < without) without = b }
    END { printf "shortest: with %.3f s, without %.3f s: %.4f\n", with, without, with / without }' pairs.txt
