#!/bin/sh
# Installs another implementation of a game, to test against and to measure next to ours, in an environment of
# its own: tools/peer.sh overcooked-ai | jaxmarl | vizdoom. It is found in var/peers/<name>.
set -eu
cd "$(dirname "$0")/.."
case "${1:-}" in
  # The published package names neither scipy nor the numpy that it works with, and needs no viewer here.
  overcooked-ai) packages="numpy<2 scipy gym==0.26.2 tqdm"; bare="overcooked-ai==1.1.0"; check=overcooked_ai_py ;;
  jaxmarl) packages="jaxmarl==0.2.0 jax==0.10.2"; bare=""; check=jaxmarl ;;
  vizdoom) packages="vizdoom==1.3.2"; bare=""; check=vizdoom ;;
  *) echo "usage: tools/peer.sh overcooked-ai | jaxmarl | vizdoom" >&2; exit 2 ;;
esac
folder="var/peers/$1"
"$folder/bin/python" -c "import $check" 2>/dev/null && exit 0
"${PYTHON:-python3}" -m venv "$folder"
# shellcheck disable=SC2086
"$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check $packages
[ -z "$bare" ] || "$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --no-deps "$bare"
"$folder/bin/python" -c "import $check" 2>/dev/null
