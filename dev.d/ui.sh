# shellcheck shell=bash disable=SC2154
# How the page is built: npm, into ui/dist, which Maven packs into the server's jar, and as one file into ui/dist-report,
# which goes into that of the command line. Sourced after common.sh, in the root.

need_node() {
  local expected='Node.js 18 or later and npm on the PATH; they build the page' version
  command -v node >/dev/null || fail node 'not found' "$expected"
  command -v npm >/dev/null || fail npm 'not found' "$expected"
  version=$(node --version)
  version=${version#v}
  [[ ${version%%.*} -ge 18 ]] || fail node "version $version" "$expected"
}

# Brings ui/node_modules up to date with the lock file.
install_ui() {
  [[ ! ui/node_modules/.installed -nt ui/package-lock.json ]] || return 0
  need_node
  if ! npm --prefix ui ci --no-audit --no-fund >target/npm.log 2>&1; then
    tail -n 15 target/npm.log >&2
    fail 'npm ci failed' "see $root/target/npm.log" 'every package within reach'
  fi
  touch ui/node_modules/.installed
}

build_ui() {
  local built=ui/dist-report/report.html # the last to be written
  [[ ! -e $built || -n $(find "${ui_sources[@]}" -newer "$built" -print -quit) ]] || return 0
  need_node
  echo 'building the page …' >&2
  install_ui
  if ! { npm --prefix ui run --silent build && npm --prefix ui run --silent build:report; } >target/ui.log 2>&1; then
    tail -n 15 target/ui.log >&2
    fail 'build of the page failed' "see $root/target/ui.log" 'sources in ui that compile'
  fi
}
