#!/usr/bin/env bash
# Builds the Debian package of this tree, in a copy of it: build/package/crawld_VERSION_ARCH.deb.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/package.sh [--no-install] [--no-lint]

  --no-install  do not install packages (deploy/install-deps.sh package)
  --no-lint     do not ask lintian

The package is for the system that it is built on. DEB_BUILD_OPTIONS=parallel=1 builds one file at a time.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=1
lint=1
while [ $# -gt 0 ]; do
  case $1 in
    --no-install) install=0 ;;
    --no-lint) lint=0 ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 64
      ;;
  esac
  shift
done
[ "$install" -eq 0 ] || "$root/deploy/install-deps.sh" package
cd "$root"

version=$(sed -n 's/^project(crawld VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
if [ "$version" != "$(dpkg-parsechangelog -l deploy/debian/changelog -S Version)" ]; then
  echo "package.sh: CMakeLists.txt says $version, and deploy/debian/changelog another version" >&2
  exit 1
fi

# The same tree every time, so that ccache and debuggers find the same paths; nothing of an older build stays.
folder=$root/build/package
source=$folder/crawld-$version
rm -rf "$folder"
mkdir -p "$source"
tar -c --exclude=./build --exclude=./.git --exclude=__pycache__ . | tar -x -C "$source"
mv "$source/deploy/debian" "$source/debian"
cp "$source/deploy/crawld.service" "$source/debian/"

# debhelper gives the build a home of its own, which would hide the cache of this one. What the preset `release` has compiled serves
# here too.
export CCACHE_DIR=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ccache}
export CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1
export DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-parallel=$(nproc) terse}
(cd "$source" && dpkg-buildpackage -us -uc -b)

package=$(echo "$folder"/crawld_"$version"_*.deb)
if [ "$lint" -eq 1 ]; then
  lintian --fail-on error "$folder"/*.changes
fi
echo "$package"
