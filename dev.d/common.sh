# shellcheck shell=bash disable=SC2034,SC2154
# What ./rollscope, ./dev and dev.d/build share. Sourced with `root` set; keep it cheap, every start reads it.

app=$root/target/app
# What the page is built from.
ui_sources=("$root"/ui/{src,public,index.html,report.html,package-lock.json,vite.config.ts,vite.report.config.ts})

# fail WHAT VALUE EXPECTED
fail() {
  printf '%s: %s: %s (expected: %s)\n' "${program:-rollscope}" "$@" >&2
  exit "${exit_code:-1}"
}

# Sets java_home, and java_key, which names the virtual machine an archive of classes fits.
find_java() {
  local expected='Java 17 or later on the PATH or in JAVA_HOME' java='' line version='' vendor=''
  if [[ -n ${JAVA_HOME:-} ]]; then
    java_home=$JAVA_HOME
    [[ -x $java_home/bin/java ]] || fail JAVA_HOME "$JAVA_HOME" 'the folder of a JDK 17 or later'
  else
    java=$(type -P java) || fail java 'not found' "$expected"
    java_home=$(readlink -f -- "$java")
    java_home=${java_home%/bin/java}
  fi
  # The file costs no process; only shims (jenv, asdf, /usr/bin/java of macOS) have to be asked.
  if [[ -r $java_home/release ]]; then
    while IFS= read -r line; do
      case $line in
        JAVA_RUNTIME_VERSION=*) version=${line#*=} ;;
        JAVA_VERSION=*) version=${version:-${line#*=}} ;;
        IMPLEMENTOR=*) vendor=${line#*=} ;;
      esac
    done <"$java_home/release"
  else
    while IFS= read -r line; do
      case $line in
        *' java.home = '*) java_home=${line#* = } ;;
        *' java.runtime.version = '*) version=${line#* = } ;;
        *' java.vendor = '*) vendor=${line#* = } ;;
      esac
    done < <("${java:-$java_home/bin/java}" -XshowSettings:properties -version 2>&1)
  fi
  version=${version//\"/}
  [[ ${version%%[!0-9]*} -ge 17 ]] || fail java "version ${version:-unknown} in $java_home" "$expected"
  java_key=${vendor//[!A-Za-z0-9]/}-${version//[!A-Za-z0-9.+-]/}
}

# Whether anything that goes into the build, or a folder that lost a file, is newer than the build.
is_stale() {
  [[ ! -e $app/stamp ]] ||
    [[ -n $(find "$root"/pom.xml "$root"/.mvn "$root"/*/pom.xml "$root"/*/src/main "$root/deploy" "${ui_sources[@]}" -newer "$app/stamp" -print -quit 2>/dev/null) ]]
}

# Waits until no other ./rollscope or ./dev builds in this clone.
take_build_lock() {
  mkdir -p "$root/target" 2>/dev/null && [[ -w $root/target ]] || fail 'cannot build' "$root" 'a folder you may write to'
  command -v flock >/dev/null || return 0
  exec 9>"$root/target/build.lock"
  flock -n 9 || { echo 'waiting for another build …' >&2 && flock 9; }
}

# run_maven LOG ARGUMENT…, in the root: tries again when a download broke off, because Maven itself does not for every cause.
run_maven() {
  local log=$1 attempt
  shift
  for attempt in 1 2 3; do
    # Some Mavens write "reset colours" at the end whatever one tells them.
    JAVA_HOME=$java_home mvn -B -Dstyle.color=never "$@" 2>&1 </dev/null | sed -u $'s/\e\\[[0-9;]*m//g' | tee "$log" &&
      return
    grep -q 'Could not transfer' "$log" || return 1
    [[ $attempt == 3 ]] || sleep 2
  done
  return 1
}

need_maven() {
  [[ -x $java_home/bin/javac ]] || fail javac "not in $java_home" 'a JDK 17 or later, not only a runtime'
  command -v mvn >/dev/null || fail mvn 'not found' 'Apache Maven 3.8 or later on the PATH'
}
