// A small renderer in WebGL 2 for the front page: instanced meshes with one sun, its shadow, soft light from the sky and a floor that
// fades into the page. It has no more than these scenes need, so that the page stays light. In: meshes as triangles, poses as 4 x 4
// matrices, a camera, the theme. Out: pictures on a canvas.

/** Colors by theme; `sky` and `ground` light what the sun does not reach (linear RGB), `paper` is the page, `shadow` tints the floor. */
export const THEMES = {
  light: {
    paper: '#fbfaf7',
    floor: '#f4f1e9',
    shadow: [0.72, 0.73, 0.77],
    sun: [2.3, 2.15, 1.9],
    sky: [0.56, 0.62, 0.72],
    ground: [0.34, 0.3, 0.26],
  },
  dark: {
    paper: '#14171b',
    floor: '#232830',
    shadow: [0.42, 0.44, 0.48],
    sun: [2.3, 2.05, 1.7],
    sky: [0.42, 0.5, 0.64],
    ground: [0.2, 0.17, 0.16],
  },
};
/** Colors of bodies. */
export const PALETTE = ['#c8664a', '#d9895f', '#e0b36a', '#8fa3ad', '#b9b2a4'];

const SHADOW_SIZE = 1024;
/** Towards the sun. */
const SUN = normalize([-0.45, 0.85, 0.5]);

const VERTEX = `#version 300 es
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec4 color;
layout(location=3) in mat4 pose;
uniform mat4 view, light;
out vec3 at, up;
out vec4 shade, tint;
void main() {
  vec4 world = pose * vec4(place, 1.);
  at = world.xyz;
  up = mat3(pose) * normal;
  tint = color;
  shade = light * (world + vec4(normalize(up) * .03, 0.));
  gl_Position = view * world;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 at, up;
in vec4 shade, tint;
uniform sampler2DShadow map;
uniform vec3 sun, sunLight, skyLight, groundLight, paper, eye, shadowTint;
uniform vec4 fade;
out vec4 color;
float lit() {
  vec3 p = shade.xyz / shade.w * .5 + .5;
  if (p.x < 0. || p.x > 1. || p.y < 0. || p.y > 1. || p.z > 1.) return 1.;
  float sum = 0.;
  for (int x = -2; x <= 2; x++) for (int y = -2; y <= 2; y++)
    sum += texture(map, vec3(p.xy + vec2(x, y) / ${SHADOW_SIZE}., p.z - .0015));
  return sum / 25.;
}
void main() {
  float sunlit = lit();
  if (tint.a < .5) {
    // The floor is paper that catches shadows.
    vec3 floor = tint.rgb * mix(shadowTint, vec3(1.), sunlit);
    color = vec4(mix(floor, paper, smoothstep(fade.y, fade.z, length(at.xz))), 1.);
    return;
  }
  vec3 n = normalize(up);
  vec3 base = pow(tint.rgb, vec3(2.2));
  float open = .55 + .45 * smoothstep(0., .7, at.y - fade.w);
  vec3 ambient = mix(groundLight, skyLight, n.y * .5 + .5) * open;
  vec3 direct = sunLight * max(dot(n, sun), 0.) * sunlit;
  // Light from behind along the outline keeps dark bodies apart from a dark page.
  float rim = pow(1. - max(dot(n, normalize(eye - at)), 0.), 3.) * .35;
  vec3 light = base * (ambient + direct * .62) + skyLight * rim * .4;
  light = light / (1. + .18 * light);
  color = vec4(pow(light, vec3(1. / 2.2)), 1.);
}`;
const DEPTH_VERTEX = `#version 300 es
layout(location=0) in vec3 place;
layout(location=3) in mat4 pose;
uniform mat4 light;
void main() { gl_Position = light * pose * vec4(place, 1.); }`;
const DEPTH_FRAGMENT = `#version 300 es
precision lowp float;
void main() {}`;

function normalize([x, y, z]) {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const rgb = (hex) => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255);

