// The page "Measure this machine": a short profiling run (profiling/run.ts) of three scenes with the package as applications use it, bars, and a
// file to share (bench/visitors/). A probe proposes the number of bodies. While it measures, the screen stays on, a hidden tab waits,
// and no other tab of the demo measures. `?short=1` runs a few steps, for tests; `?size=` names a number of bodies.
import './measure.css';
import { type BarRow, barsHtml, doubtsHtml } from '../../bench/visitors/bars';
import { issueLink } from '../../bench/visitors/issue';
import { type VisitorFacts, visitorMatrix, visitorReport, visitorSize, visitorWords } from '../../bench/visitors/make';
import {
  DOUBTS,
  VISITOR_SCENES,
  VISITOR_SIZES,
  VISITOR_WAYS,
  type VisitorReport,
  type VisitorScene,
  type VisitorWay,
  visitorFile,
  visitorText,
} from '../../bench/visitors/report';
import { browserEnvironment } from '../../profiling/browser';
import type { CreateWorld } from '../../profiling/engine';
import { runProfile } from '../../profiling/run';
import type { Environment, Result } from '../../profiling/types';
import { provideGpu } from '../../src/gpu/host';
import { webgpu } from '../../src/gpu/webgpu';
import { createWorld as createProductWorld } from '../../src/index';
import { make, words } from './elements';
import { inspectGpu } from './gpu_note';
import { isolateByReload, isolationHelp } from './isolation';
import { alone, clock, untilVisible } from './long_run';
import { measureProbe, probeWorld } from './probe';
import { MEASURE_COSTS } from './scene_costs';

// What `import 'talus/gpu'` does. Of that file's source a bundler would take nothing: package.json says that sources have no effects.
provideGpu(webgpu);

/** Runs name no solver or setting that only `talus/study` has. */
const createWorld = createProductWorld as unknown as CreateWorld;
const SHORT_SIZE = 60;

const $ = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const count = (size: number) => size.toLocaleString('en');

class MeasurePage {
  /** What the last run has found, once it has ended. */
  report: VisitorReport | null = null;
  private readonly query = new URLSearchParams(location.search);
  private readonly isShort = this.query.get('short') === '1';
  private environment!: Environment;
  private requestDevice: (() => Promise<GPUDevice>) | undefined;
  private controller: AbortController | null = null;
  private proposed = 0;
  private readonly hidden = new Set<string>();
  /** Scene that is measured. */
  private scene = '';
  private url = '';

