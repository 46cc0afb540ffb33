// Arguments of the bench programs. Each of them takes `--quick`: the same program on sizes that run in a second or two, whatever sizes
// the other options name. Its figures mean nothing; it shows that a command works (scripts/doc_commands.mjs uses it).
import { parseArgs } from 'node:util';

/**
 * Reads the arguments; with `--quick` the values of `quick` win, and nothing is saved. `args.quick` says whether.
 * @template {import('node:util').ParseArgsOptionsConfig} T
 * @param {T} options As in parseArgs.
 * @param {Record<string, string>} quick
 */
export function readArgs(options, quick) {
  const { values } = parseArgs({ options: { ...options, quick: { type: 'boolean', default: false } } });
  if (!values.quick) return values;
  return { ...values, ...quick, save: false };
}
