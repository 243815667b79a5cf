#!/bin/sh
# Installs callsheet @VERSION@ for Linux and macOS:
#
#   curl --proto '=https' -fsSL @BASE@/install.sh | sh
#
# CALLSHEET_DIR is the folder for the program; ~/.local/bin by default.
set -eu

# In a function, so that nothing runs of a script that arrived in part.
main() {
  target=$(target)
  folder=${CALLSHEET_DIR:-$HOME/.local/bin}
  name=callsheet-@VERSION@-$target
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  echo "Installing callsheet @VERSION@ for $target in $folder" >&2
  curl --fail --silent --show-error --location --output "$work/archive" "@BASE@/$name.tar.gz" ||
    fail "cannot fetch @BASE@/$name.tar.gz" "check the connection, or install with npm, pip or cargo"
  [ "$(checksum "$work/archive")" = "$(expected "$target")" ] ||
    fail "the checksum of $name.tar.gz is wrong" "the file was damaged or replaced: try again, and report it if it stays"
  tar -xzf "$work/archive" -C "$work"
  mkdir -p "$folder"
  # Another name first: a running program cannot be overwritten.
  cp "$work/$name/callsheet" "$folder/.callsheet.$$"
  mv "$folder/.callsheet.$$" "$folder/callsheet"
  case ":$PATH:" in
    *":$folder:"*) echo "Installed. Run: callsheet check" >&2 ;;
    *) echo "Installed. $folder is not in PATH: add it, or run $folder/callsheet check" >&2 ;;
  esac
}

fail() {
  echo "error: $1" >&2
  echo "help: $2" >&2
  exit 1
}

target() {
  case $(uname -m) in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) fail "no program for the processor $(uname -m)" "build it with cargo, or use npm or pip, which bring a portable one" ;;
  esac
  case $(uname -s) in
    Darwin) echo "$cpu-apple-darwin" ;;
    Linux) echo "$cpu-unknown-linux-$(libc)" ;;
    *) fail "no program for $(uname -s)" "build it with cargo, or use npm or pip, which bring a portable one" ;;
  esac
}

# The program for glibc needs 2.35; the static one runs everywhere.
libc() {
  version=$(getconf GNU_LIBC_VERSION 2>/dev/null) || version="none 0.0"
  minor=${version##*.}
  if [ "${version#glibc 2.}" != "$version" ] && [ "$minor" -ge 35 ]; then echo gnu; else echo musl; fi
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

expected() {
  case $1 in
    aarch64-apple-darwin) echo @SHA256-aarch64-apple-darwin@ ;;
    aarch64-unknown-linux-gnu) echo @SHA256-aarch64-unknown-linux-gnu@ ;;
    aarch64-unknown-linux-musl) echo @SHA256-aarch64-unknown-linux-musl@ ;;
    x86_64-apple-darwin) echo @SHA256-x86_64-apple-darwin@ ;;
    x86_64-unknown-linux-gnu) echo @SHA256-x86_64-unknown-linux-gnu@ ;;
    x86_64-unknown-linux-musl) echo @SHA256-x86_64-unknown-linux-musl@ ;;
  esac
}

main
