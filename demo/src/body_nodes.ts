// What body_shader.ts is for WebGL, as node materials for WebGPU: the vertex shader places bodies by poses in a storage buffer.
// Tone mapping, sRGB and fog come in the same order as in three's WebGL shaders (fog last, in sRGB), and right in the material,
// so both APIs show the same picture and no second pass over the canvas is needed.
import {
  acesFilmicToneMapping,
  attribute,
  cameraProjectionMatrix,
  Fn,
  float,
  fract,
  fwidth,
  length,
  materialColor,
  max,
  min,
  mix,
  modelViewMatrix,
  normalGeometry,
  normalize,
  normalLocal,
  output,
  positionGeometry,
  positionView,
  positionWorld,
  screenDPR,
  select,
  sign,
  smoothstep,
  sRGBTransferEOTF,
  sRGBTransferOETF,
  storage,
  uniform,
  varying,
  varyingProperty,
  vec2,
  vec3,
  vec4,
  viewportSize,
} from 'three/tsl';
import { Color, LineBasicNodeMaterial, MeshBasicNodeMaterial, MeshStandardNodeMaterial, type Node } from 'three/webgpu';
import { BLOB, EXPOSURE, type Finish, FOG, LINE_OPACITY, OPACITY, ROUGHNESS } from './drawing';
import { type PoseInputs, placeholder, poseOf, turn } from './pose_nodes';

/** sRGB bytes a slot, the red one lowest. */
export const colorInput = () => storage(placeholder(), 'uint', 0).toReadOnly();

/** Color of the fog, sRGB. */
export const fogColor = uniform(new Color());
/** How many times as far away as usual the fog is. */
export const fogFar = uniform(1);

const displayed = (): Node<'vec3'> => sRGBTransferOETF(acesFilmicToneMapping(output.rgb, float(EXPOSURE))) as Node<'vec3'>;

/** The color of a lit surface as it is shown. */
function shown(): Node<'vec4'> {
  const far = smoothstep(FOG[0], FOG[1], positionView.z.negate().div(fogFar));
  return vec4(mix(displayed(), fogColor, far), output.a);
}

/** Ground gets lines a meter apart that fade before they would flicker. */
function gridded(color: Node<'vec4'>): Node<'vec4'> {
  const ground = positionWorld.xz;
  const width = fwidth(ground).toVar();
  const line = fract(ground.sub(0.5))
    .sub(0.5)
    .abs()
    .div(max(width, vec2(1e-4)));
  const fade = smoothstep(0.05, 0.35, max(width.x, width.y)).oneMinus();
  const shade = fade
    .mul(min(min(line.x, line.y), float(1)).oneMinus())
    .mul(0.16)
    .oneMinus();
  return vec4(color.rgb.mul(select(color.a.lessThan(0.5), shade, float(1))), 1);
}

/** What has a finish is seen through, and has no shadow. */
export function bodyMaterial(
  poses: PoseInputs,
  colors: ReturnType<typeof colorInput>,
  instanced: boolean,
  finish: Finish | null,
): MeshStandardNodeMaterial {
  const slotAndTone = attribute('slot', 'vec2');
  const slot = slotAndTone.x.add(0.5).toUint();
  const tone = slotAndTone.y;

  const material = new MeshStandardNodeMaterial({ roughness: ROUGHNESS, metalness: 0 });
  if (finish) {
    material.transparent = true;
    material.opacity = OPACITY[finish];
    material.depthWrite = false;
  }
  material.fog = false;
  material.positionNode = Fn(() => {
    const { q, origin, isThere } = poseOf(poses, slot);
    let normal: Node<'vec3'> = normalGeometry;
    let point: Node<'vec3'> = positionGeometry;
    if (instanced) {
      const size = attribute('size', 'vec4');
      const local = attribute('localRotation', 'vec4');
      normal = turn(local, normalize(normal.div(size.xyz)));
      point = point.mul(size.xyz).add(vec3(0, sign(point.y).mul(size.w), 0));
      point = turn(local, point).add(attribute('localPosition', 'vec3'));
    }
    normalLocal.assign(turn(q, normal));
    // Free slots: all vertices fall on one point, and nothing is drawn.
    return select(isThere, turn(q, point).add(origin), vec3(0, -1e4, 0));
  })();

  const bytes = colors.element(slot).toVar();
  const channel = (shift: number) => bytes.shiftRight(shift).bitAnd(255).toFloat().div(255);
  const linear = sRGBTransferEOTF(vec3(channel(0), channel(8), channel(16))) as Node<'vec3'>;
  const toned = select(tone.lessThan(0), vec3(tone.negate()), linear.mul(tone)) as Node<'vec3'>;
  const color = vec4(toned, channel(24));
  material.colorNode = gridded(varying(color));
  material.outputNode = shown();
  return material;
}

/** Soft dark spots on level ground below bodies. */
export function blobMaterial(poses: PoseInputs, floor: number): MeshBasicNodeMaterial {
  const slot = attribute('slot', 'vec2').x.add(0.5).toUint();
  const size = attribute('size', 'vec4');
  const radius = size.x;
  const material = new MeshBasicNodeMaterial({ transparent: true, depthWrite: false });
  material.fog = false;
  const strength = varyingProperty('float', 'blobStrength');
  const at = varyingProperty('vec2', 'blobAt');
  material.positionNode = Fn(() => {
    const { origin, isThere } = poseOf(poses, slot);
    strength.assign(smoothstep(1, 3.5, origin.y.sub(floor).div(radius)).oneMinus().mul(size.y));
    at.assign(positionGeometry.xz);
    const corner = vec3(
      origin.x.add(radius.mul(positionGeometry.x)),
      floor + BLOB.lift,
      origin.z.add(radius.mul(positionGeometry.z)),
    );
    return select(isThere, corner, vec3(0, -1e4, 0));
  })();
  const inside = smoothstep(0.35, 1, length(at)).oneMinus();
  material.outputNode = vec4(0, 0, 0, strength.mul(inside).mul(BLOB.opacity));
  return material;
}

/** Lines that are seen through everything; without a color of the color of their vertices. */
export function lineMaterial(color?: number): LineBasicNodeMaterial {
  const own = color === undefined ? { vertexColors: true } : { color };
  const material = new LineBasicNodeMaterial({ ...own, depthTest: false, transparent: true, opacity: LINE_OPACITY });
  material.fog = false;
  material.outputNode = shown();
  return material;
}

/** Squares of `size` CSS pixels about the `center` of each instance: WebGPU draws points as single pixels. */
export function dotMaterial(color: number, size: number): MeshBasicNodeMaterial {
  const material = new MeshBasicNodeMaterial({ color, depthTest: false });
  material.fog = false;
  material.vertexNode = Fn(() => {
    const at = cameraProjectionMatrix.mul(modelViewMatrix.mul(vec4(attribute('center', 'vec3'), 1))).toVar();
    const offset = positionGeometry.xy.mul(screenDPR.mul(size)).div(viewportSize).mul(at.w);
    return vec4(at.xy.add(offset), at.zw);
  })();
  material.colorNode = materialColor;
  material.outputNode = vec4(displayed(), 1);
  return material;
}
