# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2016 # script/package has the variables; the clean system's shell expands the commands
# script/package sources this file. It installs packages in clean systems, uses them and removes them, and keeps a log
# in $output/check-KIND.txt. The systems are Debian 12 without recommended packages. They are made once and kept as a
# file.

# Runs a command in the clean system, as root, with the devices and the network of this one.
in_root() {
  as_root unshare --mount --pid --fork bash -c '
    root=$1 && shift
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" || exit
    exec chroot "$root" env -i HOME=/root PATH=/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT=/packages/certificates} ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
      ${https_proxy:+https_proxy="$https_proxy"} ${http_proxy:+http_proxy="$http_proxy"} "$@"' in_root "$clean" "$@"
}

# step COMMAND runs a line of shell in the clean system, and prints its time unless it is short.
step() {
  printf '\n# %s\n' "$1"
  local start=$EPOCHREALTIME
  in_root bash -o pipefail -c "$1" 2>&1 || die "failed in the clean system: $1"
  printf '(%s s)\n' "$(bc <<<"scale=1; ($EPOCHREALTIME - $start) / 1")"
}

refused() { # COMMAND PATTERN: has to fail with this message
  printf '\n# %s\n' "$1"
  local said
  ! said=$(in_root bash -c "$1" 2>&1) || die "this should have failed: $1" "$said"
  printf '%s\n' "$said"
  grep -q "$2" <<<"$said" || die "no '$2' in the message"
}

