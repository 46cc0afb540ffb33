// Pictures of pages in headless Chromium: a page for all tests of a file, shots of it, which are kept in build/screenshots, and the colors
// in them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll } from 'vitest';
import { openPage, type TestPage } from './page';

const FOLDER = resolve(import.meta.dirname, '../../build/screenshots');

/**
 * Opens a page before the tests of a file and closes it after them; what is returned has it by then. Software draws a small page in less time,
 * and steps by the clock do not fall behind.
 */
export function usePage(entry: string, size = { width: 640, height: 400 }): { readonly host: TestPage; readonly page: Page } {
  let host: TestPage | undefined;
  beforeAll(async () => {
    host = await openPage(entry, size);
  }, 240_000);
  afterAll(() => host?.close());
  return {
    get host() {
      return host!;
    },
    get page() {
      return host!.page;
    },
  };
}

/** Where a picture is kept. */
function pathOf(name: string): string {
  const path = resolve(FOLDER, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** The page as it is shown, kept by its name. */
export async function shoot(page: Page, name: string): Promise<PNG> {
  return PNG.sync.read(await page.screenshot({ path: pathOf(name) }));
}

/** A picture that the page has made itself, in base64; kept by its name. */
export function keep(base64: string, name: string): PNG {
  const bytes = Buffer.from(base64, 'base64');
  writeFileSync(pathOf(name), bytes);
  return PNG.sync.read(bytes);
}

type Color = (r: number, g: number, b: number) => boolean;

/** What crates and grass are like in any light. */
export const isOrange: Color = (r, g, b) => r > 120 && r > 1.5 * g && g > 1.5 * b;
export const isGreen: Color = (r, g, b) => g > r && g > 1.2 * b;

/** Pixels of a color. */
export function countPixels({ data }: PNG, isIt: Color): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (isIt(data[i]!, data[i + 1]!, data[i + 2]!)) count++;
  return count;
}

/** How many colors there are: a page that stays empty has few, and a scene with light and shade hundreds. */
export function countColors({ data }: PNG): number {
  const colors = new Set<number>();
  for (let i = 0; i < data.length; i += 4) colors.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
  return colors.size;
}
