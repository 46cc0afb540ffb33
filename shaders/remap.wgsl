// Moves the impulses that stay on the GPU from the links of the last step to those of this one: one lane a link.
// A link whose impulses the CPU changed takes the uploaded ones. Separations come with the points: the contacts stage has the
// end separations of the last step back and carries them on itself where a contact was kept.
#import layout

override LANES: u32 = 64u;

const FRESH = 0x80000000u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> maps: array<SplitMap>;
@group(0) @binding(2) var<storage, read> links: array<SplitLink>;
@group(0) @binding(3) var<storage, read> fresh: array<SplitFresh>;
@group(0) @binding(4) var<storage, read> oldImpulses: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(6) var<storage, read> points: array<SplitPoint>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let link = id.x;
  if (link >= params.count) { return; }
  let first = links[link].ids.y;
  let count = links[link].ids.z & 255u;
  let source = maps[link].source;
  let rolls = (params.flags & 8u) != 0u;
  let size = select(1u, 3u, (params.flags & 4u) != 0u);
  let state = params.linkStates + link * size;
  if ((source & FRESH) != 0u) {
    let at = source & ~FRESH;
    impulses[state] = fresh[at].link;
    if (size == 3u) {
      impulses[state + 1u] = fresh[at].tangents0;
      impulses[state + 2u] = fresh[at].tangents1;
    }
    if (rolls) { impulses[params.rollStates + link] = fresh[at].roll; }
    let normals = fresh[at].normals;
    let excess = fresh[at].excess;
    for (var i = 0u; i < count; i++) {
      impulses[first + i] = vec4f(normals[i], 0.0, points[first + i].anchorA.w, excess[i]);
    }
    return;
  }
  let oldState = params.oldLinkStates + source * size;
  impulses[state] = vec4f(oldImpulses[oldState].xyz, 0.0);
  for (var i = 1u; i < size; i++) { impulses[state + i] = oldImpulses[oldState + i]; }
  if (rolls) { impulses[params.rollStates + link] = oldImpulses[params.oldRollStates + source]; }
  let oldFirst = maps[link].sourcePoint;
  for (var i = 0u; i < count; i++) {
    let old = oldImpulses[oldFirst + i];
    impulses[first + i] = vec4f(old.x, 0.0, points[first + i].anchorA.w, old.w);
  }
}
