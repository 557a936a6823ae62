# Sourced by job and test. Brings the system libraries (Debian, through apt) and a virtual environment in .venv.
# Does nothing, and quickly, when all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 DEBIAN_FRONTEND=noninteractive

memo_packages=(libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0)
test_packages=(libreoffice-calc python3-uno)

find_python() { # the first command that is Python 3.11 or newer
    local name
    for name in python3 python3.11 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

is_installed() {
    [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ] ||
        { [ "$1" = libreoffice-calc ] && is_installed libreoffice-calc-nogui; } # the same program without windows
}

missing_packages() { # of those named, one a line; and what Python itself needs to make a virtual environment
    local package python
    for package in "$@"; do
        is_installed "$package" || echo "$package"
    done
    if [ ! -x .venv/bin/python ]; then
        python=$(find_python)
        if [ -z "$python" ]; then
            printf '%s\n' python3 python3-venv
        elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
        fi
    fi
}

install_system_packages() {
    if ! command -v dpkg >/dev/null; then
        echo "This is not a Debian machine, so the system libraries are left to you; 'sheetcalc doctor' names what is missing."
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    local install="apt-get install -y --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        echo "Some system packages are missing. Run this line once, then start again:" >&2
        echo "    sudo apt-get update && sudo $install" >&2
        exit 1
    fi
    echo "Installing system packages: ${missing[*]}"
    local log
    log=$(apt-get update 2>&1 </dev/null && $install 2>&1 </dev/null) || { echo "$log" >&2; exit 1; }
}

install_python_packages() { # extras, such as "" or "[test]"
    local python stamp
    if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$(find_python)
        if [ -z "$python" ]; then
            echo "sheetcalc needs Python 3.11 or newer, and this machine has none: install it, then start again." >&2
            exit 1
        fi
        echo "Making a virtual environment in .venv"
        rm -rf .venv
        "$python" -m venv .venv
    fi
    # the mark changes with the list of packages and with the folder, which an editable install remembers
    stamp=$(cat pyproject.toml setup.py <(pwd) | sha256sum | cut -d' ' -f1)
    [ "$(cat ".venv/installed$1" 2>/dev/null)" != "$stamp" ] || return 0
    echo "Installing Python packages into .venv (a minute or two the first time)"
    .venv/bin/python -m pip install -q -e ".$1" </dev/null
    echo "$stamp" >.venv/installed
    echo "$stamp" >".venv/installed$1"
}
