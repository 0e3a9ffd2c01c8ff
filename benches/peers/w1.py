"""The cloth W1 (benches/README.md) by hand-written CUDA through CuPy, and by NVIDIA Warp, to set beside `pliant bench` on one card.

    python3 w1.py cuda 64 256 1024 3162      # needs cupy
    python3 w1.py warp 64 256 1024           # needs warp-lang

Both are what their users would write: positions with the inverse mass as float4 (CUDA) or vec3 (Warp), constraints in twelve colours, a
kernel for each, one for the end of a substep and the beginning of the next, all ten substeps captured in a graph. Velocities are
differences of positions. A line for each size: median, quartiles of 30 frames after half a second of them, each from its launch until the card is done, and
the lowest particle after 2 frames in single and in double precision, which tells whether it solved what it should.
"""
import json, sys, time
import numpy as np

SUBSTEPS, H, GRAVITY = 10, 1 / 600, -9.81
# Rows down, columns across, compliance, and what the colour goes by: rows or columns, one by one or two by two.
KINDS = [(0, 1, 1e-8, "j", 1), (1, 0, 1e-8, "i", 1), (1, 1, 1e-6, "i", 1), (1, -1, 1e-6, "i", 1), (0, 2, 1e-4, "j", 2), (2, 0, 1e-4, "i", 2)]


