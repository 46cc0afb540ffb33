// The picture by WebGL 2: works everywhere, starts at once. Poses come from the CPU as textures (pose_textures.ts).
import {
  ACESFilmicToneMapping,
  type Camera,
  Color,
  type DirectionalLight,
  Fog,
  LineBasicMaterial,
  PCFShadowMap,
  Points,
  PointsMaterial,
  type Scene,
  WebGLCoordinateSystem,
  WebGLRenderer,
} from 'three';
import { type Drawing, EXPOSURE, FOG, LINE_OPACITY, type Rect } from './drawing';
import { PoseTextures } from './pose_textures';

export class WebglDrawing implements Drawing {
  readonly api = 'webgl';
  readonly canvas = document.createElement('canvas');
  private readonly renderer: WebGLRenderer;
  private height = 1;

  /** Throws where there is no WebGL 2. */
  constructor() {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = EXPOSURE;
    this.renderer.info.autoReset = false;
  }

  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  bodies(): PoseTextures {
    return new PoseTextures();
  }

  lines(color?: number): LineBasicMaterial {
    const own = color === undefined ? { vertexColors: true } : { color };
    return new LineBasicMaterial({ ...own, depthTest: false, transparent: true, opacity: LINE_OPACITY });
  }

  dots(color: number, size: number): Points {
    const points = new Points();
    points.material = new PointsMaterial({ color, size, sizeAttenuation: false, depthTest: false });
    return points;
  }

  sky(scene: Scene, color: number, far: number): void {
    scene.background = new Color(color);
    scene.fog = new Fog(color, far * FOG[0], far * FOG[1]);
  }

  shadows(light: DirectionalLight, size: number): void {
    light.castShadow = size > 0;
    if (size === 0 || light.shadow.mapSize.x === size) return;
    light.shadow.mapSize.set(size, size);
    light.shadow.map?.dispose();
    light.shadow.map = null;
  }

  resize(width: number, height: number, ratio: number): void {
    this.height = height;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  begin(panes: number): void {
    this.renderer.info.reset();
    this.renderer.setScissorTest(panes > 1);
  }

  draw(scene: Scene, camera: Camera, { x, y, width, height }: Rect): void {
    if (camera.coordinateSystem !== WebGLCoordinateSystem) {
      // It was WebGPU's before, whose depths go from 0 to 1.
      camera.coordinateSystem = WebGLCoordinateSystem;
      (camera as Camera & { updateProjectionMatrix(): void }).updateProjectionMatrix();
    }
    const bottom = this.height - y - height;
    this.renderer.setViewport(x, bottom, width, height);
    this.renderer.setScissor(x, bottom, width, height);
    this.renderer.render(scene, camera);
  }

  dispose(): void {
    this.renderer.dispose();
    // Browsers hold few contexts; a page that changes over often must not run out of them.
    this.renderer.forceContextLoss();
  }
}
