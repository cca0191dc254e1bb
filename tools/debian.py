"""Debian's packages, downloaded by apt-get and unpacked into a folder: nothing is installed, and nobody has to be root."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlparse

# The exit status of what cannot run here.
SKIPPED = 77


class Unavailable(Exception):
    """Why a package cannot be had, and the exit status that says so."""

    def __init__(self, why: str, status: int = 1):
        super().__init__(why)
        self.status = status


def run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def candidate(package: str, options: list[str] | None = None) -> str | None:
    """The version that apt would download."""
    if not shutil.which("apt-cache"):
        return None
    shown = run("apt-cache", *(options or []), "policy", package).stdout.splitlines()
    found = [line.split(":", 1)[1].strip() for line in shown if line.strip().startswith("Candidate:")]
    return found[0] if found and found[0] != "(none)" else None


def own_lists(folder: Path) -> list[str]:
    """Package lists of one's own, as anybody may fetch them."""
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "archives/partial").mkdir(parents=True)
    options = ["-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}"]
    run("apt-get", *options, "-o", "Debug::NoLocking=1", "update")
    return options


def has_network() -> bool:
    """Whether any server that apt is told of can be reached."""
    targets = run("apt-get", "indextargets", "--format", "$(SITE)").stdout.split()
    for site in dict.fromkeys(targets):
        address = urlparse(site)
        try:
            socket.create_connection((address.hostname, address.port or 80), timeout=10).close()
            return True
        except (OSError, TypeError):
            continue
    return False


def download(packages: list[str], folder: Path) -> dict[str, str] | None:
    """Downloads packages and says their versions: by the system's lists, or, if these are missing or out of date, by new ones."""
    for lists in (list, lambda: own_lists(folder)):
        options = lists()
        versions = {package: candidate(package, options) for package in packages}
        if all(versions.values()) and run("apt-get", *options, "download", *packages, folder=folder).returncode == 0:
            return versions
    return None


def unpack(packages: list[str], tree: Path) -> dict[str, str]:
    """Puts what packages hold below the folder `tree` and says their versions."""
    names = ", ".join(packages)
    if not shutil.which("apt-get"):
        raise Unavailable(f"there is no apt-get to fetch {names} with: unpack those of Debian by hand, see the script")
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        versions = download(packages, Path(scratch))
        if not versions:
            if has_network():
                raise Unavailable(f"apt-get cannot download {names}, which Debian has: add a source that does")
            raise Unavailable(f"there is no network to fetch {names} over", SKIPPED)
        for package in Path(scratch).glob("*.deb"):
            if run("dpkg-deb", "-x", str(package), str(tree)).returncode != 0:
                raise Unavailable(f"{package.name} is damaged: run this again")
    return versions
