// The profiling runs of profiling/ on the page: choose a matrix, run it, cancel, go on (also after a reload), open reports,
// put two beside each other. A modal dialog, loaded when it is first asked for. While a run is measured the page's own
// simulation stands still, the screen stays on, and another tab of the page cannot measure.
import './profile_panel.css';
import { browserEnvironment } from '../../profiling/browser';
import { checkMatrix, fullMatrix, groupsOf, PROFILE_SCENES, parseContender, quickMatrix, SOLVERS } from '../../profiling/matrix';
import { runProfile } from '../../profiling/run';
import type { Matrix, ProfileReport } from '../../profiling/types';
import { PRESET_NAMES } from '../../src/options/options';
import { createWorld, type SolverName } from '../../src/study/index';
import { make, words } from './elements';
import { alone, clock, untilVisible } from './long_run';
import { fits } from './methods';
import { type Kept, ProfileStore } from './profile_store';

export interface ProfileCalls {
  /** Stops and starts the page's own loop. */
  hold(on: boolean): void;
}

const HASH = '#profile';
const html = () => import('../../profiling/html');

const complete = (report: ProfileReport) => report.state === 'complete';

/** When, what and how far. */
function describe({ report, file }: Kept): string {
  const { matrix, environment, groups, started } = report;
  const date = new Date(started).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const all = groupsOf(matrix).length;
  const far = complete(report) ? `${all} scenes and sizes` : `${groups.length} of ${all} scenes and sizes`;
  return [date, `${matrix.mode} run`, far, file ?? environment.adapter?.name ?? 'no WebGPU'].join(' · ');
}

/** A group of check boxes, one a choice. */
class Choices<T extends string | number> {
  readonly element: HTMLFieldSetElement;
  private readonly boxes = new Map<T, HTMLInputElement>();

  constructor(legend: string, choices: readonly (readonly [T, string, string?])[], changed: () => void) {
    this.element = make('fieldset', {}, make('legend', {}, legend));
    for (const [value, text, title] of choices) {
      const box = make('input', { type: 'checkbox', name: `${legend} ${value}` });
      box.addEventListener('change', changed);
      this.boxes.set(value, box);
      this.element.append(make('label', { title: title ?? '' }, box, text));
    }
  }

  get chosen(): T[] {
    return [...this.boxes].filter(([, box]) => box.checked && !box.disabled).map(([value]) => value);
  }

  choose(values: readonly T[]): void {
    for (const [value, box] of this.boxes) box.checked = values.includes(value);
  }

  disable(value: T, why: string): void {
    const box = this.boxes.get(value)!;
    box.disabled = true;
    box.parentElement!.title = why;
  }
}

const count = (size: number) => size.toLocaleString('en');
const onGpu = SOLVERS.filter((solver) => fits('webgpu', { solver: solver as SolverName }));

export class ProfilePanel {
  private readonly dialog: HTMLDialogElement;
  private readonly scenes: Choices<string>;
  private readonly sizes: Choices<number>;
  private readonly backends: Choices<'wasm' | 'webgpu'>;
  private readonly solvers: Choices<string>;
  private readonly gpuSolvers: Choices<string>;
  private readonly preset = make('select', { id: 'profile-preset' });
  private readonly plan: HTMLFieldSetElement;
  private readonly modes: Record<'quick' | 'full', HTMLInputElement>;
  private readonly amount = make('p', { className: 'amount' });
  private readonly start = make('button', { type: 'button', className: 'main' }, 'Start');
  private readonly cancel = make('button', { type: 'button', disabled: true }, 'Cancel');
  private readonly bar = make('progress', { max: 1, value: 0, 'aria-label': 'Progress of the run' });
  private readonly now = make('p', { className: 'now' }, 'Nothing measured yet.');
  /** What screen readers say: not every percent. */
  private readonly spoken = make('p', { className: 'hidden', role: 'status' });
  private readonly list = make('ul', { 'aria-label': 'Reports' });
  private readonly first = make('select', { id: 'profile-first' });
  private readonly second = make('select', { id: 'profile-second' });
  private readonly compare = make('button', { type: 'button' }, 'Compare');
  private readonly urls: string[] = [];
  private readonly store: Promise<ProfileStore>;
  private controller: AbortController | null = null;
  /** The report that is being measured. */
  private running: string | null = null;
  private opened = false;
  /** Resolves when the run in progress has ended, for tests. */
  ended: Promise<void> = Promise.resolve();

