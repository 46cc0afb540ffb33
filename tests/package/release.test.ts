// The rules of scripts/release.mjs and scripts/api_report.mjs: which version follows from which change of the public types, what becomes
// of the change log.
import { expect, test } from 'vitest';
import { compareReports } from '../../scripts/api_report.mjs';
import { chooseVersion, closeChangelog, neededStep, reaches, stepFrom } from '../../scripts/release.mjs';

const BEFORE = '# talus\n\ninterface A\n  x: number;\n  y: number;\n\ninterface B\n  x: number;\n';
const MORE = '# talus\n\ninterface A\n  x: number;\n  y: number;\n  z: number;\n\ninterface B\n  x: number;\n';
const LESS = '# talus\n\ninterface A\n  x: number;\n\ninterface B\n  x: number;\n';
const OTHER = '# talus\n\ninterface A\n  x: number;\n  y: string;\n\ninterface B\n  x: number;\n';

test('a report is compared line by line, each under its heading', () => {
  expect(compareReports(BEFORE, BEFORE)).toEqual({ gone: [], come: [] });
  expect(compareReports(BEFORE, MORE)).toEqual({ gone: [], come: ['talus: interface A { z: number; }'] });
  expect(compareReports(BEFORE, LESS).gone).toEqual(['talus: interface A { y: number; }']);
  expect(compareReports(BEFORE, OTHER)).toEqual({
    gone: ['talus: interface A { y: number; }'],
    come: ['talus: interface A { y: string; }'],
  });
  // The same line under another heading is another promise.
  expect(compareReports(BEFORE, BEFORE.replace('interface B\n  x: number;\n', 'interface B\n')).gone).toEqual([
    'talus: interface B { x: number; }',
  ]);
});

test('the step follows from the change', () => {
  const same = compareReports(BEFORE, BEFORE);
  const more = compareReports(BEFORE, MORE);
  const less = compareReports(BEFORE, LESS);
  expect([same, more, less].map((change) => neededStep('0.3.1', change))).toEqual(['patch', 'patch', 'minor']);
  expect([same, more, less].map((change) => neededStep('1.3.1', change))).toEqual(['patch', 'minor', 'major']);
  expect(['patch', 'minor', 'major'].map((step) => stepFrom('1.3.1', step))).toEqual(['1.3.2', '1.4.0', '2.0.0']);
  expect(reaches('1.10.0', '1.9.9')).toBe(true);
  expect(reaches('1.9.9', '1.10.0')).toBe(false);
  expect(reaches('1.9.9', '1.9.9')).toBe(true);
});

test('a version is chosen, or refused where it is too small a step', () => {
  const less = compareReports(BEFORE, LESS);
  expect(chooseVersion(null, '0.1.0', undefined, less)).toBe('0.1.0');
  expect(chooseVersion('1.2.3', '1.2.3', undefined, less)).toBe('2.0.0');
  expect(chooseVersion('1.2.3', '1.2.3', '3.0.0', less)).toBe('3.0.0');
  expect(() => chooseVersion('1.2.3', '1.2.3', 'minor', less)).toThrow(
    /too small a step from 1\.2\.3.*major, 2\.0\.0[\s\S]*- talus: interface A \{ y/,
  );
  expect(() => chooseVersion('1.2.3', '1.2.3', '1.2', less)).toThrow(/no version/);
  expect(() => chooseVersion(null, '0.1.0', 'major', less)).toThrow(/no release yet/);
});

test('the change log is closed with version and date, and must have something new', () => {
  const log = '# Changelog\n\n## Unreleased\n\n- One.\n- Two\n  lines.\n\n## 0.1.0, 2026-01-01\n\n- First.\n';
  const { notes, text } = closeChangelog(log, '0.2.0', '2026-02-03');
  expect(notes).toBe('- One.\n- Two\n  lines.');
  expect(text).toBe(log.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0, 2026-02-03\n'));
  expect(() => closeChangelog(text, '0.3.0', '')).toThrow(/nothing under Unreleased/);
  expect(() => closeChangelog(log, '0.1.0', '')).toThrow(/already/);
  expect(closeChangelog('# Changelog\n\n## Unreleased\n\n- Only.\n', '0.1.0', 'today').notes).toBe('- Only.');
});
