// The page: puts simulation, picture, hands, plots and panel together and runs the loop. State that a link keeps is in
// state.ts; nothing here knows how bodies are drawn or solved.
import './style.css';
import { Clock, type Steps } from '../../src/frames/clock';
import { createWorld, type SolverName, type World } from '../../src/study/index';
import { JOINT_SOLVERS } from '../../src/study/solvers';
import { ENTRIES, type Entry, findEntry } from './catalog';
import { COLORING_TEXT, COLORINGS } from './coloring';
import { CrowdRule } from './crowd';
import type { Drawing } from './drawing';
import { type GpuNote, inspectGpu } from './gpu_note';
import { GROUPS, ORDER } from './groups';
import { Hands } from './hands';
import { registerIsolation } from './isolation';
import { fits, type MethodKey, type Methods, methodSettings, methodsFor, solving, trimMethods } from './methods';
import { Pad } from './pad';
import type { Panel } from './panel';
import type { History, Plots } from './plots';
import { isSlow, keepProbe, keptProbe, measureProbe, openingScene, probeWorld } from './probe';
import type { ProfilePanel } from './profile_panel';
import type { Contest } from './rivals/contest';
import { type Box, SCENE_FRAMES } from './scene_frames';
import { SharedDevice } from './shared_device';
import { Simulation } from './simulation';
import { readState, type State, writeState } from './state';
import { TOOL_TEXT, TOOLS, type Tool } from './tools';
import { type Insets, LEAST_EFFORT, type Theme, View } from './view';
import { WebglDrawing } from './webgl_drawing';

const $ = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const isHidden = (id: string): boolean => $(id).hidden === true;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
/** Steps that one frame makes up for at most: what takes longer runs slower than life. */
const MOST_STEPS = 2;
const SAMPLE_EVERY = 4;
const LATE_MS = 30;
const LATE_FRAMES = 20;
const REST = 'plus and minus move it nearer and farther; press H for all keys.';
/** What a screen reader says of the view. */
const VIEW_TEXT = {
  none: `Simulation. Arrow keys turn the view, ${REST}`,
  walk: `Simulation. W A S D or the arrow keys walk, space jumps, C crouches, shift and arrow keys turn the view, ${REST}`,
  drive: `Simulation. W A S D or the arrow keys drive, space is the handbrake, shift and arrow keys turn the view, ${REST}`,
};

/** Keys that steer come before the others. */
const STEER_KEYS: Record<keyof typeof VIEW_TEXT, [string, string][]> = {
  none: [],
  walk: [
    ['W A S D, arrows', 'walk; with shift arrows turn the view'],
    ['Space, C', 'jump, crouch'],
  ],
  drive: [
    ['W A S D, arrows', 'gas, brake, steering; with shift arrows turn the view'],
    ['Space', 'handbrake'],
  ],
};

/** A text up to the end of its first sentence. */
const firstSentence = (text: string): string => /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;

/** What a visitor can do in a scene, in a sentence. */
function hintOf({ steer, tool, bullets }: Entry): string {
  const touch = matchMedia('(any-pointer: coarse)').matches;
  if (steer === 'walk') return touch ? 'Take over with the buttons below.' : 'Take over: W A S D or arrows walk, space jumps.';
  if (steer === 'drive') return touch ? 'Take over with the buttons below.' : 'Take over: W A S D or arrows drive, space brakes.';
  const click = touch ? 'Tap' : 'Click';
  if (tool === 'ball') return `${click} to ${bullets ? 'fire' : 'throw a ball'}.`;
  return 'Pull a body about, or drag the ground to turn the view.';
}

