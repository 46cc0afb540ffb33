// The nearest hit of a ray against all colliders. Walks the broad phase's two trees with four box tests at once and asks
// each shape that is left, in its own frame. Changes nothing that a step reads: queries never change a simulation.
//
// Boxes are as the last step's broad phase left them; bodies have moved since. The part of a body's path that its box does
// not allow for (`slack`, nearly always 0) widens every box, so no hit is missed. Colliders added since wait outside of
// the nodes of their tree: then its leaves are walked one by one.
import {
  AABB_STRIDE,
  BODY_CENTER_STRIDE,
  BODY_STATIC,
  COLLIDER_ALIGNED,
  COLLIDER_SENSOR,
  COLLIDER_STRIDE,
  Collider,
  Header,
  NONE,
  QUERY_STATE_STRIDE,
  QueryState,
  Ray,
  RayHit,
  SHAPE_HEIGHTFIELD,
  SHAPE_MESH,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { FLAG_ALIVE, FLAG_TYPE, coldAt } from '../bodies/rows';
import { NODE_STRIDE } from '../broadphase/bvh4';
import { BroadphaseState, Tree, broadphaseState } from '../broadphase/state';
import { inverseRotate3, quatMul, rotate3, storeRotation } from '../math/quat';
import { x3, y3, z3 } from '../math/vec3';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { rayHeightfield, rayMesh } from '../narrowphase/ray_mesh';
import { rayShape } from '../narrowphase/ray_shapes';

// Slab tests are rounded: boxes are taken this much (relative) longer along the ray.
const WIDEN: f32 = 1.0000005;
// Stands for 1 / 0, small enough that no product with a coordinate overflows.
const HUGE: f32 = 1e30;

function query(): QueryState {
  return changetype<QueryState>(<usize>header().queryState);
}

/** Farthest that any point of a moving body may lie outside of its fat box, m; found once a step. */
function boxSlack(): f32 {
  const h: Header = header();
  const q: QueryState = query();
  if (q.slackStep == h.stepCount + 1) return q.slack;
  const s: BroadphaseState = broadphaseState();
  let slack: f64 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const flags: u32 = coldAt(i).flags;
    if ((flags & FLAG_ALIVE) == 0 || (flags & FLAG_TYPE) == BODY_STATIC) continue;
    const beyond: f64 = load<f64>(<usize>header().paths + ((<usize>i) << 3)) - load<f64>(<usize>s.boxBudgets + ((<usize>i) << 3));
    slack = max<f64>(slack, beyond);
  }
  q.slackStep = h.stepCount + 1;
  q.slack = <f32>slack;
  return q.slack;
}

/** Children of a node that the ray (origin o, inverse direction i, splatted) enters before `best`, as four bits. */
function hitMask(node: usize, ox: v128, oy: v128, oz: v128, ix: v128, iy: v128, iz: v128, slack: v128, best: f32): u32 {
  // The plane that the ray meets first is chosen by its direction: taking the lesser of both would turn the inverted boxes of
  // absent children into endless ones.
  const zero: v128 = f32x4.splat(0);
  const backX: v128 = f32x4.lt(ix, zero),
    backY: v128 = f32x4.lt(iy, zero),
    backZ: v128 = f32x4.lt(iz, zero);
  const lowX: v128 = f32x4.sub(v128.load(node), slack),
    highX: v128 = f32x4.add(v128.load(node, 48), slack);
  const lowY: v128 = f32x4.sub(v128.load(node, 16), slack),
    highY: v128 = f32x4.add(v128.load(node, 64), slack);
  const lowZ: v128 = f32x4.sub(v128.load(node, 32), slack),
    highZ: v128 = f32x4.add(v128.load(node, 80), slack);
  const enterX: v128 = f32x4.mul(f32x4.sub(v128.bitselect(highX, lowX, backX), ox), ix);
  const enterY: v128 = f32x4.mul(f32x4.sub(v128.bitselect(highY, lowY, backY), oy), iy);
  const enterZ: v128 = f32x4.mul(f32x4.sub(v128.bitselect(highZ, lowZ, backZ), oz), iz);
  const leaveX: v128 = f32x4.mul(f32x4.sub(v128.bitselect(lowX, highX, backX), ox), ix);
  const leaveY: v128 = f32x4.mul(f32x4.sub(v128.bitselect(lowY, highY, backY), oy), iy);
  const leaveZ: v128 = f32x4.mul(f32x4.sub(v128.bitselect(lowZ, highZ, backZ), oz), iz);
  const enter: v128 = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, zero));
  const leave: v128 = f32x4.pmin(f32x4.pmin(leaveX, leaveY), leaveZ);
  const last: v128 = f32x4.pmin(f32x4.mul(leave, f32x4.splat(WIDEN)), f32x4.splat(best));
  return <u32>i32x4.bitmask(f32x4.le(enter, last));
}

