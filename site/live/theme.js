// Scenes of live examples in the theme of the site: their surroundings change color, and a tall screen sees as much to the sides as a wide one.
// Used by the page of an example (stage.js) and by its workers (talus.js).
import { Color, MathUtils, Scene } from 'three';

/** The theme: 'light' or 'dark'. */
export const stage = { theme: 'light' };

/** Colors of the examples that make up their surroundings, and what they are in the dark. */
const DARK = {
  dfe6ec: '#161b22', // sky, fog
  b0bdc8: '#414c59', // ground
  '94a3b0': '#5b6876', // fixed things
  '2f3e4d': '#8496a8', // dark paint, which would vanish
  '26323d': '#dfe5ec', // lines
};
const nightOf = new Map(Object.entries(DARK).map(([day, night]) => [day, new Color(night)]));
/** Colors as the example set them, by the object that holds them. */
const days = new WeakMap();

function paint(color, dark) {
  const day = days.get(color) ?? days.set(color, color.clone()).get(color);
  color.copy((dark && nightOf.get(day.getHexString())) || day);
}
function paintMaterial(material, dark) {
  if (!material.color) return;
  if (!material.isLineBasicMaterial) paint(material.color, dark);
  else if (material.vertexColors) material.color.setScalar(dark ? 0.35 : 1); // grids
}
function paintScene(scene, dark) {
  if (scene.background?.isColor) paint(scene.background, dark);
  if (scene.fog) paint(scene.fog.color, dark);
  scene.traverse((object) => {
    if (object.isLight) {
      object.userData.day ??= object.intensity;
      object.intensity = object.userData.day * (dark ? 0.75 : 1);
    }
    for (const material of [object.material ?? []].flat()) paintMaterial(material, dark);
  });
}

/** A tall screen sees as much to the sides as one of 4 : 3. */
function fit(camera) {
  if (!camera.isPerspectiveCamera) return;
  camera.userData.fov ??= camera.fov;
  const wide = Math.tan(MathUtils.degToRad(camera.userData.fov / 2));
  const fov = 2 * MathUtils.radToDeg(Math.atan(wide * Math.max(1, 4 / 3 / camera.aspect)));
  if (Math.abs(fov - camera.fov) < 0.01) return;
  camera.fov = Math.min(fov, 95);
  camera.updateProjectionMatrix();
}

const painted = new WeakMap();
Scene.prototype.onBeforeRender = (_, scene, camera) => {
  const { theme } = stage;
  // Objects come and go: what is new is painted with the rest.
  const key = `${theme} ${scene.children.length}`;
  if (painted.get(scene) !== key) paintScene(scene, theme === 'dark');
  painted.set(scene, key);
  fit(camera);
};
