// `npm run release -- [patch|minor|major|X.Y.Z] [--dry-run] [--skip-tests]`: publishes the package. Looks first: the work tree is clean and
// on main; the version follows from the last tag by what has changed of the public types (api/report.txt); CHANGELOG.md has
// something under Unreleased; `npm run check`, the tests and `npm run try:packages -- --fast` pass; what the tarball holds. Then it
// writes the version and the date, commits, tags and publishes. With --dry-run it looks, runs everything, and changes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareReports } from './api_report.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const STEPS = ['patch', 'minor', 'major'];

const numbersOf = (version) => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version: X.Y.Z`);
  return version.split('.').map(Number);
};

/** The smallest step that a change of the public types allows: before 1.0 what breaks programs is a minor one. */
export function neededStep(version, { gone, come }) {
  const [major] = numbersOf(version);
  if (gone.length > 0) return major === 0 ? 'minor' : 'major';
  return come.length > 0 && major > 0 ? 'minor' : 'patch';
}

/** The version after one, by a step. */
export function stepFrom(version, step) {
  const [major, minor, patch] = numbersOf(version);
  return { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` }[step];
}

/** Whether a version is at least another one. */
export function reaches(version, least) {
  const [a, b] = [numbersOf(version), numbersOf(least)];
  const i = a.findIndex((value, k) => value !== b[k]);
  return i < 0 || a[i] > b[i];
}

/** The version to publish. `last`: that of the last tag, null for the first release; `asked`: a step, a version or nothing. */
export function chooseVersion(last, current, asked, changes) {
  if (last === null) {
    if (asked !== undefined && !/^\d/.test(asked))
      throw new Error(`there is no release yet: the first one is ${current}, or name it`);
    return asked ?? current;
  }
  const needed = neededStep(last, changes);
  const least = stepFrom(last, needed);
  const version = asked === undefined ? least : STEPS.includes(asked) ? stepFrom(last, asked) : asked;
  if (!reaches(version, least)) {
    throw new Error(
      `${version} is too small a step from ${last}: the public types ask for ${needed}, ${least} at least\n${changes.gone.map((line) => `- ${line}`).join('\n')}`,
    );
  }
  return version;
}

/** The change log with what was unreleased under a version, and those lines. */
export function closeChangelog(text, version, date) {
  const match = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text);
  const notes = match?.[1].trim() ?? '';
  if (notes === '') throw new Error('CHANGELOG.md has nothing under Unreleased');
  if (text.includes(`\n## ${version}`)) throw new Error(`CHANGELOG.md has a section ${version} already`);
  return { notes, text: text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${date}\n`) };
}

const read = (path) => readFileSync(join(root, path), 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const npm = (...args) => execFileSync('npm', args, { cwd: root, stdio: 'inherit' });

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-tests': { type: 'boolean', default: false } },
  });
  const dry = values['dry-run'];
  const say = (text) => console.log(`${dry ? 'dry run: ' : ''}${text}`);
  if (values['skip-tests'] && !dry) throw new Error('--skip-tests goes with --dry-run only');

  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`the work tree is not clean:\n${changed}`);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main' && !dry) throw new Error(`releases are made on main, this is ${branch}`);

  const { version: current } = JSON.parse(read('package.json'));
  const tag = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')[0] || null;
  const before = tag === null ? '' : git('show', `${tag}:api/report.txt`);
  const changes = compareReports(`${before}\n`, read('api/report.txt'));
  const version = chooseVersion(tag?.slice(1) ?? null, current, positionals[0], changes);
  say(
    tag === null
      ? `first release, ${version}`
      : `${tag} -> ${version} (types: ${changes.gone.length} lines went or changed, ${changes.come.length} came)`,
  );

  const log = closeChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  say(`${log.notes.split('\n').filter((line) => line.startsWith('- ')).length} notes in CHANGELOG.md`);

  npm('run', '--silent', 'check');
  if (values['skip-tests']) say('tests are left out');
  else {
    npm('test', '--silent');
    npm('run', '--silent', '--ignore-scripts', 'try:packages', '--', '--fast');
  }
  // After the build, which must not change what is committed.
  const made = git('status', '--porcelain');
  if (made !== '') throw new Error(`the build changes files that are committed:\n${made}`);
  const [{ files, size, unpackedSize }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  say(`the tarball: ${files.length} files, ${(size / 1e6).toFixed(2)} MB, ${(unpackedSize / 1e6).toFixed(2)} MB unpacked`);
  if (dry) {
    say(`would write ${version} to package.json, package-lock.json and CHANGELOG.md, commit, tag v${version} and publish`);
    return;
  }
  if (version !== current) npm('version', version, '--no-git-tag-version');
  writeFileSync(join(root, 'CHANGELOG.md'), log.text);
  git('commit', '--all', '--message', `Version ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', log.notes);
  npm('publish', '--ignore-scripts');
  say(`published ${version}; push it: git push --follow-tags`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    console.error(error.status === undefined ? error.message : `a step failed: ${error.message}`);
    process.exit(1);
  }
}
