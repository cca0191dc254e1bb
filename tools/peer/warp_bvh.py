#!/usr/bin/env python3
"""Times the triangle tree of another library, NVIDIA's Warp, on bodies and particles that the viewer exported.

    pip install numpy warp-lang==1.19.0
    viewer --headless --technique radial_compute --frames 648 --every 6 --export target/peer/1
    viewer --headless --technique radial_compute --characters 100 --frames 120 --from 60 --every 5 --export target/peer/100
    tools/peer/warp_bvh.py target/peer/1 target/peer/100

A folder is one case: all bodies of a frame are one `wp.Mesh`, all vertices of the garments are particles. The tree is built once, over
the first frame's bodies; for every frame the exported positions are copied to the device, which is not timed, and then these are:

    refit   `mesh.refit()`, the update: bounds of triangles and tree
    query   one `mesh_query_point_sign_normal` per particle, within --reach; nearest point and sign are stored
    both    the one after the other

Each is a CUDA graph that does it --repeats times in a row, between two CUDA events, so that launching is no part of it, as it is none of
our timestamps; the time of a frame is the median of --launches graphs divided by the repeats. What is printed is the median and the 95th
percentile of the frames, milliseconds, as Markdown. The device is kept busy for a second before, to reach its clock. With `--device cpu`
there are no graphs, and the times are wall clock: good for a look at whether it works.

Two columns say what was found, which no constructor may change: the share of the particles within reach of the skin, and the share of those
that are inside it as well.
"""

import argparse
import pathlib
import re
import subprocess
import time

import numpy as np
import warp as wp


@wp.kernel
def find_nearest(mesh: wp.uint64, particles: wp.array(dtype=wp.vec3), reach: float, nearest: wp.array(dtype=wp.vec4)):
    """Nearest point of the skin, and -1 inside, 1 outside, 0 where none is within reach."""
    ix = wp.tid()
    found = wp.mesh_query_point_sign_normal(mesh, particles[ix], reach)
    if found.result:
        p = wp.mesh_eval_position(mesh, found.face, found.u, found.v)
        nearest[ix] = wp.vec4(p[0], p[1], p[2], found.sign)
    else:
        nearest[ix] = wp.vec4()


class Frame:
    """An exported frame: an OBJ file whose first object is all bodies, the others garments."""

    def __init__(self, file: pathlib.Path):
        body, *garments = re.split(rb"(?:\A|\n)o ", file.read_bytes())[1:]
        name, self.points, faces = self._read(body)
        if name != "body" or not garments:
            raise SystemExit(f"{file}: give files that the viewer exported, of a character in clothes")
        self.triangles = np.fromstring(faces.replace(b"f", b""), np.int32, sep=" ").reshape(-1, 3) - 1
        worn = [self._read(garment) for garment in garments]
        self.particles = np.concatenate([points for _, points, _ in worn])
        # Every character wears the same.
        names = [name for name, _, _ in worn]
        self.characters = names.count(names[0])

    @staticmethod
    def _read(text: bytes):
        name, _, rest = text.partition(b"\n")
        vertices, _, faces = rest.partition(b"\nf ")
        points = np.fromstring(vertices.replace(b"v", b""), np.float32, sep=" ").reshape(-1, 3)
        return name.decode(), points, faces