function multiply(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return out;
}
function lookAt(eye, target) {
  const z = normalize(minus(eye, target));
  const x = normalize(cross([0, 1, 0], z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}
function perspective(tangent, aspect, near, far) {
  const f = 1 / tangent;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

/**
 * A camera that holds a box of `width` and `height` around `target` in its picture, whatever the shape of the canvas.
 * @param direction from the target to the eye
 */
export function frameCamera({ target, direction, width, height, aspect, degrees = 28 }) {
  const tangent = Math.tan((degrees * Math.PI) / 360);
  const distance = Math.max(height / 2 / tangent, width / 2 / (tangent * aspect));
  const away = normalize(direction);
  const eye = target.map((value, k) => value + away[k] * distance);
  return { eye, target, tangent, aspect, distance };
}

/** Start and direction of the ray through a point of the picture, x and y from -1 to 1. */
export function rayOf({ eye, target, tangent, aspect }, x, y) {
  const z = normalize(minus(target, eye));
  const right = normalize(cross(z, [0, 1, 0]));
  const up = cross(right, z);
  const direction = z.map((value, k) => value + tangent * (aspect * x * right[k] + y * up[k]));
  return { origin: eye, direction: normalize(direction) };
}

/** Triangles of the convex hull of a few points, flat list of x, y, z; by trial of all planes through three of them. */
export function hullMesh(points) {
  const corners = [];
  for (let i = 0; i < points.length; i += 3) corners.push([points[i], points[i + 1], points[i + 2]]);
  const faces = [];
  const size = corners.length;
  for (let i = 0; i < size; i++)
    for (let j = i + 1; j < size; j++)
      for (let k = j + 1; k < size; k++) {
        let normal = cross(minus(corners[j], corners[i]), minus(corners[k], corners[i]));
        if (Math.hypot(...normal) < 1e-9) continue;
        normal = normalize(normal);
        let height = dot(normal, corners[i]);
        const sides = corners.map((corner) => dot(normal, corner) - height);
        if (sides.some((side) => side > 1e-6)) {
          if (sides.some((side) => side < -1e-6)) continue;
          normal = normal.map((value) => -value);
          height = -height;
        }
        if (faces.some((face) => dot(face.normal, normal) > 1 - 1e-6 && Math.abs(face.height - height) < 1e-6)) continue;
        faces.push({ normal, height, on: corners.filter((corner) => Math.abs(dot(normal, corner) - height) < 1e-6) });
      }
  const mesh = { places: [], normals: [] };
  for (const { normal, on } of faces) {
    const middle = [0, 1, 2].map((k) => on.reduce((sum, corner) => sum + corner[k], 0) / on.length);
    const x = normalize(minus(on[0], middle));
    const y = cross(normal, x);
    const angle = (corner) => Math.atan2(dot(minus(corner, middle), y), dot(minus(corner, middle), x));
    const ring = on.toSorted((a, b) => angle(a) - angle(b));
    for (let i = 1; i + 1 < ring.length; i++) {
      mesh.places.push(...ring[0], ...ring[i], ...ring[i + 1]);
      mesh.normals.push(...normal, ...normal, ...normal);
    }
  }
  return mesh;
}

export function boxMesh([a, b, c]) {
  const points = [];
  for (let i = 0; i < 8; i++) points.push(i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
  return hullMesh(points);
}

/** A capsule along y; a sphere where `halfHeight` is 0. */
export function capsuleMesh(radius, halfHeight = 0, around = 20, along = 12) {
  const mesh = { places: [], normals: [] };
  const point = (i, j) => {
    const [angle, turn] = [Math.PI * (j / along - 0.5), (2 * Math.PI * i) / around];
    const normal = [Math.cos(angle) * Math.cos(turn), Math.sin(angle), Math.cos(angle) * Math.sin(turn)];
    const shift = j > along / 2 ? halfHeight : j < along / 2 ? -halfHeight : 0;
    return { normal, place: normal.map((value, k) => value * radius + (k === 1 ? shift : 0)) };
  };
  for (let j = 0; j < along; j++)
    for (let i = 0; i < around; i++) {
      const [a, b, c, d] = [point(i, j), point(i, j + 1), point(i + 1, j + 1), point(i + 1, j)];
      for (const { normal, place } of [a, b, c, a, c, d]) {
        mesh.places.push(...place);
        mesh.normals.push(...normal);
      }
    }
  return mesh;
}

/** The 4 x 4 matrix of a pose `[x, y, z, qx, qy, qz, qw]`, into `out` from `at`. */
export function writePose(out, at, [x, y, z, a, b, c, d]) {
  out.set(
    [
      1 - 2 * (b * b + c * c),
      2 * (a * b + c * d),
      2 * (a * c - b * d),
      0,
      2 * (a * b - c * d),
      1 - 2 * (a * a + c * c),
      2 * (b * c + a * d),
      0,
      2 * (a * c + b * d),
      2 * (b * c - a * d),
      1 - 2 * (a * a + b * b),
      0,
      x,
      y,
      z,
      1,
    ],
    at,
  );
}

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(made) || 'shaders do not compile');
  const places = {};
  for (let i = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
    const { name } = gl.getActiveUniform(made, i);
    places[name] = gl.getUniformLocation(made, name);
  }
  return { made, places };
}

/** Instances of one mesh. `matrices` and `count` are set before a picture is drawn. */
class Batch {
  constructor(gl, mesh, capacity) {
    this.gl = gl;
    this.vertices = mesh.places.length / 3;
    this.matrices = new Float32Array(16 * capacity);
    this.colors = new Uint8Array(4 * capacity);
    this.count = 0;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    for (const [place, data] of [mesh.places, mesh.normals].entries()) {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    }
    this.colorBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.colorBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.colors.byteLength, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.vertexAttribDivisor(2, 1);
    this.poseBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.poseBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.matrices.byteLength, gl.DYNAMIC_DRAW);
    for (let k = 0; k < 4; k++) {
      gl.enableVertexAttribArray(3 + k);
      gl.vertexAttribPointer(3 + k, 4, gl.FLOAT, false, 64, 16 * k);
      gl.vertexAttribDivisor(3 + k, 1);
    }
  }

  /** `isFloor`: fades into the page, and casts no shadow. */
  color(i, hex, isFloor = false) {
    this.colors.set([...rgb(hex).map((value) => Math.round(255 * value)), isFloor ? 0 : 255], 4 * i);
  }

  upload() {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.poseBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.matrices.subarray(0, 16 * this.count));
    gl.bindBuffer(gl.ARRAY_BUFFER, this.colorBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.colors.subarray(0, 4 * this.count));
  }

  draw() {
    this.gl.bindVertexArray(this.array);
    this.gl.drawArraysInstanced(this.gl.TRIANGLES, 0, this.vertices, this.count);
  }
}

