// A page that runs a tiny profile and shows its report: what browser.test.ts builds and opens.
import { browserEnvironment } from '../../profiling/browser';
import { reportBody } from '../../profiling/html';
import { parseContender, quickMatrix } from '../../profiling/matrix';
import { runProfile } from '../../profiling/run';
import type { ProfileReport } from '../../profiling/types';
import { createWorld } from '../../src/study/index';

declare global {
  var profileReport: Promise<ProfileReport>;
}

async function go(): Promise<ProfileReport> {
  const { environment, requestDevice } = await browserEnvironment({ version: '0.0.0', commit: null });
  const matrix = {
    ...quickMatrix(),
    scenes: ['boxes'],
    sizes: [20, 40],
    contenders: ['wasm:wide', 'webgpu'].map(parseContender),
    settleSeconds: 0.2,
    warmup: 1,
    steps: 3,
  };
  let last: ProfileReport | undefined;
  for await (const { report } of runProfile(matrix, {
    createWorld,
    environment,
    ...(requestDevice ? { requestDevice } : {}),
  })) {
    last = report;
  }
  document.body.innerHTML = reportBody(last!, document);
  return last!;
}

globalThis.profileReport = go();