/** Asks the shape of a collider; a hit before q.t becomes the result. */
function castAt(index: u32, o: v128, d: v128, mask: u32): void {
  const h: Header = header();
  const q: QueryState = query();
  const ptr: usize = <usize>h.colliders + <usize>index * COLLIDER_STRIDE;
  const c: Collider = changetype<Collider>(ptr);
  if ((c.category & mask) == 0 || (c.flags & COLLIDER_SENSOR) != 0) return;
  const body: usize = c.body;
  const columns: usize = changetype<usize>(q) + offsetof<QueryState>('c0x');
  let rotation: v128 = v128.load(<usize>h.rotations + (body << 4));
  let origin: v128 = v128.load(<usize>h.bodyCenters + body * BODY_CENTER_STRIDE);
  storeRotation(rotation, columns);
  if ((c.flags & COLLIDER_ALIGNED) == 0) {
    origin = f32x4.add(origin, rotate3(columns, v128.load(ptr, offsetof<Collider>('x'))));
    rotation = quatMul(rotation, v128.load(ptr, offsetof<Collider>('qx')));
    storeRotation(rotation, columns);
  }
  const ray: usize = changetype<usize>(q) + offsetof<QueryState>('rayX');
  const out: usize = changetype<usize>(q) + offsetof<QueryState>('hitNx');
  v128.store(ray, inverseRotate3(columns, f32x4.sub(o, origin)));
  v128.store(ray, inverseRotate3(columns, d), 16);
  changetype<Ray>(ray).maxT = q.t;
  const shapePtr: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE;
  const type: u32 = changetype<Shape>(shapePtr).type;
  q.foundFeature = 0;
  const feature: usize = changetype<usize>(q) + offsetof<QueryState>('foundFeature');
  let t: f32;
  if (type == SHAPE_MESH) t = rayMesh(shapePtr, ray, out, feature);
  else if (type == SHAPE_HEIGHTFIELD) t = rayHeightfield(shapePtr, ray, out, feature);
  else t = rayShape(shapePtr, ray, out);
  // Of equal hits the first collider counts, whatever the order of the tree.
  if (t < 0 || t > q.t || (t == q.t && index >= q.collider)) return;
  const hit: RayHit = changetype<RayHit>(out);
  v128.store(changetype<usize>(q) + offsetof<QueryState>('nx'), rotate3(columns, f32x4(hit.nx, hit.ny, hit.nz, 0)));
  q.t = t;
  q.collider = index;
  q.feature = q.foundFeature;
}

/** Whether the ray meets a collider's own box before q.t. */
function meetsBox(index: u32, o: v128, i: v128, slack: v128): bool {
  const box: usize = <usize>header().aabbs + <usize>index * AABB_STRIDE;
  const a: v128 = f32x4.mul(f32x4.sub(f32x4.sub(v128.load(box), slack), o), i);
  const b: v128 = f32x4.mul(f32x4.sub(f32x4.add(v128.load(box, 16), slack), o), i);
  const near: v128 = f32x4.pmin(a, b);
  const far: v128 = f32x4.pmax(a, b);
  const enter: f32 = max<f32>(max<f32>(x3(near), y3(near)), max<f32>(z3(near), 0));
  return enter <= min<f32>(min<f32>(x3(far), min<f32>(y3(far), z3(far))) * WIDEN, query().t);
}

