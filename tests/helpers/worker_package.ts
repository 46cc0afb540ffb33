// The package as it is installed, built from the sources into a project of its own: a thread needs files.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** A project with the package in `node_modules`. */
export interface Project {
  folder: string;
  /** `dist` of the package there. */
  dist: string;
  remove(): void;
}

export async function makeProject(): Promise<Project> {
  execFileSync(process.execPath, [join(root, 'scripts/build_wasm.mjs'), 'release', '--if-stale'], { stdio: 'pipe' });
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/worker-'));
  const dist = join(folder, 'node_modules/talus/dist');
  await build({
    configFile: join(root, 'vite.config.ts'),
    root,
    logLevel: 'error',
    build: { outDir: dist, emptyOutDir: false, reportCompressedSize: false },
  });
  // Without it the project would be part of this package, and 'talus' in it the dist folder here.
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true }\n');
  copyFileSync(join(root, 'package.json'), join(folder, 'node_modules/talus/package.json'));
  return { folder, dist, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
