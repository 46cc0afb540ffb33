// `node scripts/ci_summary.mjs REPORT`: reads vitest's JSON report, fails if a test failed, was skipped or if no test of
// the shaders ran. Prints the files that took longest, and "N passed, M failed" as its last line.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Files named by their time: to see what makes a run long. */
const SLOWEST = 25;

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const tests = report.testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
const passed = tests.filter((test) => test.status === 'passed');
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
// A file that does not load has no tests of its own: it counts as one failure.
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'),
);
const failed = tests.filter((test) => test.status === 'failed').length + broken.length;
const problems = skipped.map((test) => `not run: ${test.file}: ${test.fullName}`);
if (!passed.some((test) => test.file.includes('/tests/shaders/'))) problems.push('no test of the shaders ran');
const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
const slowest = report.testResults.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, SLOWEST);
const shown = slowest.map((file) => `${relative(process.cwd(), file.name)} ${seconds(file).toFixed(0)} s`);
console.log(`slowest files: ${shown.join(', ')}`);
for (const problem of problems) console.log(problem);
console.log(`${passed.length} passed, ${failed} failed`);
if (failed > 0 || problems.length > 0 || passed.length === 0) process.exit(1);
