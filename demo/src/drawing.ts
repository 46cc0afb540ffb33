// What the picture needs of a graphics API: WebGL 2 (webgl_drawing.ts) or WebGPU (webgpu_drawing.ts, loaded when it is wanted).
// Everything else about the picture (view.ts, bodies_view.ts, overlay.ts) is the same on both, and so is how it looks.
import type { Camera, DirectionalLight, Material, Mesh, Points, Scene } from 'three';
import type { World } from '../../src/study/index';

/** Tone mapping exposure, and where the fog begins and ends, m. */
export const EXPOSURE = 0.95;
export const FOG = [70, 240] as const;
export const ROUGHNESS = 0.62;
/** Of what one sees through, by its finish. */
export const OPACITY = { glass: 0.1, water: 0.45 } as const;
export type Finish = keyof typeof OPACITY;
export const LINE_OPACITY = 0.9;
/** Darkness of the spots below bodies, and their height over the ground, m. */
export const BLOB = { opacity: 0.42, lift: 0.012 } as const;

/** A rectangle of the canvas, CSS pixels from the top left. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Poses by slot: of a world, or of things that are drawn beside it. */
export type Poses = Pick<World, 'gpuPoses' | 'positions' | 'rotations' | 'slotCount' | 'stepCount'>;

/** Poses and colors of the bodies of one world where the vertex shader finds them, and the materials that read them. */
export interface BodyStore {
  /** sRGB and 255 for a moving body, 0 for one that stands still by nature: 4 bytes a slot. Call `colorsChanged` after writing. */
  readonly colors: Uint8Array;
  /** Takes over the poses after a step. `jump` forgets the ones before: bodies were made or removed. */
  take(poses: Poses, jump: boolean): void;
  colorsChanged(): void;
  /** Where the picture lies between the last two steps: 0 the one before, 1 the last. */
  blend: number;
  /** How often poses were taken over from the solver's buffer on the GPU, and from the CPU. */
  readonly taken: { gpu: number; cpu: number };
  /**
   * `instanced` geometry carries size and local pose an instance, merged geometry only the body slot a vertex. With the slot goes a tone: a
   * factor of the color of the body, or, if negative, a gray of its own (linear, 0 to 1).
   */
  material(instanced: boolean, finish: Finish | null): Material;
  /**
   * Of soft dark spots on level ground below bodies, for instanced geometry with the radius as `size`: what is left where shadows are
   * too dear. They fade where a body rises by more than its radius over the ground.
   * @param floor height of the ground, m
   */
  blobMaterial(floor: number): Material;
  /** Null where the API derives it from the other material. */
  shadowMaterial(instanced: boolean): Material | null;
  dispose(): void;
}

export interface Drawing {
  readonly api: 'webgl' | 'webgpu';
  readonly canvas: HTMLCanvasElement;
  /** Draw calls since `begin`, shadows included. */
  readonly drawCalls: number;
  bodies(): BodyStore;
  /** Lines that are seen through everything; without a color of the color of their vertices. */
  lines(color?: number): Material;
  /** Round or square dots of a size in CSS pixels, seen through everything; one a vertex, or one an instance, of their geometry. */
  dots(color: number, size: number): Points | Mesh;
  /** Color behind everything, which is that of the fog too; the fog is that many times as far away as usual. */
  sky(scene: Scene, color: number, far: number): void;
  /** Texels of the edge of a shadow map; 0 for no shadows. */
  shadows(light: DirectionalLight, size: number): void;
  /** CSS pixels, and pixels a CSS pixel. */
  resize(width: number, height: number, ratio: number): void;
  /** A new picture of one or two panes. */
  begin(panes: number): void;
  draw(scene: Scene, camera: Camera, part: Rect): void;
  /** The picture goes elsewhere: gives up what is not wanted until this one is asked for again. */
  dispose(): void;
}
