// Which materials a WebGPURenderer can draw.
import type { Material } from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { TalusError } from '../index';

/** The part of three's renderer that knows which classes of materials have a node material that draws them. */
interface Library {
  getMaterialNodeClass?(type: string): unknown;
}

/** Throws 'unsupported' for a material that three would replace by an empty one. */
export function checkMaterial(renderer: WebGPURenderer, material: Material): void {
  if ((material as { isNodeMaterial?: boolean }).isNodeMaterial === true) return;
  const { library } = renderer as unknown as { library?: Library };
  // Without the list it is up to three.
  if (!library?.getMaterialNodeClass || library.getMaterialNodeClass(material.type)) return;
  throw new TalusError(
    'unsupported',
    `a WebGPURenderer cannot draw a ${material.type}: use a node material of 'three/webgpu', such as MeshStandardNodeMaterial with a colorNode`,
  );
}
