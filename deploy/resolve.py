"""Whether requirements.lock can be installed wherever Coplay is served: asks the package index which wheels
there are, and installs nothing (`make resolve`). Says in a sentence each what is missing, and then ends with
status 1.

Where it is served is `PLATFORMS` and `PYTHONS`; what is needed on one of them alone has a marker in
pyproject.toml, which deploy/lock.py keeps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))


def _linux(machine: str) -> list[str]:
    """Wheels for a glibc of 2.28, as Debian 10 and later have it."""
    return [f"manylinux_2_{minor}_{machine}" for minor in range(28, 4, -1)] + [
        *(f"manylinux{year}_{machine}" for year in (2014, 2010, 1)),
        f"linux_{machine}",
    ]


PLATFORMS: dict[str, tuple[dict[str, str], list[str]]] = {
    "Linux x86_64": ({"sys_platform": "linux", "platform_machine": "x86_64"}, _linux("x86_64")),
    "Linux aarch64": ({"sys_platform": "linux", "platform_machine": "aarch64"}, _linux("aarch64")),
    "macOS arm64": (
        {"sys_platform": "darwin", "platform_machine": "arm64"},
        [*mac_platforms((14, 0), "arm64")],
    ),
}


def lines(path: Path = LOCK) -> list[Requirement]:
    text = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return [Requirement(line) for line in text if line and not line.startswith("-")]


def wanted(requirement: Requirement, platform: str, python: tuple[int, int]) -> bool:
    """Whether a line of the lock is for this platform and Python, by its marker."""
    version = ".".join(map(str, python))
    named = {"darwin": "Darwin", "linux": "Linux"}[PLATFORMS[platform][0]["sys_platform"]]
    where = PLATFORMS[platform][0] | {"platform_system": named, "os_name": "posix"}
    where |= {
        "python_version": version,
        "python_full_version": f"{version}.0",
        "implementation_name": "cpython",
    }
    return requirement.marker is None or requirement.marker.evaluate(where)


def tags(platform: str, python: tuple[int, int]) -> set[Tag]:
    """What a wheel may be tagged with to be installed there."""
    there = PLATFORMS[platform][1]
    interpreter = f"cp{python[0]}{python[1]}"
    return {*cpython_tags(python, platforms=there), *compatible_tags(python, interpreter, there)}


def missing(requirement: Requirement, files: list[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """(platform, Python) where none of these (file name, requires-python) can be installed."""
    wheels = []
    for name, needs in files:
        try:
            _, made, _, found = parse_wheel_filename(name)
        except InvalidWheelFilename:
            continue
        if requirement.specifier.contains(made, prereleases=True):
            wheels.append((found, SpecifierSet(needs or "")))
    for platform in PLATFORMS:
        for python in PYTHONS:
            fits, version = tags(platform, python), ".".join(map(str, python))
            served = any(found & fits and f"{version}.9" in needs for found, needs in wheels)
            if wanted(requirement, platform, python) and not served:
                yield platform, version


def index() -> Callable[[str], list[tuple[str, str | None]]]:
    """What the package index has of a package, asked as pip asks: (file name, requires-python)."""
    from pip._internal.commands.index import IndexCommand

    command = IndexCommand("index", "")
    options, _ = command.parse_args(["versions", "nothing"])
    session = command._build_session(options)

    def files(name: str) -> list[tuple[str, str | None]]:
        address = f"{options.index_url.rstrip('/')}/{canonicalize_name(name)}/"
        answer = session.get(address, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
        answer.raise_for_status()
        return [(one["filename"], one.get("requires-python")) for one in answer.json()["files"]]

    return files


def main() -> None:
    files, wrong, needed = index(), 0, lines()
    with ThreadPoolExecutor(8) as pool:
        for requirement, found in zip(needed, pool.map(files, [one.name for one in needed]), strict=True):
            by_platform: dict[str, list[str]] = {}
            for platform, python in missing(requirement, found):
                by_platform.setdefault(platform, []).append(python)
            for platform, pythons in by_platform.items():
                wrong += 1
                print(f"{requirement} has no wheel for {platform} with Python {', '.join(pythons)}.")
    if wrong:
        sys.exit(f"{wrong} of what is locked can't be installed everywhere; see deploy/resolve.py.")
    print(f"{len(needed)} packages can be installed on {', '.join(PLATFORMS)}, Python 3.11 to 3.14.")


if __name__ == "__main__":
    main()