function castTree(tree: Tree, o: v128, d: v128, i: v128, slack: v128, mask: u32): void {
  const q: QueryState = query();
  const leaves: usize = tree.leaves;
  if (tree.dirty != 0 || tree.levelCount == 0) {
    for (let k: u32 = 0; k < tree.leafCount; k++) {
      const c: u32 = load<u32>(leaves + ((<usize>k) << 2));
      if (c != NONE && meetsBox(c, o, i, slack)) castAt(c, o, d, mask);
    }
    return;
  }
  const ox: v128 = f32x4.splat(f32x4.extract_lane(o, 0));
  const oy: v128 = f32x4.splat(f32x4.extract_lane(o, 1));
  const oz: v128 = f32x4.splat(f32x4.extract_lane(o, 2));
  const ix: v128 = f32x4.splat(f32x4.extract_lane(i, 0));
  const iy: v128 = f32x4.splat(f32x4.extract_lane(i, 1));
  const iz: v128 = f32x4.splat(f32x4.extract_lane(i, 2));
  const nodes: usize = tree.nodes,
    levels: usize = tree.levels;
  // Per level the index of the node and its children still to visit.
  const stack: usize = changetype<usize>(q) + offsetof<QueryState>('index0');
  let level: i32 = <i32>tree.levelCount - 1;
  let index: u32 = 0;
  const root: usize = nodes + <usize>load<u32>(levels + ((<usize>level) << 2)) * NODE_STRIDE;
  let hits: u32 = hitMask(root, ox, oy, oz, ix, iy, iz, slack, q.t);
  while (true) {
    if (level == 0) {
      for (; hits != 0; hits &= hits - 1) {
        const c: u32 = load<u32>(leaves + ((<usize>((index << 2) + ctz<u32>(hits))) << 2));
        if (c != NONE) castAt(c, o, d, mask);
      }
    }
    while (hits == 0) {
      level++;
      if (level >= <i32>tree.levelCount) return;
      index = load<u32>(stack + ((<usize>level) << 3));
      hits = load<u32>(stack + ((<usize>level) << 3), 4);
    }
    const child: u32 = ctz<u32>(hits);
    store<u32>(stack + ((<usize>level) << 3), index);
    store<u32>(stack + ((<usize>level) << 3), hits & (hits - 1), 4);
    index = (index << 2) + child;
    level--;
    const node: usize = nodes + <usize>(load<u32>(levels + ((<usize>level) << 2)) + index) * NODE_STRIDE;
    hits = hitMask(node, ox, oy, oz, ix, iy, iz, slack, q.t);
  }
}

function inverse(x: f32): f32 {
  return abs<f32>(x) > 1 / HUGE ? 1 / x : HUGE;
}

/**
 * Casts a ray from (ox, oy, oz), world, m, along the unit vector (dx, dy, dz) up to maxT (m) against colliders that have a
 * category of `mask` and are no sensors. Returns the address of the QueryState whose first two rows are the nearest hit,
 * or 0 for a miss (or, header error set, without memory). A ray that starts inside of a convex shape hits at t = 0 with
 * the normal against its direction.
 */
export function castRay(ox: f32, oy: f32, oz: f32, dx: f32, dy: f32, dz: f32, maxT: f32, mask: u32): usize {
  const h: Header = header();
  if (h.queryState == 0) {
    h.queryState = <u32>allocate(QUERY_STATE_STRIDE);
    if (h.queryState == 0) return 0;
  }
  const q: QueryState = query();
  q.collider = NONE;
  q.t = maxT;
  const o: v128 = f32x4(ox, oy, oz, 0);
  const d: v128 = f32x4(dx, dy, dz, 0);
  const i: v128 = f32x4(inverse(dx), inverse(dy), inverse(dz), 0);
  const slack: v128 = f32x4.splat(boxSlack());
  const s: BroadphaseState = broadphaseState();
  castTree(changetype<Tree>(<usize>s.statics), o, d, i, slack, mask);
  castTree(changetype<Tree>(<usize>s.moving), o, d, i, slack, mask);
  return q.collider == NONE ? 0 : changetype<usize>(q);
}