  constructor(private readonly calls: ProfileCalls) {
    const changed = () => this.planChanged();
    const mode = (name: 'quick' | 'full') => {
      const input = make('input', { type: 'radio', name: 'profile-mode', value: name });
      input.addEventListener('change', () => this.fill(name));
      return input;
    };
    this.modes = { quick: mode('quick'), full: mode('full') };
    this.scenes = new Choices(
      'Scenes',
      Object.entries(PROFILE_SCENES).map(([name, { text }]) => [name, name, text] as const),
      changed,
    );
    const sizes = [...new Set([...quickMatrix().sizes, ...fullMatrix().sizes])].sort((a, b) => a - b);
    this.sizes = new Choices(
      'Bodies',
      sizes.map((size) => [size, count(size)] as const),
      changed,
    );
    this.backends = new Choices(
      'Backends',
      [
        ['wasm', 'WASM'],
        ['webgpu', 'WebGPU'],
      ],
      changed,
    );
    this.solvers = new Choices(
      'Solvers on WASM',
      SOLVERS.map((name) => [name, name] as const),
      changed,
    );
    this.gpuSolvers = new Choices(
      'Solvers on WebGPU',
      onGpu.map((name) => [name, name] as const),
      changed,
    );
    for (const name of PRESET_NAMES) this.preset.add(new Option(name, name));
    this.preset.addEventListener('change', changed);
    this.plan = make(
      'fieldset',
      { className: 'plan' },
      make('legend', { className: 'hidden' }, 'What is measured'),
      make(
        'fieldset',
        {},
        make('legend', {}, 'Run'),
        make('label', { title: 'Small sizes: a minute or two' }, this.modes.quick, 'quick: a minute or two'),
        make('label', { title: '1,000 to 100,000 bodies' }, this.modes.full, 'full: an hour or more'),
        make('span', { className: 'field' }, make('label', { htmlFor: 'profile-preset' }, 'Effort'), this.preset),
      ),
      this.scenes.element,
      this.sizes.element,
      this.backends.element,
      this.solvers.element,
      this.gpuSolvers.element,
    );
    const close = make('button', { type: 'button', title: 'Close (Escape); ends a run and keeps what was measured' }, 'Close');
    const file = make('input', {
      type: 'file',
      id: 'profile-file',
      accept: '.json,.html,application/json,text/html',
      multiple: true,
    });
    this.dialog = make(
      'dialog',
      { id: 'profile', 'aria-labelledby': 'profile-title' },
      make('header', {}, make('h2', { id: 'profile-title' }, 'Profile this device'), close),
      make(
        'p',
        {},
        'Which is faster here, WASM or WebGPU, from how many bodies on, and at what price in calm and depth? All contenders start ' +
          'from the same state and take turns. Keep this tab in front; the scene on the page stands still meanwhile.',
      ),
      this.plan,
      make(
        'section',
        { className: 'run', 'aria-label': 'Run' },
        make('div', { className: 'buttons' }, this.start, this.cancel, this.amount),
        this.bar,
        this.now,
        this.spoken,
      ),
      make(
        'section',
        { 'aria-labelledby': 'profile-reports' },
        make('h3', { id: 'profile-reports' }, 'Reports'),
        this.list,
        make(
          'div',
          { className: 'pair' },
          make('span', { className: 'field' }, make('label', { htmlFor: 'profile-first' }, 'A'), this.first),
          make('span', { className: 'field' }, make('label', { htmlFor: 'profile-second' }, 'B'), this.second),
          this.compare,
        ),
        make('p', { className: 'load' }, make('label', { htmlFor: 'profile-file' }, 'Load reports (JSON or HTML)'), ' ', file),
      ),
    );
    document.body.append(this.dialog);
    this.fill('quick');
    this.store = ProfileStore.open();

    close.addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('close', () => this.closed());
    this.start.addEventListener('click', () => void this.measure());
    this.cancel.addEventListener('click', () => this.controller?.abort());
    this.compare.addEventListener('click', () => void this.showPair());
    file.addEventListener('change', () => {
      void this.load([...(file.files ?? [])]);
      file.value = '';
    });
  }

