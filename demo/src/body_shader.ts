// Materials whose vertices are placed by pose textures: one for light, one for the shadow map. `instanced` geometry carries
// size and local pose an instance; merged geometry (hulls, meshes) carries only the body slot a vertex.
import { type IUniform, type Material, MeshDepthMaterial, MeshStandardMaterial, ShaderMaterial } from 'three';
import { BLOB, type Finish, OPACITY, ROUGHNESS } from './drawing';

/** Pose textures and how far pictures are between them (pose_textures.ts). */
type Uniforms = Record<string, IUniform>;

const DECLARATIONS = /* glsl */ `
// Body slot and tone.
attribute vec2 slot;
#ifdef INSTANCED
attribute vec4 size;
attribute vec3 localPosition;
attribute vec4 localRotation;
#endif
uniform highp sampler2D positionNow;
uniform highp sampler2D rotationNow;
uniform highp sampler2D positionBefore;
uniform highp sampler2D rotationBefore;
uniform sampler2D bodyColor;
uniform float blend;
varying vec4 vBodyColor;
varying vec3 vGround;

vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
ivec2 texelOf() { int s = int(slot.x + 0.5); return ivec2(s & 1023, s >> 10); }
vec4 bodyRotation() {
  vec4 now = texelFetch(rotationNow, texelOf(), 0);
  vec4 before = texelFetch(rotationBefore, texelOf(), 0);
  if (dot(before, before) < 0.5) before = now;
  if (dot(now, before) < 0.0) before = -before;
  vec4 q = mix(before, now, blend);
  return q / max(length(q), 1e-6);
}
// w is 0 where the slot is free: all vertices then fall on one point and nothing is drawn.
vec4 bodyPosition() {
  vec4 now = texelFetch(positionNow, texelOf(), 0);
  vec4 before = texelFetch(positionBefore, texelOf(), 0);
  return vec4(mix(before.w > 0.5 ? before.xyz : now.xyz, now.xyz, blend), now.w);
}
`;

const NORMAL = /* glsl */ `
vec3 objectNormal = normal;
#ifdef INSTANCED
objectNormal = turn(localRotation, normalize(objectNormal / size.xyz));
#endif
objectNormal = turn(bodyRotation(), objectNormal);
`;

const PLACE = /* glsl */ `
vec3 transformed = position;
#ifdef INSTANCED
transformed = transformed * size.xyz + vec3(0.0, sign(position.y) * size.w, 0.0);
transformed = localPosition + turn(localRotation, transformed);
#endif
vec4 placed = bodyPosition();
transformed = placed.w > 0.5 ? placed.xyz + turn(bodyRotation(), transformed) : vec3(0.0, -1e4, 0.0);
vBodyColor = texelFetch(bodyColor, texelOf(), 0);
vBodyColor.rgb = slot.y < 0.0 ? vec3(-slot.y) : vBodyColor.rgb * slot.y;
vGround = transformed;
`;

// Ground gets lines a meter apart that fade before they would flicker.
const COLOR = /* glsl */ `
#include <color_fragment>
diffuseColor.rgb *= vBodyColor.rgb;
if (vBodyColor.a < 0.5) {
  vec2 width = fwidth(vGround.xz);
  vec2 line = abs(fract(vGround.xz - 0.5) - 0.5) / max(width, 1e-4);
  float fade = 1.0 - smoothstep(0.05, 0.35, max(width.x, width.y));
  diffuseColor.rgb *= 1.0 - 0.16 * fade * (1.0 - min(min(line.x, line.y), 1.0));
}
`;

function patch(material: Material, uniforms: Uniforms, instanced: boolean): void {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = `${instanced ? '#define INSTANCED\n' : ''}${DECLARATIONS}${shader.vertexShader}`
      .replace('#include <beginnormal_vertex>', material instanceof MeshDepthMaterial ? '' : NORMAL)
      .replace('#include <begin_vertex>', PLACE);
    shader.fragmentShader = `varying vec4 vBodyColor;\nvarying vec3 vGround;\n${shader.fragmentShader}`.replace(
      '#include <color_fragment>',
      COLOR,
    );
  };
  material.customProgramCacheKey = () => `${material.type} ${instanced}`;
}

/** What has a finish is seen through, and has no shadow. */
export function bodyMaterial(uniforms: Uniforms, instanced: boolean, finish: Finish | null): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: ROUGHNESS, metalness: 0 });
  if (finish) Object.assign(material, { transparent: true, opacity: OPACITY[finish], depthWrite: false });
  patch(material, uniforms, instanced);
  return material;
}

export function shadowMaterial(uniforms: Uniforms, instanced: boolean): MeshDepthMaterial {
  const material = new MeshDepthMaterial();
  patch(material, uniforms, instanced);
  return material;
}

const BLOB_VERTEX = /* glsl */ `
#define INSTANCED
${DECLARATIONS}
uniform float floorHeight;
varying vec2 vAt;
varying float vStrength;
void main() {
  vec4 placed = bodyPosition();
  float radius = size.x;
  vAt = position.xz;
  vStrength = placed.w * size.y * (1.0 - smoothstep(1.0, 3.5, (placed.y - floorHeight) / radius));
  vec3 at = vec3(placed.x + radius * position.x, floorHeight + ${BLOB.lift.toFixed(3)}, placed.z + radius * position.z);
  gl_Position = vStrength > 0.0 ? projectionMatrix * viewMatrix * vec4(at, 1.0) : vec4(0.0);
}
`;

const BLOB_FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying float vStrength;
void main() {
  gl_FragColor = vec4(0.0, 0.0, 0.0, ${BLOB.opacity.toFixed(2)} * vStrength * (1.0 - smoothstep(0.35, 1.0, length(vAt))));
}
`;

export function blobMaterial(uniforms: Uniforms, floor: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { ...uniforms, floorHeight: { value: floor } },
    vertexShader: BLOB_VERTEX,
    fragmentShader: BLOB_FRAGMENT,
    transparent: true,
    depthWrite: false,
  });
}
