// The picture by WebGPU, on the device that the solver uses: poses never leave the GPU (pose_buffers.ts). A chunk of its own,
// loaded when the solver first goes to WebGPU.
import type { Camera, DirectionalLight, Scene } from 'three';
import {
  BufferAttribute,
  Color,
  InstancedBufferGeometry,
  LinearSRGBColorSpace,
  Mesh,
  NoToneMapping,
  PCFShadowMap,
  WebGPURenderer,
} from 'three/webgpu';
import { adopterOf } from '../../src/three_webgpu/adopter';
import { dotMaterial, fogColor, fogFar, lineMaterial } from './body_nodes';
import type { Drawing, Rect } from './drawing';
import { PoseBuffers } from './pose_buffers';

const drawings = new WeakMap<GPUDevice, Promise<WebgpuDrawing>>();

export class WebgpuDrawing implements Drawing {
  readonly api = 'webgpu';
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGPURenderer;
  private readonly clear = new Color();
  private first = true;

  /**
   * The drawing of a device, the same one as long as the device lives: three's renderer waits for the loss of its device, so that
   * every renderer, with its canvas and node graphs, is held as long as that. And what it has compiled is there at once.
   */
  static create(device: GPUDevice): Promise<WebgpuDrawing> {
    let made = drawings.get(device);
    if (!made) {
      made = WebgpuDrawing.make(device);
      drawings.set(device, made);
      made.catch(() => drawings.delete(device));
    }
    return made;
  }

  private static async make(device: GPUDevice): Promise<WebgpuDrawing> {
    const drawing = new WebgpuDrawing(device);
    await drawing.renderer.init();
    return drawing;
  }

  private constructor(device: GPUDevice) {
    const canvas = document.createElement('canvas');
    this.canvas = canvas;
    this.renderer = new WebGPURenderer({ canvas, device, antialias: true, alpha: false });
    // The page tells of a lost device and goes on; for three it would be an error in the console.
    this.renderer.onDeviceLost = () => undefined;
    // Materials write sRGB themselves (body_nodes.ts).
    this.renderer.toneMapping = NoToneMapping;
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = false;
  }

  get drawCalls(): number {
    return this.renderer.info.render.drawCalls;
  }

  bodies(): PoseBuffers {
    return new PoseBuffers(adopterOf(this.renderer.backend));
  }

  lines(color?: number) {
    return lineMaterial(color);
  }

  dots(color: number, size: number): Mesh {
    const geometry = new InstancedBufferGeometry();
    const corners = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    return new Mesh(geometry, dotMaterial(color, size));
  }

  sky(_scene: Scene, color: number, far: number): void {
    fogFar.value = far;
    this.clear.setHex(color, LinearSRGBColorSpace);
    this.renderer.setClearColor(this.clear);
    fogColor.value.copy(this.clear);
  }

  shadows(light: DirectionalLight, size: number): void {
    light.castShadow = size > 0;
    // three changes the map to this size with the next picture.
    if (size > 0) light.shadow.mapSize.set(size, size);
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  begin(panes: number): void {
    this.renderer.info.reset();
    this.renderer.setScissorTest(panes > 1);
    this.first = true;
  }

  draw(scene: Scene, camera: Camera, { x, y, width, height }: Rect): void {
    this.renderer.setViewport(x, y, width, height);
    this.renderer.setScissor(x, y, width, height);
    // Clearing knows no scissor.
    this.renderer.autoClear = this.first;
    this.first = false;
    this.renderer.render(scene, camera);
  }

  /** Bodies and overlays have given back what is theirs; the renderer stays with its device, without pictures of the canvas' size. */
  dispose(): void {
    this.renderer.setSize(1, 1, false);
    const target = this.renderer.getCanvasTarget();
    target.dispose();
    // Disposing ends three's listening to it.
    this.renderer.setCanvasTarget(target);
  }
}