  /** Shows the panel. A run that a reload has cut goes on by itself, once at each point. */
  async open(): Promise<void> {
    if (this.dialog.open) return;
    this.dialog.showModal();
    history.replaceState(null, '', location.pathname + location.search + HASH);
    const store = await this.store;
    await this.showReports();
    if (this.opened) return;
    this.opened = true;
    void html();
    if (!navigator.gpu) {
      this.backends.disable('webgpu', 'There is no WebGPU in this browser');
      this.planChanged();
    }
    if (!store.lasts) this.say('This browser keeps nothing here: download reports before you leave the page.');
    const cut = store.all.find(({ report, file }) => file === null && report.state === 'running');
    if (cut && cut.report.results.length > cut.resumedAt) {
      await store.put({ ...cut, resumedAt: cut.report.results.length });
      await this.measure(cut);
    }
  }

  private closed(): void {
    this.controller?.abort();
    history.replaceState(null, '', location.pathname + location.search);
    for (const url of this.urls.splice(0)) URL.revokeObjectURL(url);
  }

  // ---------------------------------------------------------------------------------------------------------- matrix

  /** Sets all choices to one of the two standard matrices. */
  private fill(name: 'quick' | 'full'): void {
    const matrix = name === 'quick' ? quickMatrix() : fullMatrix();
    const solversOf = (backend: string) => matrix.contenders.filter((c) => c.backend === backend).map((c) => c.solver!);
    this.modes[name].checked = true;
    this.scenes.choose(matrix.scenes);
    this.sizes.choose(matrix.sizes);
    this.backends.choose(['wasm', 'webgpu']);
    this.solvers.choose(solversOf('wasm'));
    this.gpuSolvers.choose(solversOf('webgpu'));
    this.preset.value = matrix.preset;
    this.planChanged();
  }

  /** The matrix as it is chosen. */
  get matrix(): Matrix {
    const standard = this.modes.full.checked ? fullMatrix() : quickMatrix();
    const backends = this.backends.chosen;
    const ids = [
      ...(backends.includes('wasm') ? this.solvers.chosen.map((solver) => `wasm:${solver}`) : []),
      ...(backends.includes('webgpu') ? this.gpuSolvers.chosen.map((solver) => `webgpu:${solver}`) : []),
    ];
    // The standard ones keep their order, of which the first is what crossovers are measured against.
    const usual = standard.contenders.map((c) => c.id).filter((id) => ids.includes(id));
    const matrix: Matrix = {
      ...standard,
      scenes: this.scenes.chosen,
      sizes: this.sizes.chosen,
      contenders: [...usual, ...ids.filter((id) => !usual.includes(id))].map(parseContender),
      preset: this.preset.value as Matrix['preset'],
    };
    if (JSON.stringify(matrix) !== JSON.stringify(standard)) matrix.mode = `${standard.mode}, changed`;
    return matrix;
  }

  private planChanged(): void {
    const { matrix } = this;
    this.solvers.element.disabled = !this.backends.chosen.includes('wasm');
    this.gpuSolvers.element.disabled = !this.backends.chosen.includes('webgpu');
    try {
      checkMatrix(matrix);
      const groups = groupsOf(matrix).length;
      this.amount.textContent = `${groups} scenes and sizes, ${matrix.contenders.length} contenders`;
      this.start.disabled = this.controller !== null || groups === 0;
    } catch (error) {
      this.amount.textContent = `Cannot start: ${words(error)}`;
      this.start.disabled = true;
    }
  }