/** What the page may keep; pages without storage keep nothing. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

class App {
  readonly state: State = readState(location.search);
  entry: Entry = ENTRIES[0]!;
  simulations: Simulation[] = [];
  view!: View;
  private hands!: Hands;
  private readonly pad = new Pad($('pad'));
  private panel: Panel | null = null;
  private plots: Plots | null = null;
  private histories: History[] = [];
  private makeHistory: (() => History) | null = null;
  private rule: CrowdRule | null = null;
  private gpu: GpuNote | null = null;
  private paused = calm.matches;
  private stepOnce = false;
  private busy: Promise<void> = Promise.resolve();
  private readonly clock = new Clock();
  /** All views, as the clock drives them. */
  private readonly lockstep: Steps;
  private lastFrame = 0;
  private readonly waiting = new Set<Simulation>();
  private readonly frameTimes: number[] = [];
  private workMs = 0;
  private steps = 0;
  private readonly shared = new SharedDevice((reason) => this.deviceGone(reason));
  private toastTimer = 0;
  private statusAt = 0;
  private lateFrames = 0;
  private running = true;
  /** Neither steps nor pictures: a profiling run has the device to itself. */
  private held = false;
  private profilePanel: Promise<ProfilePanel> | null = null;
  private contest: Contest | null = null;
  /** Scenes that this machine runs slower than life. */
  private slowScenes: readonly string[] = [];
  /** What is to be said of the size of the first scene. */
  private opening = '';

  constructor() {
    const app = this;
    this.lockstep = {
      get dt() {
        return app.world.settings.dt;
      },
      get stepCount() {
        return app.steps;
      },
      isFlying: false,
      land: () => true,
      step: () => this.advance(),
    };
  }

  async start(): Promise<void> {
    performance.mark('scripts');
    this.applyTheme();
    await this.fitToDevice();
    try {
      this.view = new View($('view'), await this.firstDrawing());
    } catch {
      this.toast('This page needs WebGL 2 or WebGPU to draw, and this browser offers none.', true);
      return;
    }
    if (this.state.quality === 'low') this.view.effort = LEAST_EFFORT;
    this.resize();
    addEventListener('resize', () => this.resize());
    performance.mark('canvas');
    await this.build();
    performance.mark('world');
    this.hands = new Hands(this.view, this.entry, (text) => this.toast(text));
    if (this.entry.tool) this.hands.tool = this.entry.tool;
    this.wire();
    this.frame(performance.now());
    document.documentElement.classList.add('ready');
    performance.mark('first picture');
    // Everything else comes after the first picture.
    const [panel, plots, gpu] = await Promise.all([import('./panel'), import('./plots'), inspectGpu()]);
    this.gpu = gpu;
    this.makeHistory = () => new plots.History();
    this.histories = this.simulations.map(() => new plots.History());
    this.plots = new plots.Plots($('plots'));
    const calls = {
      rebuild: () => this.queue(() => this.build()),
      solver: (changed: keyof State) => this.queue(() => this.applySolver(changed)),
      look: () => this.applyLook(),
      renderer: () => this.queue(() => this.applyRenderer()),
      compare: () => this.queue(() => this.applyCompare()),
      copyLink: () => this.copyLink(),
      measure: () => location.assign('./measure.html'),
      method: (key?: MethodKey, value?: Methods[MethodKey]) => this.queue(() => this.applyMethod(key, value)),
      handle: (index: number, value: number) => this.turnHandle(index, value),
      profile: () => this.profile(),
    };
    this.panel = new panel.Panel($('panel'), this.state, calls, gpu.available);
    this.panel.scene(this.entry, this.state);
    this.panel.refresh(this.world.settings);
    if (innerWidth < 760 || innerHeight < 520) this.about(false);
    this.showLab(this.state.lab);
    this.deviceLine();
    if (this.state.backend !== 'wasm') await this.queue(() => this.applyBackend());
    else if (this.state.renderer === 'webgpu') await this.queue(() => this.applyRenderer());
    if (this.state.compare) await this.queue(() => this.applyCompare());
    if (this.opening) this.toast(this.opening, true);
    if (this.paused) this.toast('Paused, because your system asks for less motion. Press Play to start.');
    this.showPaused();
    void registerIsolation();
    if (location.hash === '#profile') this.profile();
  }

  get world(): World {
    return this.simulations[0]!.world;
  }

  /** One change of the world after the other. */
  private queue(call: () => Promise<void>): Promise<void> {
    this.busy = this.busy.then(call).catch((error: unknown) => {
      console.warn(error);
      this.toast(error instanceof Error ? error.message : String(error), true);
    });
    return this.busy;
  }

  // ------------------------------------------------------------------------------------------------------- scenes

  /** Takes the measure of the device, once for each version of talus: which scene opens, and which are marked as slow. A link that names a scene wins. */
  private async fitToDevice(): Promise<void> {
    let ms = keptProbe(__TALUS_VERSION__, storage());
    if (ms === null) {
      ms = measureProbe(await probeWorld(createWorld));
      keepProbe(__TALUS_VERSION__, ms, storage());
    }
    const { state } = this;
    if (state.scene === '') {
      const { scene, count } = openingScene(ms, innerWidth < 760);
      state.scene = scene;
      if (count > 0 && state.count === 0) {
        state.count = count;
        this.opening = `${count.toLocaleString('en')} boxes: this device would not step more of them in real time. Choose another number under Lab, Settings.`;
      }
    }
    this.entry = findEntry(state.scene) ?? ENTRIES[0]!;
    if (state.count === 0) this.opening ||= this.fewer(this.entry);
    this.fillScenes(ms);
  }

  /** Takes fewer bodies on narrow screens where a scene says so; answers what to tell of it. */
  private fewer({ narrow, count }: Entry): string {
    if (!narrow || !count || innerWidth >= 760) return '';
    this.state.count = narrow;
    return `${narrow.toLocaleString('en')} bodies on this small screen instead of ${count[2].toLocaleString('en')}. Choose another number under Lab, Settings.`;
  }

  private fillScenes(probeMs: number): void {
    const select = $<HTMLSelectElement>('scene');
    this.slowScenes = ENTRIES.filter((entry) => {
      // The scene that is opened may have fewer bodies than usual; others come with their own number.
      const share = entry === this.entry && entry.count && this.state.count > 0 ? this.state.count / entry.count[2] : 1;
      return isSlow(entry.name, probeMs, share);
    }).map(({ name }) => name);
    for (const { title, scenes } of GROUPS) {
      const group = document.createElement('optgroup');
      group.label = title;
      for (const name of scenes) {
        const text = findEntry(name)!.title;
        group.append(new Option(this.slowScenes.includes(name) ? `${text} · slow here` : text, name));
      }
      select.append(group);
    }
    select.value = this.entry.name;
    select.addEventListener('change', () => this.choose(select.value));
  }

  /** Changes over to a scene; `count` 0 is its standard number of bodies. */
  choose(name: string, count = 0): Promise<void> {
    const entry = findEntry(name);
    if (!entry) return Promise.resolve();
    this.entry = entry;
    this.state.scene = name;
    this.state.count = count;
    const fewer = count === 0 ? this.fewer(entry) : '';
    if (fewer) this.toast(fewer, true);
    $<HTMLSelectElement>('scene').value = name;
    return this.queue(() => this.build(true));
  }

  private describe(): void {
    // Texts that begin with the number of bodies begin with the one that was chosen.
    const { count, text } = this.entry;
    const usual = count?.[2].toLocaleString('en');
    const chosen = this.chosenCount();
    const known = usual && chosen && text.startsWith(usual);
    const whole = known ? chosen.toLocaleString('en') + text.slice(usual.length) : text;
    $('text').textContent = whole;
    $('title').textContent = this.entry.title;
    $('lead').textContent = firstSentence(whole);
    $('hint').textContent = hintOf(this.entry);
    $('figure').textContent = this.entry.figure ? `Answers ${this.entry.figure}.` : '';
    document.title = `${this.entry.title} · talus demo`;
  }

  /** Builds the scene anew. */
  private async build(moveCamera = this.simulations.length === 0): Promise<void> {
    const { state, entry } = this;
    const options = { seed: state.seed, ...(entry.count && state.count > 0 ? { count: state.count } : {}) };
    this.describe();
    const scene = entry.build(options);
    if (scene.joints) this.fitJoints();
    const dress = entry.isDressed ? (await import('./dress')).dressOf(scene) : null;
    const simulation = await Simulation.create(scene, this.solverSettings('wasm'), dress);
    if (this.simulations.length > 0 && state.backend !== 'wasm') {
      await this.useBackend(simulation.world);
      simulation.world.set(this.solverSettings());
    }
    const contest = await this.openContest(simulation);
    const old = this.simulations;
    this.contest?.dispose();
    this.contest = contest;
    this.simulations = [simulation];
    this.waiting.clear();
    this.clock.reset();
    this.view.show(this.simulations);
    for (const one of old) one.dispose();
    this.resize();
    if (moveCamera) this.view.look(entry.camera, entry.target, entry.steer ? 2 : 0.9, this.frameBox());
    this.pad.show(entry.steer ?? null);
    $('view').setAttribute('aria-label', VIEW_TEXT[entry.steer ?? 'none']);
    if (this.hands) {
      this.hands.entry = entry;
      // In the laboratory a tool stays in the hand.
      if (entry.tool || !state.lab) this.takeTool(entry.tool ?? 'drag');
    }
    this.rule = entry.adaptive ? new CrowdRule() : null;
    if (this.makeHistory) this.histories = [this.makeHistory()];
    if (old.length > 0 && state.compare) await this.applyCompare();
    this.panel?.scene(entry, state);
    this.panel?.refresh(this.world.settings);
    this.saveLink();
  }

  /** What a scene is judged by, and the other engines, if they are wanted. */
  private async openContest(simulation: Simulation): Promise<Contest | null> {
    const { state, entry } = this;
    const { judged } = entry;
    $('rivals').hidden = !judged;
    $('gauges').hidden = !judged;
    if (!judged) state.rivals = false;
    $('rivals').setAttribute('aria-pressed', String(state.rivals));
    $('engines').replaceChildren();
    if (!judged) return null;
    const apart = this.apart()!;
    const options = { rivals: state.rivals, sleep: state.sleep, apart, thickness: judged.thickness };
    try {
      const { Contest } = await import('./rivals/contest');
      const contest = await Contest.open(simulation, options);
      if (!contest) return null;
      $('gauges').querySelector('caption')!.textContent = contest.judge.quantity;
      const body = $('gauges').querySelector('tbody')!;
      const names = ['closed form', ...contest.players.map(({ name }) => name)];
      body.replaceChildren(
        ...names.map((name) => {
          const row = document.createElement('tr');
          const head = document.createElement('th');
          head.scope = 'row';
          head.textContent = name;
          row.append(head, document.createElement('td'));
          return row;
        }),
      );
      if (contest.players.length > 1) {
        for (const { name } of contest.players) {
          const label = document.createElement('span');
          label.textContent = name;
          $('engines').append(label);
        }
      }
      return contest;
    } catch (error) {
      state.rivals = false;
      $('rivals').setAttribute('aria-pressed', 'false');
      this.toast(`The other engines could not be loaded: ${error instanceof Error ? error.message : error}`, true);
      return null;
    }
  }

  /** From one engine to the next, m. */
  private apart(): Box[0] | undefined {
    return innerWidth >= innerHeight ? this.entry.judged?.wide : this.entry.judged?.tall;
  }

  /** Starts the scene again, with the other engines or without them. */
  private toggleRivals(): void {
    this.state.rivals = !this.state.rivals;
    if (this.state.rivals) this.toast('Loading Rapier and Havok.');
    void this.queue(() => this.build(true));
  }

  /** Writes values, and puts names over what the engines do. */
  private showContest(): void {
    const { contest } = this;
    if (!contest) return;
    const values = [contest.judge.closed, ...contest.players.map(({ gauge }) => gauge.text)];
    document.querySelectorAll('#gauges td').forEach((cell, i) => {
      cell.textContent = values[i] ?? '';
    });
  }

  private nameEngines(): void {
    const labels = document.querySelectorAll<HTMLElement>('#engines span');
    const box = SCENE_FRAMES[this.entry.name];
    if (labels.length === 0 || !box) return;
    const apart = this.apart()!;
    let last = { x: -Infinity, y: 0 };
    labels.forEach((label, k) => {
      const top = [0, 1, 2].map((i) => (i === 1 ? box[1][1] : (box[0][i]! + box[1][i]!) / 2) + k * apart[i]!);
      const at = this.view.panes.length > 1 ? null : this.view.project(top as unknown as Box[0]);
      label.hidden = at === null;
      // Names of engines that stand one behind the other go one over the other.
      if (at && Math.abs(at.x - last.x) < 100 && Math.abs(at.y - last.y) < 26) at.y = last.y - 26;
      if (at) last = at;
      if (at) label.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -110%)`;
    });
  }

  /** What the camera has to hold; piles of fewer bodies are smaller. */
  private frameBox(): Box | null {
    const { entry } = this;
    const box = SCENE_FRAMES[entry.name];
    if (!box || entry.steer) return null;
    const share = entry.count ? (this.state.count || entry.count[2]) / entry.count[2] : 1;
    const scale = share < 1 ? share ** 0.4 : 1;
    const [from, end] = box.map((corner) => corner.map((x) => x * scale)) as unknown as [Box[0], Box[1]];
    const to: Box[0] = [end[0], end[1] + (entry.above ?? 0), end[2]];
    const apart = this.state.rivals ? this.apart() : undefined;
    if (!apart) return [from, to];
    // Two more of it, and their names.
    const least = from.map((x, k) => Math.min(x, x + 2 * apart[k]!)) as unknown as Box[0];
    const most = to.map((x, k) => Math.max(x, x + 2 * apart[k]!) + (k === 1 ? 0.1 * (to[1] - from[1]) : 0)) as unknown as Box[0];
    return [least, most];
  }

  /** Sets a motor of the scene, in all views. */
  turnHandle(index: number, value: number): void {
    const handle = this.entry.handles?.[index];
    if (!handle) return;
    for (const simulation of this.simulations) for (const joint of handle.joints) simulation.turn(joint, handle.change(value));
  }

  // ------------------------------------------------------------------------------------------------------ settings

  /** What was chosen, as far as a backend has it. */
  private solverSettings(backend = this.state.backend) {
    const { state } = this;
    return {
      solver: state.solver,
      preset: state.preset,
      sleep: state.sleep,
      seed: state.seed,
      ...(state.substeps ? { substeps: state.substeps } : {}),
      ...(state.sweeps ? { sweeps: state.sweeps } : {}),
      ...(state.granularity ? { granularity: state.granularity } : {}),
      ...methodSettings(methodsFor(backend, state.solver, state.methods).kept),
    };
  }

  /** A method setting by the panel; without a key all go back to their standards. */
  private async applyMethod(key?: MethodKey, value?: Methods[MethodKey]): Promise<void> {
    const { state } = this;
    if (key === undefined) state.methods = {};
    else {
      const chosen = { ...state.methods, [key]: value };
      // These two follow from it.
      if (key === 'stabilization') delete chosen.stabilizationFactor;
      if (key === 'stabilization') delete chosen.relax;
      state.methods = trimMethods(chosen, { solver: state.solver, preset: state.preset });
    }
    const { solver, methods } = state;
    if (!fits(state.backend, { solver, ...methods }) && fits('wasm', { solver, ...methods })) {
      state.backend = 'wasm';
      await this.applyBackend();
      this.toast('Only WASM has this method: going on there.');
    }
    this.fitMethods();
    this.setAll();
    this.panel?.refresh(this.world.settings);
    this.saveLink();
  }

  private async applySolver(changed: keyof State): Promise<void> {
    const { state } = this;
    if (this.world.jointCount > 0) this.fitJoints();
    if (changed === 'preset' || changed === 'solver') state.substeps = state.sweeps = 0;
    if (changed === 'solver' && !fits(state.backend, { solver: state.solver })) {
      state.backend = 'wasm';
      await this.applyBackend();
      this.toast(`WebGPU does not have '${state.solver}': it runs on WASM.`);
    }
    if (changed === 'backend') {
      if (!fits(state.backend, { solver: state.solver })) state.solver = 'auto';
      await this.applyBackend();
    } else {
      this.fitMethods();
      this.setAll();
    }
    this.panel?.refresh(this.world.settings);
    this.labels();
    this.saveLink();
  }

  /** Gives up solvers that do not take joints, and says so. */
  private fitJoints(): void {
    const { state } = this;
    const refuses = (solver: string) => solver !== '' && solver !== 'auto' && !JOINT_SOLVERS.wasm.includes(solver);
    const lost = [state.solver, state.compare].filter(refuses);
    if (lost.length === 0) return;
    if (refuses(state.solver)) state.solver = 'auto';
    if (refuses(state.compare)) state.compare = '';
    const rest = ['auto', ...JOINT_SOLVERS.wasm].join(', ');
    this.toast(`There are joints here, which '${lost[0]}' does not take. Those that do: ${rest}.`);
  }

  private setAll(): void {
    const settings = this.solverSettings();
    this.simulations.forEach((simulation, i) => {
      simulation.world.set(i === 0 ? settings : this.compareSettings());
    });
  }

  /** Settings of the second view, which is on WASM. */
  private compareSettings() {
    return { ...this.solverSettings('wasm'), solver: this.state.compare as SolverName };
  }

  /** Gives up methods that the backend has not, and says so. */
  private fitMethods(): void {
    const { state } = this;
    const { kept, lost } = methodsFor(state.backend, state.solver, state.methods);
    state.methods = kept;
    if (lost.length === 0) return;
    const where = { wasm: 'WASM', webgpu: 'WebGPU with this solver', auto: 'the backend auto' }[state.backend];
    this.toast(`There is no choice of ${lost.join(', ')} on ${where}: back at the standard.`);
  }

  private async applyBackend(): Promise<void> {
    this.fitMethods();
    // What the next backend has not must go first; what the one before has not comes after.
    if (!fits(this.state.backend, solving(this.world.settings))) this.world.set({ solver: 'auto', ...methodSettings({}) });
    await this.useBackend(this.world);
    this.setAll();
    await this.applyRenderer();
    this.deviceLine();
  }

  private async useBackend(world: World): Promise<void> {
    const { state } = this;
    try {
      // A software adapter is none for 'auto'.
      if (state.backend === 'wasm' || (state.backend === 'auto' && !this.gpu?.fast)) await world.setBackend(state.backend);
      else await world.setBackend(state.backend, await this.shared.open());
    } catch (error) {
      this.toast(`${error instanceof Error ? error.message : error}. Going on with WASM.`, true);
      state.backend = 'wasm';
      await world.setBackend('wasm');
      this.panel?.refresh(world.settings);
    }
  }

  /** Changes what draws, if something else should. */
  private async applyRenderer(): Promise<void> {
    const { renderer, backend } = this.state;
    const solvesThere = backend === 'webgpu' || (backend === 'auto' && this.gpu?.fast === true);
    // Once there it stays: WASM's poses are drawn as well.
    const wanted = renderer !== 'auto' ? renderer : solvesThere ? 'webgpu' : this.view.api;
    if (wanted !== this.view.api) {
      try {
        if (wanted === 'webgl') this.view.use(new WebglDrawing());
        else this.view.use(await this.webgpu());
      } catch (error) {
        if (renderer === wanted) this.state.renderer = 'auto';
        this.toast(`${error instanceof Error ? error.message : error}. Drawing goes on with ${this.view.api}.`, true);
      }
    }
    this.panel?.refresh(this.world.settings);
    this.deviceLine();
    this.saveLink();
  }

  private async webgpu(): Promise<Drawing> {
    const [device, { WebgpuDrawing }] = await Promise.all([this.shared.open(), import('./webgpu_drawing')]);
    return WebgpuDrawing.create(device);
  }

  /** WebGL is there at once; WebGPU, which takes a moment, where that is all there is. */
  private async firstDrawing(): Promise<Drawing> {
    try {
      return new WebglDrawing();
    } catch {
      return this.webgpu();
    }
  }

  /** The WebGPU device is lost: the worlds have gone on with WASM by themselves, the picture goes on with WebGL. */
  private deviceGone(reason: string): void {
    this.state.backend = 'wasm';
    if (this.state.renderer === 'webgpu') this.state.renderer = 'auto';
    let drawn = '';
    if (this.view.api === 'webgpu') {
      try {
        this.view.use(new WebglDrawing());
        drawn = ', the picture with WebGL';
      } catch {
        drawn = '; there is nothing left to draw with: please load the page again';
      }
    }
    this.toast(
      `The GPU device was lost (${reason}). The simulation goes on with WASM${drawn}. To try again choose the backend WebGPU.`,
      true,
    );
    void this.queue(() => this.applyBackend());
    this.labels();
    this.saveLink();
  }

  /** Starts or ends the second view, from the state of the first. */
  private async applyCompare(): Promise<void> {
    const { state } = this;
    if (this.world.jointCount > 0) this.fitJoints();
    for (const old of this.simulations.splice(1)) {
      this.waiting.delete(old);
      old.dispose();
    }
    if (state.compare) {
      // The second view is on WASM and takes over what that has.
      this.world.set(this.solverSettings('wasm'));
      const twin = await this.simulations[0]!.fork();
      twin.world.set(this.compareSettings());
      this.world.set(this.solverSettings());
      this.simulations.push(twin);
      this.view.compare(twin);
    } else this.view.compare(null);
    if (this.makeHistory) this.histories = this.simulations.map(() => this.makeHistory!());
    document.body.classList.toggle('compare', state.compare !== '');
    $('toggle-compare').setAttribute('aria-pressed', String(state.compare !== ''));
    this.labels();
    this.panel?.refresh(this.world.settings);
    this.saveLink();
  }

  private names(): string[] {
    const { state } = this;
    const first = state.backend === 'wasm' ? state.solver : `${state.solver} ${state.backend}`;
    return this.simulations.length > 1 ? [first, state.compare] : [first];
  }

  private labels(): void {
    const names = this.names();
    document.querySelectorAll('#labels span').forEach((span, i) => {
      span.textContent = names[i] ?? '';
    });
  }

  private applyLook(): void {
    this.applyTheme();
    if (this.state.quality !== 'auto') this.view.effort = this.state.quality === 'low' ? LEAST_EFFORT : 0;
    $('slow').setAttribute('aria-pressed', String(this.state.speed < 1));
    this.saveLink();
  }

  private applyTheme(): void {
    const { theme } = this.state;
    const now: Theme = theme === 'system' ? (darkSystem.matches ? 'dark' : 'light') : theme;
    document.documentElement.dataset.theme = now;
    if (this.view) this.view.theme = now;
  }

  private saveLink(): void {
    history.replaceState(null, '', writeState({ ...this.state, count: this.chosenCount() }) + location.hash);
  }

  private chosenCount(): number {
    return this.entry.count && this.state.count !== this.entry.count[2] ? this.state.count : 0;
  }

  private copyLink(): void {
    navigator.clipboard.writeText(location.href).then(
      () => this.toast('The link is in the clipboard.'),
      () => this.toast('Copy the address of this page: it holds the setup.'),
    );
  }

  // ---------------------------------------------------------------------------------------------------------- loop

  private frame = (now: number): void => {
    if (!this.running || this.held) return;
    requestAnimationFrame(this.frame);
    const elapsed = this.lastFrame ? now - this.lastFrame : 0;
    this.lastFrame = now;
    const started = performance.now();
    let stepped = false;
    if (this.stepOnce) {
      stepped = this.advance();
      this.stepOnce = !stepped;
    } else if (!this.paused) {
      const seconds = (Math.min(elapsed, 100) / 1000) * this.state.speed;
      const maxMs = 700 * this.world.settings.dt;
      stepped = this.clock.advance(this.lockstep, seconds, { maxSteps: MOST_STEPS, maxMs }).steps > 0;
    }
    const blend = this.paused ? 1 : this.clock.frame.alpha;
    this.simulations.forEach((simulation, i) => {
      const pane = this.view.panes[i]!;
      if (simulation.changed.size > 0) pane.take();
      pane.blend = blend;
    });
    this.view.theme = document.documentElement.dataset.theme as Theme;
    this.follow(blend, this.paused ? 0 : Math.min(elapsed, 100) / 1000);
    this.view.render(this.state.color, this.state, stepped);
    this.nameEngines();
    this.workMs += 0.1 * (performance.now() - started - this.workMs);
    this.frameTimes.push(elapsed);
    if (this.frameTimes.length > 60) this.frameTimes.shift();
    this.fitEffort(elapsed, stepped);
    if (this.rule && !this.paused && elapsed > 0) this.feed(this.rule, elapsed);
    if (now - this.statusAt > 250) {
      this.statusAt = now;
      this.showStatus();
    }
  };

  /** The camera goes with what the scene follows. */
  private follow(blend: number, seconds: number): void {
    const [simulation] = this.simulations;
    const { act } = simulation!;
    const facing = this.entry.steer === 'walk' && act?.input?.isSteered === true;
    this.view.follow(simulation!.focusAt(blend), act?.heading, seconds, facing);
  }

  /** Stops and starts the loop. */
  private hold(on: boolean): void {
    if (on === this.held) return;
    this.held = on;
    this.lastFrame = 0;
    this.frameTimes.length = 0;
    if (!on) requestAnimationFrame(this.frame);
  }

  /** Opens the profiling runs; loaded with the first call. */
  profile(): void {
    this.profilePanel ??= import('./profile_panel').then(({ ProfilePanel }) => new ProfilePanel({ hold: (on) => this.hold(on) }));
    this.profilePanel.then(
      (panel) => panel.open(),
      () => {
        this.profilePanel = null;
        this.toast('The profiling runs could not be loaded.');
      },
    );
  }

  /** Where frames are late although this thread has time, drawing is too dear: a level less. */
  private fitEffort(elapsed: number, stepped: boolean): void {
    if (this.state.quality !== 'auto' || document.hidden) return;
    this.lateFrames = elapsed > LATE_MS && (this.workMs < 0.7 * elapsed || !stepped) ? this.lateFrames + 1 : 0;
    if (this.lateFrames < LATE_FRAMES || this.view.effort === LEAST_EFFORT) return;
    this.lateFrames = 0;
    this.view.effort++;
  }

  /** One step of all views, in lockstep; false while a GPU has not finished the last one. */
  private advance(): boolean {
    if (this.waiting.size === 0) {
      for (const simulation of this.simulations) {
        this.waiting.add(simulation);
        if (simulation.act?.input) this.pad.write(simulation.act.input, this.view.yaw);
      }
    }
    for (const simulation of [...this.waiting]) {
      if (!simulation.step()) continue;
      this.waiting.delete(simulation);
      this.view.panes[this.simulations.indexOf(simulation)]?.take();
    }
    if (this.waiting.size > 0) return false;
    this.steps++;
    if (this.steps % SAMPLE_EVERY === 0 || this.stepOnce) {
      this.simulations.forEach((simulation, i) => {
        this.histories[i]?.sample(simulation.world);
      });
    }
    return true;
  }

  private feed(rule: CrowdRule, elapsed: number): void {
    const before = rule.found;
    const change = rule.frame(elapsed, this.world.bodyCount - 5);
    if (change !== 0) for (const simulation of this.simulations) simulation.changeCrowd(change);
    if (rule.found > 0 && before === 0) {
      this.toast(`This device holds ${rule.found.toLocaleString('en')} boxes at 60 frames a second with this page.`, true);
    }
  }

  private showStatus(): void {
    this.showContest();
    const { profile } = this.world;
    const times = this.frameTimes.toSorted((a, b) => a - b);
    const median = times[times.length >> 1] ?? 0;
    const parts = [
      `${this.world.bodyCount.toLocaleString('en')} bodies`,
      `${profile.contactCount.toLocaleString('en')} contacts`,
      `step ${profile.total.toFixed(1)} ms`,
      `${median > 0 ? Math.round(1000 / median) : 0} fps`,
    ];
    if (this.state.sleep) parts.push(`${this.world.sleepingCount.toLocaleString('en')} asleep`);
    const { act } = this.simulations[0]!;
    if (act?.status) parts.unshift(act.status);
    if (this.rule) parts.push(this.rule.found > 0 ? `holds ${this.rule.found.toLocaleString('en')}` : 'searching');
    $('status').textContent = parts.join(' · ');
    if (this.plots && !isHidden('plots') && this.histories[0]!.columns.time.length > 1) {
      this.plots.update(this.histories, this.names(), document.documentElement.dataset.theme as Theme);
    }
  }

  private deviceLine(): void {
    const line = $('device');
    const solver = { wasm: 'WASM', webgpu: 'WebGPU', auto: 'the faster of WASM and WebGPU' }[this.state.backend];
    line.textContent = `Solves on ${solver}, draws with ${this.view.api === 'webgpu' ? 'WebGPU' : 'WebGL'}`;
    if (!this.gpu) return;
    const measure = document.createElement('a');
    measure.href = './measure.html';
    measure.textContent = 'measure this machine';
    line.append(' · ', measure, ' · ');
    if (this.gpu.available) {
      line.append(this.gpu.short);
      return;
    }
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = this.gpu.short;
    button.addEventListener('click', () => this.help());
    line.append(button);
  }

  // -------------------------------------------------------------------------------------------------------- controls

  private wire(): void {
    const tools = $('tools');
    for (const tool of TOOLS) {
      const { label, title, key } = TOOL_TEXT[tool];
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.title = `${title} (${key})`;
      button.dataset.tool = tool;
      button.setAttribute('aria-pressed', String(tool === this.hands.tool));
      button.addEventListener('click', () => this.takeTool(tool));
      tools.append(button);
    }
    const on = (id: string, call: () => void) => $(id).addEventListener('click', call);
    on('pause', () => this.pause(!this.paused));
    on('step', () => this.oneStep());
    on('slow', () => this.slow());
    on('reset', () => void this.queue(() => this.build()));
    on('more', () => this.about(isHidden('about')));
    on('help', () => this.help());
    on('toggle-lab', () => this.showLab(!this.state.lab));
    on('scenes', () => this.browse());
    on('next', () => this.next());
    on('rivals', () => this.toggleRivals());
    on('toggle-plots', () => this.toggle('plots', isHidden('plots')));
    on('toggle-panel', () => this.toggle('panel', isHidden('panel')));
    on('toggle-compare', () => this.toggleCompare());
    addEventListener('keydown', (event) => this.key(event));
    darkSystem.addEventListener('change', () => this.applyTheme());
    document.addEventListener('visibilitychange', () => {
      this.lastFrame = 0;
    });
    $('slow').setAttribute('aria-pressed', String(this.state.speed < 1));
  }

  private takeTool(tool: Tool): void {
    this.hands.tool = tool;
    for (const button of $('tools').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    }
  }

  pause(paused: boolean): void {
    this.paused = paused;
    // Steps that a slow device still owes are not made up for after the pause began.
    if (paused) this.clock.reset();
    this.showPaused();
  }

  private showPaused(): void {
    $('pause').textContent = this.paused ? 'Play' : 'Pause';
  }

  private oneStep(): void {
    this.pause(true);
    this.stepOnce = true;
  }

  private slow(): void {
    this.state.speed = this.state.speed < 1 ? 1 : 0.1;
    this.panel?.refresh(this.world.settings);
    this.applyLook();
  }

  private toggleCompare(): void {
    this.state.compare = this.state.compare ? '' : this.state.solver === 'cell-split' ? 'wide' : 'cell-split';
    void this.queue(() => this.applyCompare());
  }

  /** Opens or closes the laboratory: tools, settings, plots and solvers. Without it there is the picture and what it shows. */
  private showLab(open: boolean): void {
    this.state.lab = open;
    document.body.classList.toggle('in-lab', open);
    $('toggle-lab').setAttribute('aria-pressed', String(open));
    const roomy = innerWidth >= 1100 && innerHeight >= 640;
    if (open && roomy) {
      this.toggle('panel', true);
      this.toggle('plots', true);
    } else this.resize();
    this.saveLink();
  }

  /** Opens the pictures of all scenes; loaded with the first call. */
  private browse(): void {
    import('./scene_grid').then(
      ({ openGrid }) =>
        openGrid($<HTMLDialogElement>('grid'), this.entry.name, this.slowScenes, (name) => void this.choose(name)),
      () => this.toast('The pictures could not be loaded.'),
    );
  }

  /** Goes on to the scene that follows in the grid. */
  private next(): void {
    void this.choose(ORDER[(ORDER.indexOf(this.entry.name) + 1) % ORDER.length]!);
  }

  private toggle(name: 'plots' | 'panel', open: boolean): void {
    if (open && !this.state.lab) this.showLab(true);
    // Small screens have room for one sheet.
    if (open && innerWidth < 760) this.toggle(name === 'plots' ? 'panel' : 'plots', false);
    $(name).hidden = !open;
    $(`toggle-${name}`).setAttribute('aria-expanded', String(open));
    this.resize();
  }

  private about(open: boolean): void {
    $('about').hidden = !open;
    $('more').setAttribute('aria-expanded', String(open));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const onButton = target.tagName === 'BUTTON';
    if (!(onButton && event.key === ' ') && this.pad.key(event)) {
      event.preventDefault();
      return;
    }
    const { controls, camera } = this.view;
    const turn = (azimuth: number, polar: number, zoom: number) => {
      const offset = camera.position.clone().sub(controls.target);
      const radius = offset.length() * zoom;
      const theta = Math.atan2(offset.x, offset.z) + azimuth;
      const phi = Math.min(Math.max(Math.acos(offset.y / offset.length()) + polar, 0.05), controls.maxPolarAngle);
      camera.position.set(Math.sin(phi) * Math.sin(theta), Math.cos(phi), Math.sin(phi) * Math.cos(theta));
      camera.position.multiplyScalar(radius).add(controls.target);
    };
    const keys: Record<string, () => void> = {
      '.': () => this.oneStep(),
      r: () => void this.queue(() => this.build()),
      s: () => this.slow(),
      b: () => this.hands.useHere('ball'),
      n: () => this.hands.useHere('box'),
      c: () => this.hands.useHere('build'),
      e: () => this.hands.useHere('explode'),
      x: () => this.hands.useHere('delete'),
      Delete: () => this.hands.useHere('delete'),
      d: () => this.takeTool('drag'),
      v: () => this.toggleCompare(),
      p: () => this.toggle('plots', !this.state.lab || isHidden('plots')),
      o: () => this.toggle('panel', !this.state.lab || isHidden('panel')),
      l: () => this.showLab(!this.state.lab),
      g: () => this.browse(),
      ']': () => this.next(),
      k: () => {
        this.state.color = COLORINGS[(COLORINGS.indexOf(this.state.color) + 1) % COLORINGS.length]!;
        this.toast(`Colors: ${COLORING_TEXT[this.state.color]}.`);
        this.panel?.refresh(this.world.settings);
        this.applyLook();
      },
      t: () => {
        this.state.theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
        this.panel?.refresh(this.world.settings);
        this.applyLook();
      },
      m: () => this.profile(),
      h: () => this.help(),
      '?': () => this.help(),
    };
    const arrows: Record<string, () => void> = {
      ArrowLeft: () => turn(-0.08, 0, 1),
      ArrowRight: () => turn(0.08, 0, 1),
      ArrowUp: () => turn(0, -0.06, 1),
      ArrowDown: () => turn(0, 0.06, 1),
      '+': () => turn(0, 0, 0.9),
      '-': () => turn(0, 0, 1.1),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (name === ' ' && !onButton) this.pause(!this.paused);
    else if (keys[name]) keys[name]!();
    else if (arrows[name] && (target === this.view.element || target === document.body)) arrows[name]!();
    else return;
    event.preventDefault();
  }

  private help(): void {
    const rows: [string, string][] = [
      ['Space', 'pause and go on'],
      ['.', 'one step'],
      ['S', 'slow motion'],
      ['R', 'restart the scene'],
      ['G, ]', 'all scenes, next scene'],
      ['L', 'laboratory: tools, settings, plots, solvers'],
      ...TOOLS.map(
        (tool) =>
          [TOOL_TEXT[tool].key, `${TOOL_TEXT[tool].title.toLowerCase()}${tool === 'drag' ? '' : ' where the pointer is'}`] as [
            string,
            string,
          ],
      ),
      ['K', 'next coloring of bodies'],
      ['V', 'two solvers side by side'],
      ['P, O', 'plots, settings'],
      ['T', 'dark or light'],
      ['M', 'measure: profiling runs of WASM and WebGPU'],
      ['Arrows, + -', 'turn the view, nearer, farther'],
      ...STEER_KEYS[this.entry.steer ?? 'none'],
    ];
    const body = $('dialog-body');
    body.replaceChildren();
    const add = (tag: string, text: string) => {
      const element = document.createElement(tag);
      element.textContent = text;
      body.append(element);
    };
    add(
      'p',
      'Choose a tool below and tap or click into the scene. Dragging the ground turns the view, two fingers or the wheel move it.',
    );
    add('h3', 'Keys');
    const table = document.createElement('table');
    for (const [key, text] of rows) {
      const row = table.insertRow();
      const kbd = document.createElement('kbd');
      kbd.textContent = key;
      row.insertCell().append(kbd);
      row.insertCell().textContent = text;
    }
    body.append(table);
    add('h3', 'This device');
    add('p', this.gpu ? `${this.gpu.short}. ${this.gpu.help}` : 'Looking for WebGPU.');
    add(
      'p',
      `Threads: ${crossOriginIsolated ? 'the page is cross-origin isolated' : 'the page becomes cross-origin isolated with the next load'}.`,
    );
    $<HTMLDialogElement>('dialog').showModal();
  }

  private toast(text: string, long = false): void {
    const toast = $('toast');
    toast.textContent = text;
    toast.classList.add('shown');
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => toast.classList.remove('shown'), long ? 9000 : 3500) as unknown as number;
  }

  private resize(): void {
    this.view.resize(innerWidth, innerHeight);
    this.view.setInsets(this.insets());
    document.documentElement.style.setProperty('--seam', `${this.view.seam}px`);
    // A canvas of a new size is empty, and no frame would fill it.
    if (this.held) this.view.render(this.state.color, this.state, false);
  }

  /** What lies over the edges of the picture. */
  private insets(): Insets {
    const { lab } = this.state;
    const wide = innerWidth >= 1000 && innerHeight >= 520;
    const place = (id: string) => $(id).getBoundingClientRect();
    const bottom = innerHeight - place('toolbar').top;
    if (!lab) {
      const head = place('head');
      // Below the title or beside it, where there is more room.
      const below = innerWidth * (innerHeight - head.bottom);
      if ((innerWidth - head.right) * innerHeight > below) return { left: head.right, right: 0, top: 0, bottom };
      return { left: 0, right: 0, top: Math.min(head.bottom, 0.4 * innerHeight), bottom };
    }
    if (wide) return { left: 310, right: isHidden('panel') ? 0 : 280, top: 0, bottom };
    const short = innerHeight < 520;
    const sheets = ['panel', 'plots'].filter((id) => !isHidden(id)).map((id) => innerHeight - place(id).top);
    // A sheet that leaves nothing free is looked past.
    const covered = Math.min(Math.max(bottom, ...sheets), 0.62 * innerHeight);
    return {
      left: short ? 310 : 0,
      right: 0,
      top: short ? 0 : Math.min(place('head').bottom, 0.3 * innerHeight),
      bottom: covered,
    };
  }

  /** For tests: what runs, in numbers. */
  get report() {
    return {
      scene: this.entry.name,
      bodies: this.world.bodyCount,
      steps: this.world.stepCount,
      contacts: this.world.profile.contactCount,
      backend: this.world.profile.backend,
      solver: this.world.settings.solver,
      substeps: this.world.settings.substeps,
      finite: this.world.positions.every(Number.isFinite),
      asleep: this.world.sleepingCount,
      views: this.view.panes.length,
      drawCalls: this.view.drawCalls,
      renderer: this.view.api,
      poses: this.view.panes[0]!.bodies.store.taken,
      act: this.simulations[0]!.act?.status ?? '',
      paused: this.paused,
      held: this.held,
      busyMs: this.workMs,
      engines: this.contest?.players.map(({ name, gauge }) => `${name}: ${gauge.text}`) ?? [],
      memory: this.world.profile.memory,
    };
  }

  /** For tests: steps without waiting for pictures (on WASM); then a picture. */
  run(steps: number): void {
    for (let i = 0; i < steps; i++) {
      this.advance();
      this.follow(1, this.world.settings.dt);
    }
    this.view.render(this.state.color, this.state, true);
    this.showStatus();
  }

  /** For tests: steps on any backend, each one finished, without waiting for pictures; then a picture. */
  async walk(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      for (const [index, simulation] of this.simulations.entries()) {
        await simulation.stepAsync();
        this.view.panes[index]!.take();
      }
      this.follow(1, this.world.settings.dt);
    }
    this.view.render(this.state.color, this.state, true);
    this.showStatus();
  }

  /** For tests: waits until changes that were asked for are done. */
  settled(): Promise<void> {
    return this.busy;
  }
}

const app = new App();
(window as unknown as { talusDemo: App }).talusDemo = app;
void app.start();
