#!/usr/bin/env bash
# Runs what is committed on each supported line of Node.js, in a clone: the whole suite, and the package as users install
# it. Usage: npm run test:lts [-- LINE …]
set -euo pipefail
cd "$(dirname "$0")/.."
lines=("$@")
[ ${#lines[@]} -gt 0 ] || lines=(22 24 26)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q . "$folder/checkout"
cd "$folder/checkout"
npm ci
npm run build
for line in "${lines[@]}"; do
  mkdir "$folder/$line"
  # The package "node" fetches its program by an install script, which npm 12 runs only if allowed to.
  echo '{"allowScripts":{"node":true}}' > "$folder/$line/package.json"
  npm install --prefix "$folder/$line" "node@$line"
  node="$folder/$line/node_modules/node/bin/node"
  echo "Node.js $("$node" --version)"
  "$node" scripts/test.mjs
  "$node" scripts/test.mjs --full
  "$node" --import ./scripts/typescript.mjs --test test/install/install.check.ts
done
