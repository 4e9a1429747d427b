# The shipped calibration is what the command in its header makes, byte for byte.
set -u
shipped=calibration/fitted/osg-imagenet.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The command names relative paths, so it runs in a copy of what it reads.
mkdir -p "$work/calibration" "$work/scenarios"
cp -r "$GRIDCAST_SOURCE/calibration/data" "$work/calibration/"
cp -r "$GRIDCAST_SOURCE/scenarios/pools" "$work/scenarios/"
command=$(sed -n 's/^#   \(\.\/gridcast calibrate .*\)/\1/p' "$GRIDCAST_SOURCE/$shipped")
test -n "$command" || { echo "no command in the header of $shipped"; exit 1; }

cd "$work" || exit 1
ln -s "$GRIDCAST" gridcast
eval "$command" >"$work/out.txt" || { echo "failed: $command"; exit 1; }
cmp "$work/$shipped" "$GRIDCAST_SOURCE/$shipped" || {
  diff "$work/$shipped" "$GRIDCAST_SOURCE/$shipped" | head -20
  exit 1
}
