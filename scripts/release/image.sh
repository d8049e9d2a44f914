#!/usr/bin/env bash
# Builds the image of a packed package for two architectures, on the current digests of its base images, and
# pushes it: without a browser as IMAGE, with Chromium as IMAGE-browser. Usage: image.sh PACKAGE.tgz IMAGE
set -euo pipefail
package=$1 image=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
cp "$package" "$context/"
pinned() { echo "docker.io/library/$1@$(skopeo inspect --format '{{.Digest}}' "docker://docker.io/library/$1")"; }
node=$(pinned node:24-slim) base=$(pinned debian:bookworm-slim)
echo "Node.js: $node, base: $base"
for variant in '' browser; do
  name=$image${variant:+-$variant}
  buildah build --platform linux/amd64,linux/arm64 --manifest "$name" --timestamp 0 \
    --build-arg "NODE=$node" --build-arg "BASE=$base" ${variant:+--build-arg BROWSER=chromium-headless-shell} \
    -f "$root/deploy/Containerfile" "$context"
  buildah manifest push --all "$name" "docker://$name"
done
