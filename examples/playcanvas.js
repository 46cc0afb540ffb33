// PlayCanvas: crates and balls by its own rigidbody and collision components, with talus below them. Click to push.
import * as pc from 'playcanvas';
import { createWorld } from 'talus';
import { TalusPhysicsWorld } from 'talus/playcanvas';

const canvas = document.body.appendChild(document.createElement('canvas'));
const physicsWorld = new TalusPhysicsWorld(await createWorld());
const app = new pc.Application(canvas, { physicsWorld, mouse: new pc.Mouse(canvas), graphicsDeviceOptions: { alpha: true } });
app.setCanvasFillMode(pc.FILLMODE_FILL_WINDOW);
app.setCanvasResolution(pc.RESOLUTION_AUTO);
addEventListener('resize', () => app.resizeCanvas());
app.scene.ambientLight = new pc.Color(0.5, 0.5, 0.55);
app.start();

/** An entity that can be seen, with a collision of its size and a body. */
function add(type, color, position, size, body) {
  const entity = new pc.Entity();
  const material = new pc.StandardMaterial();
  material.diffuse = new pc.Color().fromString(color);
  material.update();
  entity.addComponent('render', { type, material });
  entity.setLocalScale(...size);
  entity.setPosition(...position);
  app.root.addChild(entity);
  const halfExtents = size.map((length) => length / 2);
  entity.addComponent('collision', type === 'box' ? { type, halfExtents } : { type, radius: size[0] / 2 });
  entity.addComponent('rigidbody', body);
  return entity;
}

const camera = new pc.Entity();
camera.addComponent('camera', { fov: 45, clearColor: new pc.Color(0, 0, 0, 0) }); // the page shows through
camera.setPosition(6, 7, 15);
camera.lookAt(0, 1.5, 0);
app.root.addChild(camera);
const sun = new pc.Entity();
sun.addComponent('light', {
  type: 'directional',
  castShadows: true,
  shadowDistance: 40,
  shadowResolution: 2048,
  normalOffsetBias: 0.05,
});
sun.setEulerAngles(45, 40, 0);
app.root.addChild(sun);

add('box', '#8b99a6', [0, -0.5, 0], [24, 1, 24], { type: 'static', friction: 0.6 });
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'];
for (let i = 0; i < 60; i++) {
  const position = [1.1 * Math.sin(i), 1 + 0.9 * i, 1.1 * Math.cos(2 * i)];
  const type = i % 4 === 2 ? 'sphere' : 'box';
  add(type, colors[i % 4], position, [0.9, 0.9, 0.9], { type: 'dynamic', mass: 20, restitution: 0.2 });
}

app.mouse.on(pc.EVENT_MOUSEDOWN, ({ x, y }) => {
  const from = camera.getPosition();
  const to = camera.camera.screenToWorld(x, y, 100);
  const hit = app.systems.rigidbody.raycastFirst(from, to);
  const push = to.sub(from).normalize().mulScalar(160);
  if (hit?.entity.rigidbody.type === 'dynamic')
    hit.entity.rigidbody.applyImpulse(push, hit.point.clone().sub(hit.entity.getPosition()));
});