def cloth(n, xp):
    """Positions and inverse masses (n², 4), constraints {a, b} and {rest, compliance}, and where colours begin."""
    h = 1 / (n - 1)
    at = xp.arange(n * n, dtype=xp.int32)
    i, j = at // n, at % n
    x = xp.zeros((n * n, 4))
    x[:, 0], x[:, 1], x[:, 3] = j * h, -i * h, n * n
    x[0, 3] = x[n - 1, 3] = 0
    ids, values, ends = [], [], [0]
    for di, dj, compliance, by, step in KINDS:
        inside = (i + di < n) & (j + dj < n) & (j + dj >= 0)
        parity = ((i if by == "i" else j) // step) & 1
        for colour in (0, 1):
            a = at[inside & (parity == colour)]
            ids.append(xp.stack([a, a + di * n + dj], 1))
            rest = xp.full((len(a), 2), compliance)
            rest[:, 0] = h * np.hypot(di, dj)
            values.append(rest)
            ends.append(ends[-1] + len(a))
    return x, xp.concatenate(ids), xp.concatenate(values), ends


CUDA = """
struct alignas(4 * sizeof(T)) V { T x, y, z, w; };
struct alignas(sizeof(T) == 4 ? 16 : 8) Record { int a, b; T rest, compliance; };
extern "C" __global__ void solve(V* x, const Record* records, int first, int end, T per_square) {
    int c = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= end) return;
    Record r = records[c];
    V a = x[r.a], b = x[r.b];
    T dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    T w = a.w + b.w;
    T inverse = rsqrt(dx * dx + dy * dy + dz * dz);
    T s = w > 0 ? (1 - r.rest * inverse) / (w + r.compliance * per_square) : 0;
    T sa = s * a.w, sb = s * b.w;
    a.x += dx * sa; a.y += dy * sa; a.z += dz * sa;
    b.x -= dx * sb; b.y -= dy * sb; b.z -= dz * sb;
    x[r.a] = a; x[r.b] = b;
}
// Ends a substep and begins the next one; `past` of the first is where it all starts.
extern "C" __global__ void advance(V* x, V* past, V* velocity, int count, T h, T gravity, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    V p = x[i], v = velocity[i];
    if (!first) {
        V q = past[i];
        v.x = (p.x - q.x) / h; v.y = (p.y - q.y) / h; v.z = (p.z - q.z) / h;
    }
    past[i] = p;
    if (p.w > 0) v.y += gravity * h;
    velocity[i] = v;
    p.x += v.x * h; p.y += v.y * h; p.z += v.z * h;
    x[i] = p;
}
extern "C" __global__ void finish(V* x, V* past, V* velocity, int count, T h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    V p = x[i], q = past[i], v;
    v.x = (p.x - q.x) / h; v.y = (p.y - q.y) / h; v.z = (p.z - q.z) / h; v.w = 0;
    velocity[i] = v;
}
"""


class Cuda:
    def __init__(self, n, double=False):
        import cupy as cp
        self.cp, self.count = cp, n * n
        real, T = (cp.float64, "double") if double else (cp.float32, "float")
        module = cp.RawModule(code=f"typedef {T} T;" + CUDA, options=() if double else ("--use_fast_math",))
        solve, advance, finish = (module.get_function(name) for name in ("solve", "advance", "finish"))
        x, ids, values, ends = cloth(n, cp)
        self.x = x.astype(real)
        records = cp.empty(len(ids), dtype=np.dtype([("ids", "i4", 2), ("values", real, 2)]))
        words = records.view(cp.int32).reshape(len(ids), -1)
        words[:, :2], words[:, 2:] = ids, values.astype(real).view(cp.int32).reshape(len(ids), -1)
        self.constraints = len(ids)
        past, velocity = cp.zeros_like(self.x), cp.zeros_like(self.x)
        self.keep = records, past, velocity
        blocks = lambda count: ((count + 255) // 256,)
        i4 = np.int32
        self.stream = cp.cuda.Stream(non_blocking=True)
        cp.cuda.Device().synchronize()

        def launch():
            for s in range(SUBSTEPS):
                advance(blocks(n * n), (256,), (self.x, past, velocity, i4(n * n), real(H), real(GRAVITY), i4(s == 0)))
                for first, end in zip(ends, ends[1:]):
                    solve(blocks(end - first), (256,), (self.x, records, i4(first), i4(end), real(1 / H**2)))
            finish(blocks(n * n), (256,), (self.x, past, velocity, i4(n * n), real(H)))

        with self.stream:
            self.stream.begin_capture()
            launch()
            self.graph = self.stream.end_capture()

    def frame(self):
        with self.stream:
            self.graph.launch()
        self.stream.synchronize()

    def lowest(self):
        return float(self.x[:, 1].min())


class Warp:
    def __init__(self, n, double=False):
        import warp as wp
        wp.config.quiet = True
        wp.config.enable_backward = False
        self.wp = wp
        real, vec3 = (wp.float64, wp.vec3d) if double else (wp.float32, wp.vec3)

        @wp.kernel
        def advance(h: real, g: real, first: int, w: wp.array(dtype=real), past: wp.array(dtype=vec3), x: wp.array(dtype=vec3), v: wp.array(dtype=vec3)):
            p = wp.tid()
            at = x[p]
            way = v[p]
            if first == 0:
                way = (at - past[p]) / h
            past[p] = at
            if w[p] > real(0.0):
                way = way + vec3(real(0.0), g * h, real(0.0))
            v[p] = way
            x[p] = at + way * h

        @wp.kernel
        def solve(first: int, per_square: real, w: wp.array(dtype=real), x: wp.array(dtype=vec3), ids: wp.array(dtype=wp.vec2i), rest: wp.array(dtype=real), compliance: wp.array(dtype=real)):
            c = first + wp.tid()
            e = ids[c]
            a = e[0]
            b = e[1]
            sum = w[a] + w[b]
            if sum > real(0.0):
                d = x[b] - x[a]
                l = wp.length(d)
                s = (l - rest[c]) / ((sum + compliance[c] * per_square) * l)
                x[a] = x[a] + d * (s * w[a])
                x[b] = x[b] - d * (s * w[b])

        @wp.kernel
        def finish(h: real, past: wp.array(dtype=vec3), x: wp.array(dtype=vec3), v: wp.array(dtype=vec3)):
            p = wp.tid()
            v[p] = (x[p] - past[p]) / h

        points, ids, values, ends = cloth(n, np)
        self.constraints = len(ids)
        array = lambda values, dtype: wp.array(values, dtype=dtype, device="cuda")
        self.x, w = array(points[:, :3].copy(), vec3), array(points[:, 3].copy(), real)
        ids, rest, compliance = array(ids, wp.vec2i), array(values[:, 0].copy(), real), array(values[:, 1].copy(), real)
        past, v = wp.zeros_like(self.x), wp.zeros_like(self.x)
        wp.load_module(device="cuda")
        with wp.ScopedCapture(device="cuda") as capture:
            for s in range(SUBSTEPS):
                wp.launch(advance, n * n, [real(H), real(GRAVITY), int(s == 0), w, past, self.x, v], device="cuda")
                for first, end in zip(ends, ends[1:]):
                    wp.launch(solve, end - first, [first, real(1 / H**2), w, self.x, ids, rest, compliance], device="cuda")
            wp.launch(finish, n * n, [real(H), past, self.x, v], device="cuda")
        self.graph, self.keep = capture.graph, (w, ids, rest, compliance, past, v)

    def frame(self):
        self.wp.capture_launch(self.graph)
        self.wp.synchronize()

    def lowest(self):
        return float(self.x.numpy()[:, 1].min())


def measure(kind, n):
    lowest = []
    for double in (True, False):
        cloth = kind(n, double)
        cloth.frame(), cloth.frame()
        lowest.append(cloth.lowest())
    start = time.perf_counter()
    while time.perf_counter() - start < 0.5:    # a card that has rested is slow at first
        cloth.frame()
    times = []
    for _ in range(30):
        start = time.perf_counter()
        cloth.frame()
        times.append((time.perf_counter() - start) * 1e3)
    quartiles = np.percentile(times, [25, 50, 75])
    return dict(peer=kind.__name__, n=n, constraints=cloth.constraints, step_ms_lower_quartile=quartiles[0], step_ms_median=quartiles[1],
                step_ms_upper_quartile=quartiles[2], projections_per_s=cloth.constraints * SUBSTEPS / quartiles[1] * 1e3,
                lowest_after_2_frames=lowest[1], lowest_in_double_precision=lowest[0])


for n in map(int, sys.argv[2:]):
    print(json.dumps(measure(dict(cuda=Cuda, warp=Warp)[sys.argv[1]], n)), flush=True)