  // ------------------------------------------------------------------------------------------------------------- run

  private say(text: string): void {
    this.now.textContent = text;
    this.spoken.textContent = text;
  }

  private busy(on: boolean): void {
    this.plan.disabled = on;
    this.cancel.disabled = !on;
    this.calls.hold(on);
    // A button that is disabled loses the focus: it goes to the other one.
    if (on) {
      this.start.disabled = true;
      this.cancel.focus();
    } else {
      this.planChanged();
      if (document.activeElement === this.dialog || document.activeElement === document.body) this.start.focus();
    }
  }

  /** Measures what is chosen, or goes on with a report. */
  private measure(previous?: Kept): Promise<void> {
    if (this.controller) return this.ended;
    this.ended = this.run(previous);
    return this.ended;
  }

  private async run(previous?: Kept): Promise<void> {
    const controller = new AbortController();
    this.controller = controller;
    const stayAwake = navigator.wakeLock?.request('screen').catch(() => null);
    this.busy(true);
    this.bar.value = 0;
    try {
      const did = await alone(() => this.walk(controller.signal, previous));
      if (!did) this.say('Another tab of this page is measuring: one at a time.');
    } catch (error) {
      this.say(`The run has ended: ${words(error)}`);
    }
    (await stayAwake)?.release().catch(() => undefined);
    this.controller = null;
    this.running = null;
    this.busy(false);
    await this.showReports();
  }

  private async walk(signal: AbortSignal, previous?: Kept): Promise<void> {
    const store = await this.store;
    const matrix = previous?.report.matrix ?? this.matrix;
    this.say(previous ? 'Going on.' : 'Looking at the device.');
    const wantsGpu = matrix.contenders.some((c) => c.backend === 'webgpu');
    const about = { version: __TALUS_VERSION__, commit: __TALUS_COMMIT__ };
    const { environment, requestDevice } = await browserEnvironment(about, wantsGpu);
    const begun = performance.now();
    let kept: Kept | null = null;
    let from = 0;
    for await (const { fraction, message, report, fresh, done } of runProfile(matrix, {
      createWorld,
      environment,
      signal,
      ...(requestDevice ? { requestDevice } : {}),
      ...(previous ? { previous: previous.report } : {}),
    })) {
      if (!kept) {
        kept = previous ? { ...previous, report } : { id: report.started, report, file: null, resumedAt: -1 };
        this.running = kept.id;
        from = fraction;
        // A run that goes on keeps what the earlier one has until it has taken it over.
        if (!previous) await store.put(kept);
        await this.showReports();
      }
      this.bar.value = fraction;
      const took = performance.now() - begun;
      const left = fraction - from > 0.1 ? `, about ${clock((took * (1 - fraction)) / (fraction - from))} left` : '';
      if (!done) this.now.textContent = `${message} · ${clock(took)}${left}`;
      if (fresh.length > 0 || done) {
        await store.put(kept);
        this.spoken.textContent = `${Math.round(100 * fraction)} percent`;
        this.retitle(kept);
      }
      if (done) await this.conclude(report, took);
      else if (document.hidden) {
        this.now.textContent = 'Waiting: this tab is not in front.';
        await untilVisible(signal);
      }
    }
  }

  private async conclude(report: ProfileReport, took: number): Promise<void> {
    if (!complete(report)) {
      const measured = report.groups.length;
      this.say(
        `Cancelled; ${measured} of ${groupsOf(report.matrix).length} scenes and sizes were begun. Resume goes on from there.`,
      );
      return;
    }
    const { crossoverWords } = await html();
    const crossover = report.analysis.crossovers.at(0);
    const verdict = crossover
      ? ` ${crossover.scene}: WebGPU is faster than ${crossover.holder} ${crossoverWords(crossover.crossover)}.`
      : '';
    this.say(`Done in ${clock(took)}.${verdict} The report has the rest.`);
  }

  // --------------------------------------------------------------------------------------------------------- reports

  private retitle(kept: Kept): void {
    for (const item of this.list.children) {
      if ((item as HTMLElement).dataset.report === kept.id) item.querySelector('span')!.textContent = describe(kept);
    }
  }

