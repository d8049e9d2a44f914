# Steps that all run, whichever fails; what failed is told at the end, where people look.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
failed=()

# NAME COMMAND…
step() {
  local name=$1
  shift
  echo "== $name"
  "$@" 2>&1 | tee "$logs/$name" || failed+=("$name")
}

# A run of the tests in which none passed is no good one, whatever it ended with. NAME COMMAND…
tests() {
  step "$@"
  grep -qE '^[1-9][0-9]* passed, 0 failed' "$logs/$1" || [[ " ${failed[*]} " == *" $1 "* ]] || failed+=("$1")
}

# Prints the end of each step that failed, and the tests of all as one line at last.
conclude() {
  local name
  for name in "${failed[@]}"; do
    echo "== $name failed:"
    tail -n 80 "$logs/$name"
  done
  echo
  [ ${#failed[@]} -eq 0 ] || echo "Failed: ${failed[*]}"
  cat "$logs"/* | awk -v steps=${#failed[@]} '
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; broken += $3; skipped += $5 }
    END { print passed + 0 " passed, " (broken > 0 ? broken : steps) " failed, " skipped + 0 " skipped" }'
  [ ${#failed[@]} -eq 0 ]
}