/** A canvas with what is drawn on it. Throws where there is no WebGL 2. */
export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' });
    if (!gl) throw new Error('no WebGL 2');
    this.gl = gl;
    this.main = program(gl, VERTEX, FRAGMENT);
    this.depth = program(gl, DEPTH_VERTEX, DEPTH_FRAGMENT);
    this.map = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    for (const [name, value] of [
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.map, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    const far = 400;
    this.floor = this.batch(
      {
        places: [-far, 0, -far, -far, 0, far, far, 0, far, -far, 0, -far, far, 0, far, far, 0, -far],
        normals: Array(6).fill([0, 1, 0]).flat(),
      },
      1,
    );
    this.floor.count = 1;
    this.theme('light');
  }

  batch(mesh, capacity) {
    return new Batch(this.gl, mesh, capacity);
  }

  theme(name) {
    this.colors = THEMES[name];
    this.floor.color(0, this.colors.floor, true);
  }

  /** The canvas takes the size that it has on the page; whether it changed. */
  resize() {
    const { canvas } = this;
    const scale = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
    if (width === canvas.width && height === canvas.height) return false;
    Object.assign(canvas, { width, height });
    return true;
  }

  clear() {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...rgb(this.colors.paper), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /**
   * Draws batches in a part of the canvas, a share `[from, to]` of its width.
   * `floor`: its height, m, or null; `reach`: how far shadows reach around the target, m; `fade`: from where to where the floor fades.
   */
  draw({ batches, camera, part = [0, 1], floor = 0, reach, fade }) {
    const { gl, main, depth, colors } = this;
    const { eye, target, tangent, aspect, distance } = camera;
    for (const batch of batches) batch.upload();
    const sunEye = target.map((value, k) => value + SUN[k] * 2 * reach);
    const flat = [1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / (2 * reach), 0, 0, 0, -1, 1];
    const light = multiply(flat, lookAt(sunEye, target));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.disable(gl.SCISSOR_TEST);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(depth.made);
    gl.uniformMatrix4fv(depth.places.light, false, light);
    for (const batch of batches) batch.draw();

    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const [from, to] = part.map((share) => Math.round(share * gl.drawingBufferWidth));
    gl.viewport(from, 0, to - from, gl.drawingBufferHeight);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(from, 0, to - from, gl.drawingBufferHeight);
    gl.useProgram(main.made);
    const view = multiply(perspective(tangent, aspect, distance / 20, distance * 12), lookAt(eye, target));
    gl.uniformMatrix4fv(main.places.view, false, view);
    gl.uniformMatrix4fv(main.places.light, false, light);
    gl.uniform3fv(main.places.sun, SUN);
    gl.uniform3fv(main.places.sunLight, colors.sun);
    gl.uniform3fv(main.places.skyLight, colors.sky);
    gl.uniform3fv(main.places.groundLight, colors.ground);
    gl.uniform3fv(main.places.paper, rgb(colors.paper));
    gl.uniform3fv(main.places.eye, eye);
    gl.uniform3fv(main.places.shadowTint, colors.shadow);
    gl.uniform4fv(main.places.fade, [0, fade?.[0] ?? 1e6, fade?.[1] ?? 2e6, floor ?? -1e3]);
    gl.uniform1i(main.places.map, 0);
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    if (floor !== null) {
      this.floor.matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, floor, 0, 1]);
      this.floor.upload();
      this.floor.draw();
    }
    for (const batch of batches) batch.draw();
  }
}
