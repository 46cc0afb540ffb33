// The debug view of a world: `world.readDebugLines` as an object of a scene.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, Sphere, Vector3 } from 'three';
import type { DebugLineOptions, DebugLines, World } from '../index';

/**
 * Draws colliders, contacts, joints and bounds of a world as lines. Add it to a scene, and call `sync` in each frame or attach it
 * by `physics.attach`.
 */
export class DebugRenderer extends LineSegments<BufferGeometry, LineBasicMaterial> {
  private lines: DebugLines = { count: 0, positions: new Float32Array(0), colors: new Float32Array(0) };

  /** You may change `lineOptions` at any time. */
  constructor(
    readonly world: Pick<World, 'readDebugLines'>,
    public lineOptions: DebugLineOptions = {},
  ) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, toneMapped: false, depthTest: true }));
    this.name = 'talus debug';
    this.frustumCulled = false;
    // So that three does not look for them.
    this.geometry.boundingSphere = new Sphere(new Vector3(), Number.POSITIVE_INFINITY);
    this.renderOrder = 1000;
    // Rays of the scene pass through it.
    this.raycast = () => undefined;
  }

  /** Updates the lines from the world; does nothing while it is not visible. */
  sync(alpha?: number): void {
    if (!this.visible) return;
    const options = alpha === undefined ? this.lineOptions : { alpha, ...this.lineOptions };
    const { positions } = this.lines;
    this.lines = this.world.readDebugLines(options, this.lines);
    if (this.lines.positions !== positions || !this.geometry.hasAttribute('position')) {
      // three keeps the size of buffers that it has seen.
      this.geometry.dispose();
      for (const [name, array] of [
        ['position', this.lines.positions],
        ['color', this.lines.colors],
      ] as const) {
        this.geometry.setAttribute(name, new BufferAttribute(array, 3).setUsage(DynamicDrawUsage));
      }
    }
    for (const name of ['position', 'color']) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * this.lines.count);
      attribute.needsUpdate = true;
    }
    this.geometry.setDrawRange(0, this.lines.count);
  }

  override dispose(): void {
    this.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
  }
}