class Peer:
    """A case on the device: a mesh with its tree, the particles, and what is timed."""

    def __init__(self, frame: Frame, constructor: str, flags: argparse.Namespace):
        self.flags, self.device = flags, wp.get_device()
        points = wp.array(frame.points, dtype=wp.vec3)
        indices = wp.array(frame.triangles.ravel(), dtype=wp.int32)
        self.mesh = wp.Mesh(points, indices, bvh_constructor=constructor)
        self.particles = wp.array(frame.particles, dtype=wp.vec3)
        self.nearest = wp.zeros(len(frame.particles), dtype=wp.vec4)
        self.works = {"refit": self.mesh.refit, "query": self.query, "both": self.both}
        # Whatever is compiled or allocated at first must not be so amid a capture.
        self.both()
        if self.device.is_cuda:
            self.graphs = {name: self.capture(work) for name, work in self.works.items()}

    def query(self):
        inputs = [self.mesh.id, self.particles, self.flags.reach]
        wp.launch(find_nearest, dim=len(self.particles), inputs=inputs, outputs=[self.nearest])

    def both(self):
        self.mesh.refit()
        self.query()

    def capture(self, work):
        with wp.ScopedCapture() as capture:
            for _ in range(self.flags.repeats):
                work()
        return capture.graph

    def move(self, frame: Frame):
        self.mesh.points.assign(frame.points)
        self.particles.assign(frame.particles)
        # A query alone needs the tree of its frame.
        self.both()
        wp.synchronize()

    def run_ms(self, name: str) -> float:
        """Milliseconds of one of the repeats."""
        if self.device.is_cuda:
            began, ended = wp.Event(enable_timing=True), wp.Event(enable_timing=True)
            wp.record_event(began)
            wp.capture_launch(self.graphs[name])
            wp.record_event(ended)
            return wp.get_event_elapsed_time(began, ended) / self.flags.repeats
        began = time.perf_counter()
        for _ in range(self.flags.repeats):
            self.works[name]()
        return 1e3 * (time.perf_counter() - began) / self.flags.repeats

    def reach_clock(self):
        ends = time.perf_counter() + 1.0
        while self.device.is_cuda and time.perf_counter() < ends:
            self.run_ms("both")

    def found(self) -> tuple[float, float]:
        """Percent of the particles within reach of the skin, and inside."""
        sign = self.nearest.numpy()[:, 3]
        return 100 * np.mean(sign != 0), 100 * np.mean(sign < 0)


def driver(device) -> str:
    if not device.is_cuda:
        return "none"
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]


HEADER = [
    "constructor", "characters", "triangles", "particles", "frames", "refit (95 %)", "query (95 %)", "both (95 %)",
    "within reach, %", "and inside, %", "Warp", "device", "driver",
]  # fmt: skip


def read(folder: pathlib.Path) -> list[Frame]:
    files = sorted(folder.glob("frame_*.obj"))
    if not files:
        raise SystemExit(f"{folder}: no frame_*.obj in it")
    return [Frame(file) for file in files]


def row(frames: list[Frame], constructor: str, flags: argparse.Namespace) -> list:
    peer = Peer(frames[0], constructor, flags)
    times, found = {name: [] for name in peer.works}, []
    peer.reach_clock()
    for frame in frames:
        peer.move(frame)
        for name, ms in times.items():
            ms.append(np.median([peer.run_ms(name) for _ in range(flags.launches)]))
        found.append(peer.found())
    counts = [frames[0].characters, len(frames[0].triangles), len(frames[0].particles), len(frames)]
    spread = [f"{np.median(ms):.4f} ({np.percentile(ms, 95):.4f})" for ms in times.values()]
    shares = [f"{share:.2f}" for share in np.mean(found, axis=0)]
    return [constructor, *counts, *spread, *shares, wp.config.version, peer.device.name, driver(peer.device)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER", help="of the viewer's --export")
    parser.add_argument("--device", default="cuda:0", help="cuda:0, or cpu")
    parser.add_argument("--constructor", nargs="+", default=["sah"], help="sah, median, lbvh, cubql: as wp.Mesh takes them")
    parser.add_argument("--reach", type=float, default=0.06, help="metres within which the nearest point is searched")
    parser.add_argument("--repeats", type=int, default=10, help="in a graph")
    parser.add_argument("--launches", type=int, default=5, help="of a graph in a frame")
    flags = parser.parse_intermixed_args()
    wp.set_device(flags.device)
    print("|", " | ".join(HEADER), "|")
    print("|" + "---|" * len(HEADER))
    for folder in flags.folders:
        # All of them at once: reading is no pause in which the device may slow down.
        frames = read(folder)
        for constructor in flags.constructor:
            print("|", *(f"{cell} |" for cell in row(frames, constructor, flags)), flush=True)


if __name__ == "__main__":
    main()
