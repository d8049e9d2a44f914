#!/usr/bin/env bash
# Fills FOLDER with links to the programs on PATH, except compilers, so that an install that needs one fails.
# Usage: scripts/tools-without-compilers.sh FOLDER
set -euo pipefail
folder=$1
compiles='^(cc|c89|c99|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|x86_64-.*|make|gmake|cmake|ninja|python[0-9.]*|node-gyp)(-[0-9.]+)?$'
IFS=:
for place in $PATH; do
  case $place in */node_modules/*|'') continue ;; esac
  [ -d "$place" ] || continue
  for program in "$place"/*; do
    name=${program##*/}
    if [[ -x $program && ! $name =~ $compiles && ! -e $folder/$name ]]; then ln -s "$program" "$folder/$name"; fi
  done
done
