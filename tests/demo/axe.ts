// The accessibility check of axe on a page: violations as short lines.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; any: { message: string }[] }[];
}

export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const found = (await page.evaluate('axe.run(document).then((result) => result.violations)')) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.any[0]?.message ?? ''}`));
}