  async start(): Promise<void> {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => {
      document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
    });
    $('site-link').hidden = !__TALUS_IN_SITE__;
    if (await isolateByReload()) return;
    const about = { version: __TALUS_VERSION__, commit: __TALUS_COMMIT__ };
    const { environment, requestDevice } = await browserEnvironment(about);
    this.environment = environment;
    this.requestDevice = requestDevice;
    await this.showFacts();
    const probeMs = await this.probe();
    this.proposed = visitorSize(probeMs, (size) => MEASURE_COSTS[size]!);
    this.fillSizes();
    $('plan').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.measure();
    });
    $('cancel').addEventListener('click', () => this.controller?.abort());
    $('copy').addEventListener('click', () => void this.copy());
    $('download').addEventListener('click', () => this.download());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden && this.controller && this.scene) this.hidden.add(this.scene);
    });
    $<HTMLButtonElement>('start').disabled = false;
    this.say('Ready.');
    document.documentElement.classList.add('ready');
  }

  private async probe(): Promise<number> {
    return measureProbe(await probeWorld(createWorld));
  }

  private say(text: string): void {
    $('now').textContent = text;
  }

  // ------------------------------------------------------------------------------------------------------- the machine

  private async showFacts(): Promise<void> {
    const { environment } = this;
    const { adapter } = environment;
    const gpu = await inspectGpu();
    const isolation = crossOriginIsolated
      ? 'yes: threads, and a fine clock'
      : `no, so there are no threads here. ${isolationHelp()}`;
    const webgpu = adapter
      ? `${adapter.name}${adapter.software ? ', a software adapter: its times say nothing about a GPU' : ''}`
      : `none: ${environment.reason}. ${gpu.help}`;
    const facts: [string, string][] = [
      ['Browser', `${environment.runtime}, ${environment.os}`],
      ['Cores', `${environment.cores}, as the browser tells`],
      ['Memory', environment.memoryGb === null ? 'not told' : `about ${environment.memoryGb} GB`],
      ['WebGPU adapter', webgpu],
      ['Isolated', isolation],
      ['Clock', `steps of ${Number((1000 * environment.clock).toPrecision(2))} µs`],
      ['talus', `${environment.version}${environment.commit ? `, commit ${environment.commit}` : ''}`],
      ['User agent', navigator.userAgent],
    ];
    $('facts').replaceChildren(...facts.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]));
  }

  private fillSizes(): void {
    const select = $<HTMLSelectElement>('size');
    const asked = Number(this.query.get('size'));
    for (const size of VISITOR_SIZES) {
      select.add(new Option(`${count(size)}${size === this.proposed ? ', fits this machine' : ''}`, String(size)));
    }
    if (this.isShort) select.add(new Option(`${SHORT_SIZE}, to try the page`, String(SHORT_SIZE)));
    const sizes: readonly number[] = VISITOR_SIZES;
    select.value = String(sizes.includes(asked) ? asked : this.isShort ? SHORT_SIZE : this.proposed);
  }

  // --------------------------------------------------------------------------------------------------------------- run

  private busy(on: boolean): void {
    for (const id of ['size', 'name', 'start']) $<HTMLButtonElement>(id).disabled = on;
    $<HTMLButtonElement>('cancel').disabled = !on;
    $(on ? 'cancel' : 'start').focus();
  }

  private async measure(): Promise<void> {
    if (this.controller) return;
    this.controller = new AbortController();
    const stayAwake = navigator.wakeLock?.request('screen').catch(() => null);
    this.busy(true);
    try {
      const { signal } = this.controller;
      if (!(await alone(() => this.walk(signal)))) this.say('Another tab of this page is measuring: one at a time.');
    } catch (error) {
      this.say(`The run has ended: ${words(error)}`);
    }
    (await stayAwake)?.release().catch(() => undefined);
    this.controller = null;
    this.busy(false);
  }

  private async walk(signal: AbortSignal): Promise<void> {
    const size = Number($<HTMLSelectElement>('size').value);
    const matrix = visitorMatrix(size, this.isShort);
    this.report = null;
    this.hidden.clear();
    this.scene = '';
    $('share').hidden = true;
    $('share-note').hidden = true;
    const bar = $<HTMLProgressElement>('bar');
    bar.value = 0;
    const begun = performance.now();
    const before = await this.probe();
    const facts = (after: number): VisitorFacts => ({
      environment: this.environment,
      userAgent: navigator.userAgent,
      isolated: crossOriginIsolated,
      name: $<HTMLInputElement>('name').value || null,
      sizeBy: size === this.proposed ? 'probe' : 'visitor',
      probe: { before, after },
      hidden: this.hidden,
      short: this.isShort,
      date: new Date(),
    });
    const results: Result[] = [];
    const { environment, requestDevice } = this;
    for await (const { fraction, message, fresh } of runProfile(matrix, {
      createWorld,
      environment,
      signal,
      ...(requestDevice ? { requestDevice } : {}),
    })) {
      this.scene = /^\w+(?=,)/.exec(message)?.[0] ?? '';
      bar.value = fraction;
      this.say(`${Math.round(100 * fraction)} % · ${visitorWords(message)} · ${clock(performance.now() - begun)}`);
      if (fresh.length > 0) {
        results.push(...fresh);
        this.show(visitorReport(matrix, results, facts(before)));
      }
      if (document.hidden) {
        this.say('Waiting: this tab is not in front.');
        await untilVisible(signal);
      }
    }
    if (signal.aborted) {
      this.say('Cancelled. Bars of scenes that were finished stay; there is nothing to share.');
      return;
    }
    this.report = visitorReport(matrix, results, facts(await this.probe()));
    this.show(this.report);
    this.offer(this.report);
    bar.value = 1;
    this.say(`Done in ${clock(performance.now() - begun)}.`);
  }

  // ------------------------------------------------------------------------------------------------------------ results

  private show(report: VisitorReport): void {
    const rows = (scene: VisitorScene): BarRow[] =>
      report.figures
        .filter((figure) => figure.scene === scene && figure.missing !== 'the run was ended before')
        .map((figure) => ({ name: VISITOR_WAYS[figure.way], ...this.note(figure.way, figure.threads), figure }));
    const scenes = (Object.keys(VISITOR_SCENES) as VisitorScene[]).filter((scene) => rows(scene).length > 0);
    const bodies = (scene: VisitorScene) => count(rows(scene)[0]!.figure.bodies);
    $('bars').innerHTML = scenes
      .map((scene) => barsHtml(`${VISITOR_SCENES[scene]}, ${bodies(scene)} bodies`, [{ title: '', rows: rows(scene) }]))
      .join('');
    $('marks').innerHTML = doubtsHtml(scenes.flatMap(rows));
    $('doubts').textContent = report.doubts.map((doubt) => DOUBTS[doubt]).join(' ');
    $('results').hidden = false;
  }

  /** Second line of the heading of a bar. */
  private note(way: VisitorWay, threads: number | null): { note?: string } {
    const { adapter } = this.environment;
    if (way === 'webgpu' && adapter?.software) return { note: 'software adapter' };
    if (way === 'threads' && threads !== null) return { note: threads === 1 ? 'chose one thread' : `chose ${threads} threads` };
    return {};
  }

  private offer(report: VisitorReport): void {
    const { url, isWhole } = issueLink(__TALUS_BUGS__, report);
    $<HTMLAnchorElement>('issue').href = url;
    $('share').hidden = false;
    const note = $('share-note');
    note.hidden = false;
    note.textContent = `The issue opens with ${isWhole ? 'the JSON in it' : 'a place to paste the JSON in'}; read it before you send it: it names the browser, the system, the number of cores and the GPU.`;
  }

  private async copy(): Promise<void> {
    if (!this.report) return;
    try {
      await navigator.clipboard.writeText(visitorText(this.report));
      this.say('The JSON is in the clipboard.');
    } catch {
      this.say('This browser does not let the page write to the clipboard: download the file instead.');
    }
  }

  private download(): void {
    if (!this.report) return;
    URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(new Blob([visitorText(this.report)], { type: 'application/json' }));
    make('a', { href: this.url, download: visitorFile(this.report) }).click();
  }
}

const page = new MeasurePage();
(window as unknown as { talusMeasure: MeasurePage }).talusMeasure = page;
void page.start().catch((error: unknown) => {
  $('now').textContent = `This page cannot measure here: ${words(error)}`;
});
