// The settings panel: every choice of the page that is not a button. Changes go to the app at once; what follows from other
// settings (the effort of a preset) is shown as it is in force.
import { type Controller, GUI } from 'lil-gui';
import { BACKEND_NAMES, PRESET_NAMES } from '../../src/options/options';
import type { Settings } from '../../src/study/index';
import { SOLVER_NAMES } from '../../src/study/options';
import type { Entry } from './catalog';
import { COLORINGS } from './coloring';
import { METHOD_KEYS, METHODS, type MethodKey, type Methods } from './methods';
import { QUALITIES, RENDERERS, SPEEDS, type State } from './state';

export interface PanelCalls {
  /** The scene must be built anew. */
  rebuild(): void;
  /** Settings of the running world. */
  solver(changed: keyof State): void;
  /** What is shown. */
  look(): void;
  renderer(): void;
  compare(): void;
  copyLink(): void;
  /** A setting of a published method; without a key all of them go back to their standards. */
  method(key?: MethodKey, value?: Methods[MethodKey]): void;
  /** A motor of the scene, by its place in `Entry.handles`. */
  handle(index: number, value: number): void;
  /** Opens the profiling runs. */
  profile(): void;
  /** Goes to the page that measures the visitor's machine. */
  measure(): void;
}

export class Panel {
  private readonly gui: GUI;
  private readonly effort = { substeps: 0, sweeps: 0, granularity: 0 };
  /** Methods in force. */
  private readonly methods: Record<string, unknown> = {};
  private readonly count: Controller;
  /** Motors of the scene. */
  private readonly handles: GUI;
  private readonly handle: PanelCalls['handle'];
  private readonly all: Controller[] = [];

