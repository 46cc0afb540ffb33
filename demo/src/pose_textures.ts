// Body poses and colors as textures, one texel a body slot, read by the vertex shader: the CPU copies the world's own arrays
// and computes nothing a body. The poses before the last step are kept too, so that pictures between steps are smooth.
import {
  DataTexture,
  FloatType,
  type MeshDepthMaterial,
  type MeshStandardMaterial,
  NearestFilter,
  RGBAFormat,
  type ShaderMaterial,
  SRGBColorSpace,
  UnsignedByteType,
} from 'three';
import { blobMaterial, bodyMaterial, shadowMaterial } from './body_shader';
import type { BodyStore, Finish, Poses } from './drawing';

const WIDTH = 1024;

function floats(data: Float32Array, rows: number): DataTexture {
  const texture = new DataTexture(data, WIDTH, rows, RGBAFormat, FloatType);
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export class PoseTextures implements BodyStore {
  /** Uniforms shared by all materials that draw bodies of this world. */
  readonly uniforms = {
    positionNow: { value: null as DataTexture | null },
    rotationNow: { value: null as DataTexture | null },
    positionBefore: { value: null as DataTexture | null },
    rotationBefore: { value: null as DataTexture | null },
    bodyColor: { value: null as DataTexture | null },
    blend: { value: 1 },
  };
  readonly taken = { gpu: 0, cpu: 0 };
  colors = new Uint8Array(0);
  private rows = 0;

  /** Room for body slots. */
  private reserve(slots: number): void {
    const rows = Math.max(1, Math.ceil(slots / WIDTH));
    if (rows <= this.rows) return;
    this.rows = Math.max(rows, Math.ceil(1.5 * this.rows));
    const length = 4 * WIDTH * this.rows;
    const u = this.uniforms;
    for (const key of ['positionNow', 'rotationNow', 'positionBefore', 'rotationBefore'] as const) {
      const old = u[key].value;
      const data = new Float32Array(length);
      if (old) data.set(old.image.data as unknown as Float32Array);
      old?.dispose();
      u[key].value = floats(data, this.rows);
    }
    const colors = new Uint8Array(length);
    colors.set(this.colors);
    this.colors = colors;
    u.bodyColor.value?.dispose();
    const texture = new DataTexture(colors, WIDTH, this.rows, RGBAFormat, UnsignedByteType);
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = NearestFilter;
    texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    u.bodyColor.value = texture;
  }

  get blend(): number {
    return this.uniforms.blend.value;
  }

  set blend(value: number) {
    this.uniforms.blend.value = value;
  }

  take({ positions, rotations }: Poses, jump: boolean): void {
    this.reserve(positions.length / 4);
    this.taken.cpu++;
    const u = this.uniforms;
    if (!jump) {
      [u.positionNow.value, u.positionBefore.value] = [u.positionBefore.value, u.positionNow.value];
      [u.rotationNow.value, u.rotationBefore.value] = [u.rotationBefore.value, u.rotationNow.value];
    }
    this.write(u.positionNow.value!, positions);
    this.write(u.rotationNow.value!, rotations);
    if (!jump) return;
    this.write(u.positionBefore.value!, positions);
    this.write(u.rotationBefore.value!, rotations);
  }

  private write(texture: DataTexture, values: Float32Array): void {
    (texture.image.data as unknown as Float32Array).set(values);
    texture.needsUpdate = true;
  }

  colorsChanged(): void {
    this.uniforms.bodyColor.value!.needsUpdate = true;
  }

  material(instanced: boolean, finish: Finish | null): MeshStandardMaterial {
    return bodyMaterial(this.uniforms, instanced, finish);
  }

  blobMaterial(floor: number): ShaderMaterial {
    return blobMaterial(this.uniforms, floor);
  }

  shadowMaterial(instanced: boolean): MeshDepthMaterial {
    return shadowMaterial(this.uniforms, instanced);
  }

  dispose(): void {
    for (const key of ['positionNow', 'rotationNow', 'positionBefore', 'rotationBefore', 'bodyColor'] as const) {
      this.uniforms[key].value?.dispose();
    }
  }
}
