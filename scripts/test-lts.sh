#!/usr/bin/env bash
# Runs the tests on the lines of Node with long-term support, in a copy of this checkout, with the SQLite binding that npm
# picks there: 13, which needs Node 22, where the lock has 12, the last for Node 20.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q . "$folder/checkout"
cd "$folder/checkout"
npm ci
npm install --no-save better-sqlite3@13
npm run build
for line in 24 26; do
  npm install --prefix "$folder/$line" "node@$line"
  PATH="$folder/$line/node_modules/node/bin:$PATH" npm test
done
