#!/usr/bin/env bash
# From a fresh clone to a running crawl: installs what is needed, builds, and crawls the given URLs, or without any a little web of
# its own on loopback for a minute.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/quickstart.sh [--no-install] [URL...]

Without a URL: serves a little web on loopback (nginx, dnsmasq), crawls it for a minute and shows how far apart the requests of each
site were, by nginx's access log.
With URLs: crawls their hosts until nothing is left to do or until Ctrl-C. Site owners must be able to reach you, so
CRAWLD_CONTACT has to hold your address:

  CRAWLD_CONTACT=you@your-domain.net deploy/quickstart.sh https://your-domain.net/
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=1
urls=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --no-install) install=0 ;;
    -*)
      usage >&2
      exit 64
      ;;
    *) urls+=("$1") ;;
  esac
  shift
done
if [ "${#urls[@]}" -gt 0 ] && [ -z "${CRAWLD_CONTACT:-}" ]; then
  echo "quickstart.sh: set CRAWLD_CONTACT to a mail address or web page where site owners reach you: CRAWLD_CONTACT=you@your-domain.net $0 ${urls[*]}" >&2
  exit 64
fi

[ "$install" -eq 0 ] || "$root/deploy/install-deps.sh" build
cd "$root"
crawld=$root/build/release/crawld
echo "Building crawld (the first time takes some minutes) ..."
cmake --preset release >/dev/null
NINJA_STATUS='[%f/%t] ' ninja -C build/release crawld

if [ "${#urls[@]}" -eq 0 ]; then
  exec python3 -B deploy/littleweb/demo.py --crawld "$crawld"
fi

folder=$root/build/quickstart
rm -rf "$folder"
mkdir -p "$folder/state"
quoted() { printf "'%s'" "${1//\'/\'\'}"; }  # as YAML has it
{
  printf 'agent:\n  contact: %s\nscope:\n  follow: host\nstorage:\n  directory: %s\nseeds:\n' \
    "$(quoted "$CRAWLD_CONTACT")" "$(quoted "$folder/state")"
  for url in "${urls[@]}"; do
    printf '  - %s\n' "$(quoted "$url")"
  done
} >"$folder/crawld.yaml"
echo "Crawling ${urls[*]} as $CRAWLD_CONTACT; Ctrl-C ends it politely. The configuration is in $folder/crawld.yaml"
exec "$crawld" run --config "$folder/crawld.yaml" --until-idle
