// What body_shader.ts is for WebGL, as node materials for WebGPU: the vertex shader places bodies by poses in a storage buffer.
// Tone mapping, sRGB and fog come in the same order as in three's WebGL shaders (fog last, in sRGB), and right in the material,
// so both APIs show the same picture and no second pass over the canvas is needed.
import {
  acesFilmicToneMapping,
  attribute,
  cameraProjectionMatrix,
  cross,
  dot,
  Fn,
  float,
  fract,
  fwidth,
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
  vec2,
  vec3,
  vec4,
  viewportSize,
} from 'three/tsl';
import {
  Color,
  LineBasicNodeMaterial,
  MeshBasicNodeMaterial,
  MeshStandardNodeMaterial,
  type Node,
  StorageBufferAttribute,
} from 'three/webgpu';
import { EXPOSURE, type Finish, FOG, LINE_OPACITY, OPACITY, ROUGHNESS } from './drawing';

/** A storage buffer of three's that stands for one of ours: the array is never read (see `adopt` in webgpu_drawing.ts). */
export function placeholder(): StorageBufferAttribute {
  return new StorageBufferAttribute(new Float32Array(4), 4);
}

/** What the materials of one world read. Values are changed as the world runs. */
export class BodyInputs {
  /** Two vec4 a slot: position (w is 0 where the slot is free) and rotation; several sets of them behind each other. */
  readonly poses = storage(placeholder(), 'vec4', 0).toReadOnly();
  /** sRGB bytes a slot, the red one lowest. */
  readonly colors = storage(placeholder(), 'uint', 0).toReadOnly();
  /** Where the sets of the last step and of the one before begin, in vec4. */
  readonly now = uniform(0, 'uint');
  readonly before = uniform(0, 'uint');
  readonly blend = uniform(1);
}

/** Color of the fog, sRGB. */
export const fogColor = uniform(new Color());

const turn = (q: Node<'vec4'>, v: Node<'vec3'>): Node<'vec3'> => v.add(cross(q.xyz, cross(q.xyz, v).add(v.mul(q.w))).mul(2));

const displayed = (): Node<'vec3'> => sRGBTransferOETF(acesFilmicToneMapping(output.rgb, float(EXPOSURE))) as Node<'vec3'>;

/** The color of a lit surface as it is shown. */
function shown(): Node<'vec4'> {
  const far = smoothstep(FOG[0], FOG[1], positionView.z.negate());
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
export function bodyMaterial(inputs: BodyInputs, instanced: boolean, finish: Finish | null): MeshStandardNodeMaterial {
  const { poses, colors, now, before, blend } = inputs;
  const slot = attribute('slot', 'float').add(0.5).toUint();

  const material = new MeshStandardNodeMaterial({ roughness: ROUGHNESS, metalness: 0 });
  if (finish) {
    material.transparent = true;
    material.opacity = OPACITY[finish];
    material.depthWrite = false;
  }
  material.fog = false;
  material.positionNode = Fn(() => {
    const at = slot.mul(2);
    const position = poses.element(now.add(at)).toVar();
    const rotation = poses.element(now.add(at).add(1)).toVar();
    const earlier = poses.element(before.add(at)).toVar();
    const turned = poses.element(before.add(at).add(1)).toVar();
    turned.assign(select(dot(turned, turned).lessThan(0.5), rotation, turned));
    turned.assign(select(dot(rotation, turned).lessThan(0), turned.negate(), turned));
    const q = normalize(mix(turned, rotation, blend)).toVar();
    const origin = mix(select(earlier.w.greaterThan(0.5), earlier.xyz, position.xyz), position.xyz, blend);

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
    return select(position.w.greaterThan(0.5), turn(q, point).add(origin), vec3(0, -1e4, 0));
  })();

  const bytes = colors.element(slot).toVar();
  const channel = (shift: number) => bytes.shiftRight(shift).bitAnd(255).toFloat().div(255);
  const linear = sRGBTransferEOTF(vec3(channel(0), channel(8), channel(16))) as Node<'vec3'>;
  const color = vec4(linear, channel(24));
  material.colorNode = gridded(varying(color));
  material.outputNode = shown();
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