  constructor(host: HTMLElement, state: State, calls: PanelCalls, hasGpu: boolean) {
    const gui = new GUI({ container: host, title: 'Settings' });
    this.gui = gui;
    const keep = (controller: Controller, title?: string): Controller => {
      this.all.push(controller);
      if (title) controller.domElement.title = title;
      return controller;
    };

    const solving = gui.addFolder('Solver');
    keep(solving.add(state, 'backend', [...BACKEND_NAMES]))
      .name('Backend')
      .onChange(() => calls.solver('backend'));
    keep(solving.add(state, 'solver', [...SOLVER_NAMES]))
      .name('Solver')
      .onChange(() => calls.solver('solver'));
    keep(solving.add(state, 'preset', [...PRESET_NAMES]))
      .name('Preset')
      .onChange(() => calls.solver('preset'));
    const effort = (name: 'substeps' | 'sweeps' | 'granularity', text: string, least: number, most: number, title: string) =>
      keep(solving.add(this.effort, name, least, most, 1), title)
        .name(text)
        .onChange((value: number) => {
          state[name] = value;
          calls.solver(name);
        });
    showAuto(
      effort(
        'substeps',
        'Substeps',
        0,
        40,
        'Substeps per step: more of them make everything stiffer. auto: as many as the scene needs',
      ),
    );
    effort('sweeps', 'Iterations', 1, 16, 'Sweeps over all contacts in each pass of a substep');
    effort(
      'granularity',
      'Granularity',
      1,
      512,
      'Splitting solvers cut the pile into cells that they solve side by side. This is the most contact manifolds a cell may have: small cells give more to do at once, large ones converge better. Other solvers ignore it',
    );
    keep(solving.add(state, 'sleep'), 'Resting bodies cost nothing until something wakes them')
      .name('Sleeping')
      .onChange(() => calls.solver('sleep'));
    if (!hasGpu) solving.controllers[0]!.domElement.title = 'WebGPU is not available here: see the note under the status';

    const scene = gui.addFolder('Scene');
    this.count = keep(
      scene
        .add(state, 'count', 100, 10000, 100)
        .name('Bodies')
        .onFinishChange(() => calls.rebuild()),
    );
    keep(scene.add(state, 'seed', 1, 99, 1))
      .name('Seed')
      .onFinishChange(() => calls.rebuild());
    keep(scene.add(state, 'speed', SPEEDS))
      .name('Speed')
      .onChange(() => calls.look());

    const show = gui.addFolder('Show');
    keep(show.add(state, 'color', [...COLORINGS]))
      .name('Color by')
      .onChange(() => calls.look());
    for (const [name, text] of [
      ['contacts', 'Contact points'],
      ['normals', 'Normals'],
      ['impulses', 'Impulses'],
      ['bounds', 'Bounding boxes'],
      ['joints', 'Joints'],
    ] as const) {
      keep(show.add(state, name))
        .name(text)
        .onChange(() => calls.look());
    }
    keep(show.add(state, 'theme', ['system', 'light', 'dark']))
      .name('Theme')
      .onChange(() => calls.look());

    keep(
      show.add(state, 'quality', [...QUALITIES]),
      'auto lowers resolution, then shadows, where frames take too long to draw; a dark spot below each body stays',
    )
      .name('Quality')
      .onChange(() => calls.look());

    keep(
      show.add(state, 'renderer', [...RENDERERS]),
      'auto changes to WebGPU when the solver does: poses then go from solver to picture without leaving the GPU',
    )
      .name('Renderer')
      .onChange(() => calls.renderer());

    const views = gui.addFolder('Side by side');
    const none = { 'one view': '' };
    const names = Object.fromEntries(SOLVER_NAMES.map((name) => [name, name]));
    keep(views.add(state, 'compare', { ...none, ...names }), 'A second view goes on from the same state with this solver')
      .name('Second view')
      .onChange(() => calls.compare());
    const methods = gui.addFolder('Published methods');
    for (const key of METHOD_KEYS) {
      const { text, title, words, slider } = METHODS[key];
      // The kind of a controller follows from the value that it finds.
      this.methods[key] = words ? words[0] : slider ? slider[0] : false;
      const controller = words
        ? methods.add(this.methods, key, [...words])
        : slider
          ? methods.add(this.methods, key, ...slider)
          : methods.add(this.methods, key);
      keep(controller, title)
        .name(text)
        .onChange((value: Methods[MethodKey]) => calls.method(key, value));
    }
    methods.add({ standard: () => calls.method() }, 'standard').name('All methods to standard');
    methods.close();
    this.handles = gui.addFolder('Handles');
    this.handle = calls.handle;
    gui.add({ measure: () => calls.measure() }, 'measure').name('Measure this machine: bars to share');
    gui.add({ profile: () => calls.profile() }, 'profile').name('Profile this device: WASM or WebGPU?');
    gui.add({ link: () => calls.copyLink() }, 'link').name('Copy link to this setup');
  }

  /** Fits the panel to a scene. */
  scene(entry: Entry, state: State): void {
    if (entry.count) {
      const [least, most, usual] = entry.count;
      if (state.count === 0) state.count = usual;
      this.count
        .min(least)
        .max(most)
        .step(least < 100 ? 10 : 100)
        .show();
    } else this.count.hide();
    for (const controller of [...this.handles.controllers]) controller.destroy();
    for (const [index, { text, range, start }] of (entry.handles ?? []).entries()) {
      this.handles
        .add({ value: start }, 'value', ...range)
        .name(text)
        .onChange((value: number) => this.handle(index, value));
    }
    this.handles.show(entry.handles !== undefined);
  }

  /** Shows what is in force. */
  refresh(settings: Readonly<Settings>): void {
    this.effort.substeps = settings.substeps === 'auto' ? 0 : settings.substeps;
    this.effort.sweeps = settings.sweeps;
    this.effort.granularity = settings.granularity;
    for (const key of METHOD_KEYS) this.methods[key] = settings[key];
    for (const controller of this.all) controller.updateDisplay();
  }

  destroy(): void {
    this.gui.destroy();
  }
}

/** Shows the least value of a slider, 0, as the word 'auto'. */
function showAuto(controller: Controller): void {
  const update = controller.updateDisplay.bind(controller);
  controller.updateDisplay = () => {
    update();
    const field = controller.domElement.querySelector('input');
    if (field && controller.getValue() === 0) field.value = 'auto';
    return controller;
  };
  controller.updateDisplay();
}