clean_system() { # KIND: unpacks one to $clean
  local image=$work/debian12.tar sources
  # The packages of Debian 12 come from the mirror that this system uses.
  # shellcheck disable=SC2016 # apt's variables
  mapfile -t sources < <(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -E ' bookworm(-[a-z]+)? main$' | sort -u)
  [ ${#sources[@]} -gt 0 ] || die "this system has no sources of Debian 12" "Packages are checked in Debian 12."
  [ -f "$image" ] || as_root mmdebstrap --quiet --variant=minbase bookworm "$image" "${sources[@]}" ||
    die "mmdebstrap failed"
  clean=$(mktemp -d "${TMPDIR:-/tmp}/lanecl-clean-$1.XXXXXX")
  as_root tar -C "$clean" -xf "$image" --exclude='./dev/*'
  as_root cp -L /etc/resolv.conf /etc/hosts "$clean/etc"
  trap remove_clean_system EXIT
  as_root mkdir "$clean/packages"
  [ -z "${PIP_CERT:-}" ] || as_root cp -L "$PIP_CERT" "$clean/packages/certificates"
  as_root cp "$root/tests/packages/verify.py" "$clean/packages"
  spirv-as --target-env spv1.0 -o "$work/add.spv" "$root/tests/packages/add.spvasm"
  as_root cp "$work/add.spv" "$clean/packages"
}

remove_clean_system() { as_root rm -rf --one-file-system "$clean"; }

no_compiler='! command -v cc c++ gcc clang clang-22 llc ld && ! ls -d /usr/lib/llvm-*/include /usr/include/llvm* 2>/dev/null'
# Fails if files are left besides the cache, which belongs to the user.
nothing_left='rm -r ~/.cache/lanecl; find / -xdev -iname "*lanecl*" ! -path "/packages/*" ! -path "/proc/*" | { ! grep .; }'

check() { # KIND FILE…
  say "Checking ($1)"
  clean_system "$1"
  as_root cp "${@:2}" "$clean/packages"
  "transcript_$1" > >(tee "$output/check-$1.txt") || exit
  remove_clean_system
}

check_deb() { check deb "$output"/{lib,}lanecl_"$version"_amd64.deb; }

transcript_deb() {
  step "ls -l /packages/*.deb; dpkg-deb -f /packages/liblanecl_*.deb Depends Recommends Installed-Size"
  step 'dpkg-query -W >/tmp/before; apt-get update -qq'
  local start=$EPOCHSECONDS
  step 'apt-get install -y --no-install-recommends /packages/*.deb | grep -E "newly|archives|disk space"'
  step 'lanecl info --short'
  step 'apt-get install -y --no-install-recommends clinfo python3-pyopencl | grep -E "newly|archives|disk space"'
  step 'clinfo -l'
  step 'python3 /packages/verify.py'
  echo "From nothing to the first result: $((EPOCHSECONDS - start)) s"
  step 'python3 /packages/verify.py'
  step 'mkdir -m 700 /tmp/user; chown 1000:1000 /tmp/user; HOME=/tmp/user setpriv --reuid=1000 --regid=1000 --clear-groups \
    lanecl python3 /packages/verify.py; rm -r /tmp/user'
  # gdb loads the commands for lanes by itself.
  step 'apt-get install -y --no-install-recommends gdb | grep -E "newly|archives|disk space"'
  step 'LANECL_DEBUG=optimized gdb -q -batch -ex "set breakpoint pending on" -ex "break rows" -ex run -ex "info lanes" \
    -ex "lane 3" -ex kill --args python3 /packages/verify.py | grep -E "active +3$|Switching to lane 3 "'
  step "$no_compiler"
  refused 'lanecl compile /packages/add.spv' llvm-spirv
  step 'apt-get install -y llvm-spirv-15 | grep -E "newly|archives|disk space"'
  step 'lanecl compile /packages/add.spv'
  # A package that is removed without its configuration leaves an .icd file whose library is gone. Loaders ignore it.
  step 'apt-get remove -y lanecl liblanecl python3-pyopencl | grep "disk space"; clinfo -l; ls /etc/OpenCL/vendors'
  step 'apt-get purge -y --autoremove liblanecl clinfo gdb sensible-utils llvm-spirv-15 | grep "disk space"'
  step "$nothing_left"
  step 'dpkg-query -W >/tmp/after; diff /tmp/before /tmp/after && ! ls -d /etc/OpenCL'
}

check_wheel() { check wheel "$output"/lanecl-"$version"-*.whl; }

transcript_wheel() {
  step 'apt-get update -qq; apt-get install -y --no-install-recommends python3 python3-venv | grep -E "newly|archives|disk space"'
  step 'python3 -m venv /venv; ls -l /packages/*.whl; ldconfig -p | { ! grep -E "LLVM|clang|tbb|hwloc|OpenCL"; }'
  local start=$EPOCHSECONDS
  step 'pip install --no-cache-dir --disable-pip-version-check -q /packages/lanecl-*.whl pyopencl'
  step 'python /packages/verify.py'
  echo "From nothing to the first result: $((EPOCHSECONDS - start)) s"
  step 'python /packages/verify.py'
  step 'du -sh /venv/lib/python3*/site-packages/lanecl'
  step 'lanecl info --short; python -m lanecl --version; python -c "import lanecl; print(lanecl.path())"'
  step 'pip install --no-cache-dir --disable-pip-version-check -q pytest'
  as_root cp "$root"/tests/check/pytest_project/{kernels,test_kernels}.py "$clean/packages"
  # pytest would write the plugin's rewritten byte code beside it, which pip does not remove.
  refused 'PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider --lanecl-check /packages/test_kernels.py -k "test_passes or test_fails_at"' \
    "error: out-of-bounds in kernel 'shift'"
  step "$no_compiler"
  refused 'lanecl compile /packages/add.spv' llvm-spirv
  # The loader of the system does not look into the virtual environment.
  step 'apt-get install -y --no-install-recommends clinfo | grep newly; lanecl clinfo -l'
  step 'OCL_ICD_VENDORS=$(python -c "import lanecl; print(lanecl.path())") clinfo -l'
  step 'OCL_ICD_VENDORS=$(python -c "import lanecl; print(lanecl.write_icd(\"/tmp/vendors\"))") clinfo -l; rm -r /tmp/vendors'
  step 'pip uninstall -q -y lanecl'
  step "$nothing_left"
}

check_tarball() { check tarball "$output/lanecl-$version-x86_64-linux.tar.xz"; }

transcript_tarball() {
  step 'apt-get update -qq; apt-get install -y --no-install-recommends xz-utils clinfo python3 python3-venv |
    grep -E "newly|archives|disk space"'
  step 'python3 -m venv /venv; pip install --no-cache-dir --disable-pip-version-check -q pyopencl'
  step 'ls -l /packages/*.xz; ldconfig -p | { ! grep -E "LLVM|clang|tbb|hwloc"; }'
  local start=$EPOCHSECONDS
  step 'mkdir -p "/opt/a place"; tar -C "/opt/a place" -xf /packages/*.xz; mv /opt/a\ place/lanecl-* /opt/here; du -sh /opt/here'
  step '/opt/here/bin/lanecl python3 /packages/verify.py'
  echo "From nothing to the first result: $((EPOCHSECONDS - start)) s"
  step '/opt/here/bin/lanecl python3 /packages/verify.py'
  step '/opt/here/bin/lanecl info --short; /opt/here/bin/lanecl clinfo -l'
  # This is how to use the device without the command. The .icd file names the library, and the dynamic linker is told
  # where it is.
  step 'LD_LIBRARY_PATH=/opt/here/lib/lanecl OCL_ICD_VENDORS=/opt/here/etc/OpenCL/vendors clinfo -l'
  step "$no_compiler"
  refused '/opt/here/bin/lanecl compile /packages/add.spv' llvm-spirv
  step 'rm -r /opt/here "/opt/a place"'
  step "$nothing_left"
}