  private async showReports(): Promise<void> {
    const store = await this.store;
    const { all } = store;
    this.list.replaceChildren(...all.map((kept) => this.row(kept)));
    if (all.length === 0) this.list.append(make('li', {}, 'None yet.'));
    for (const [select, usual] of [
      [this.first, 1],
      [this.second, 0],
    ] as const) {
      const chosen = select.value;
      select.replaceChildren(...all.map((kept) => new Option(describe(kept), kept.id)));
      select.value = store.get(chosen) ? chosen : (all[usual]?.id ?? all[0]?.id ?? '');
      select.disabled = all.length === 0;
    }
    this.compare.disabled = all.length < 2;
  }

  private row(kept: Kept): HTMLElement {
    const { id, report, file } = kept;
    const text = describe(kept);
    const button = (label: string, call: () => void) => {
      const element = make('button', { type: 'button', 'aria-label': `${label}: ${text}` }, label);
      element.addEventListener('click', call);
      return element;
    };
    const buttons = [
      button('Open', () => void this.show(id)),
      button('HTML', () => void this.download(id, 'html')),
      button('JSON', () => void this.download(id, 'json')),
    ];
    if (id !== this.running) {
      if (!complete(report) && file === null) buttons.push(button('Resume', () => this.resume(id)));
      buttons.push(button('Delete', () => void this.remove(id)));
    }
    for (const element of buttons) element.disabled = this.controller !== null && /Resume|Delete/.test(element.textContent!);
    const item = make('li', {}, make('span', {}, text), make('div', { className: 'buttons' }, ...buttons));
    item.dataset.report = id;
    return item;
  }

  private async report(id: string): Promise<ProfileReport> {
    const kept = (await this.store).get(id);
    if (!kept) throw new Error('this report is not here any more');
    return kept.report;
  }

  /** Does something with reports; what goes wrong is said. */
  private async attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.say(words(error));
    }
  }

  private url(text: string, type: string): string {
    const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    this.urls.push(url);
    return url;
  }

  private tab(text: string): void {
    if (!window.open(this.url(text, 'text/html'), '_blank')) {
      throw new Error('The browser has blocked the new tab: allow it, or download the HTML.');
    }
  }

  private show(id: string): Promise<void> {
    return this.attempt(async () => {
      const { reportHtml } = await html();
      this.tab(reportHtml(await this.report(id), document));
    });
  }

  private download(id: string, kind: 'html' | 'json'): Promise<void> {
    return this.attempt(async () => {
      const report = await this.report(id);
      const text = kind === 'json' ? `${JSON.stringify(report)}\n` : (await html()).reportHtml(report, document);
      const name = `talus-profile-${report.started.slice(0, 16).replaceAll(':', '')}.${kind}`;
      make('a', { href: this.url(text, kind === 'json' ? 'application/json' : 'text/html'), download: name }).click();
    });
  }

  private resume(id: string): void {
    void this.store.then((store) => {
      const kept = store.get(id);
      if (kept) void this.measure(kept);
    });
  }

  private remove(id: string): Promise<void> {
    return this.attempt(async () => {
      await (await this.store).delete(id);
      await this.showReports();
      this.start.focus();
    });
  }

  private load(files: File[]): Promise<void> {
    return this.attempt(async () => {
      const [{ parseReport }, store] = await Promise.all([html(), this.store]);
      for (const file of files) {
        let report: ProfileReport;
        try {
          report = parseReport(await file.text());
        } catch (error) {
          throw new Error(`${file.name}: ${words(error)}`);
        }
        await store.put({ id: `${report.started} ${file.name}`, report, file: file.name, resumedAt: -1 });
        this.say(`${file.name} is loaded.`);
      }
      await this.showReports();
    });
  }

  private showPair(): Promise<void> {
    return this.attempt(async () => {
      const { compareHtml } = await html();
      this.tab(compareHtml(await this.report(this.first.value), await this.report(this.second.value), document));
    });
  }
}
