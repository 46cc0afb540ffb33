// The part of the impulses of locked axes that answers impulses of single axes. Kernels declare `joints`. Twin:
// assembly/split/joint_answers.ts.
#import joint_block

struct Answers {
  force: vec3f,
  torque: vec3f,
}

fn answers_of(rows: u32, driven: u32) -> Answers {
  var out = Answers(vec3f(), vec3f());
  for (var u = 0u; u < 7u; u++) {
    if (!bit(driven, u)) { continue; }
    let group = rows + (u >> 2u);
    let lane = u & 3u;
    let at = rows + JOINT_ROW_UNITS + 5u * u;
    let pushed = joints[group + JOINT_ROW_LIMITS][lane] + joints[group + JOINT_ROW_DRIVES][lane];
    let z = pushed + joints[group + JOINT_ROW_RUBS][lane];
    out.force = out.force + joints[at + 3u].xyz * z;
    out.torque = out.torque + joints[at + 4u].xyz * z;
  }
  return out;
}
