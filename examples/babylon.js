// Babylon.js: crates, balls and a hinged door by the plugin for its own physics. Click to push.

import {
  ArcRotateCamera,
  Color3,
  Color4,
  DirectionalLight,
  Engine,
  HemisphericLight,
  HingeConstraint,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Scene,
  ShadowGenerator,
  StandardMaterial,
  Vector3,
} from '@babylonjs/core';
import { createWorld } from 'talus';
import { TalusPlugin } from 'talus/babylon';

const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.style.cssText = 'width:100vw;height:100vh;display:block';
const engine = new Engine(canvas, true);
const scene = new Scene(engine);
scene.clearColor = new Color4(0, 0, 0, 0); // the page shows through
const camera = new ArcRotateCamera('camera', -1.2, 1.2, 16, new Vector3(0, 1.6, 0), scene);
camera.attachControl(canvas, true);
new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.5;
const sun = new DirectionalLight('sun', new Vector3(-1, -2, 1), scene);
sun.position.set(8, 16, -8);
sun.intensity = 0.7;
const shadows = new ShadowGenerator(1024, sun);
addEventListener('resize', () => engine.resize());

scene.enablePhysics(new Vector3(0, -9.81, 0), new TalusPlugin(await createWorld()));
const { BOX, SPHERE } = PhysicsShapeType;
function add(mesh, type, color, [x, y, z], options) {
  mesh.position.set(x, y, z);
  mesh.material = new StandardMaterial(color, scene);
  mesh.material.diffuseColor = Color3.FromHexString(color);
  mesh.material.specularColor.set(0, 0, 0);
  mesh.receiveShadows = true;
  shadows.addShadowCaster(mesh);
  return new PhysicsAggregate(mesh, type, options, scene);
}

const box = (width, height, depth) => MeshBuilder.CreateBox('box', { width, height, depth }, scene);
add(box(24, 1, 24), BOX, '#8b99a6', [0, -0.5, 0], { mass: 0, friction: 0.6 });
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'];
for (let i = 0; i < 48; i++) {
  const ball = i % 4 === 2 && MeshBuilder.CreateSphere('ball', { diameter: 0.9 }, scene);
  const position = [1.1 * Math.sin(i), 1 + 0.9 * i, 1.1 * Math.cos(2 * i)];
  add(ball || box(0.9, 0.9, 0.9), ball ? SPHERE : BOX, colors[i % 4], position, { mass: 20, restitution: 0.2 });
}
const post = add(box(0.3, 3, 0.3), BOX, '#5b6876', [-5.5, 1.5, 0], { mass: 0 });
const door = add(box(1.8, 2.6, 0.15), BOX, '#e0b36a', [-4.4, 1.5, 0], { mass: 30 });
const up = new Vector3(0, 1, 0);
post.body.addConstraint(door.body, new HingeConstraint(new Vector3(0.15, 0, 0), new Vector3(-0.95, 0, 0), up, up, scene));

scene.onPointerPick = ({ ray }, { hit, pickedMesh, pickedPoint }) => {
  if (hit) pickedMesh.physicsBody?.applyImpulse(ray.direction.scale(160), pickedPoint);
};
engine.runRenderLoop(() => scene.render());
