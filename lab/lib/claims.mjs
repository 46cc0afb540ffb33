// Verdicts: what a paper says, what came out here, and whether that agrees, contradicts, or does not decide. All verdicts of the
// laboratory are made here, so that none that depends on chance comes from fewer seeds than `LEAST_SEEDS`.
import { LEAST_SEEDS, medianInterval, pairedRatio, seedsToDecide, shareInterval } from '../../bench/lib/intervals.mjs';

/**
 * @typedef {'agrees' | 'contradicts' | 'undecided' | 'measured'} Verdict `measured`: nobody says what should come out.
 *
 * @typedef {object} Claim A row of the table that each section begins with.
 * @property {string} claim What is claimed, in one line.
 * @property {string} paper The paper's number or words; '-' where it gives none: the row is then only measured.
 * @property {number | string} ours
 * @property {string} unit Of `ours`; '' for ratios.
 * @property {[number, number] | null} interval 95 %; null without chance.
 * @property {number} n Seeds; 1 without chance.
 * @property {boolean} chance Whether the seed matters. Without: one case.
 * @property {Verdict} verdict
 * @property {string} why Why it is undecided, or a remark; may be ''.
 * @property {boolean} [once] One draw or one time, of which there could be more.
 * @property {number | null} needed Seeds that would decide, about; null if that cannot be said or nothing is undecided.
 */

export const VERDICTS = ['agrees', 'contradicts', 'undecided', 'measured'];

/** Stands for the paper where nobody says what should come out. */
const NOBODY = '-';

const few = (n) => `only ${n} of at least ${LEAST_SEEDS} seeds`;

/** A row that depends on chance: its verdict holds only from enough seeds on. */
function byChance({ value, low, high, n }, { claim, paper, unit = '', verdict, why = '', needed = null, remark = '' }) {
  const row = { claim, paper, unit, ours: value, interval: [low, high], n, chance: true };
  if (verdict === 'measured') return { ...row, verdict, why: remark, needed: null };
  if (paper === NOBODY) return { ...row, verdict: 'measured', why: '', needed: null };
  // A run that takes minutes is shown once: nothing hangs on it, and more seeds are not asked for.
  if (n === 1) return { ...row, verdict: 'measured', why: 'one run, which decides nothing', needed: null };
  // Two or three seeds do not know their own spread.
  if (n < LEAST_SEEDS) return { ...row, verdict: 'undecided', why: few(n), needed: n < 4 ? null : needed };
  if (verdict !== 'undecided') return { ...row, verdict, why: remark, needed: null };
  return { ...row, verdict, why: why || remark, needed };
}

/**
 * The paper says that `a` is less than `b` (times `factor`). Results are paired by seed; the row has the ratio a / b.
 * @param {{ claim: string, paper: string, a: number[], b: number[], factor?: number, remark?: string }} options
 * @returns {Claim}
 */
export function isLess({ claim, paper, a, b, factor = 1, remark }) {
  const ratio = pairedRatio(a, b);
  const verdict = ratio.high < factor ? 'agrees' : ratio.low > factor ? 'contradicts' : 'undecided';
  const needed = seedsToDecide(Math.log(ratio.value / factor), ratio.deviation);
  const why = `less in ${ratio.wins} of ${ratio.n} seeds`;
  return byChance(ratio, { claim, paper, unit: 'times', verdict, why, needed, remark });
}

/**
 * The paper says that `a` and `b` are alike: their ratio lies within a factor either way.
 * @param {{ claim: string, paper: string, a: number[], b: number[], within: number, remark?: string }} options
 * @returns {Claim}
 */
export function isAlike({ claim, paper, a, b, within, remark }) {
  const ratio = pairedRatio(a, b);
  const inside = ratio.low > 1 / within && ratio.high < within;
  const outside = ratio.high < 1 / within || ratio.low > within;
  const bound = Math.log(within) * (Math.abs(Math.log(ratio.value)) < Math.log(within) ? 1 : -1);
  const needed = seedsToDecide(bound - Math.abs(Math.log(ratio.value)), ratio.deviation);
  const verdict = inside ? 'agrees' : outside ? 'contradicts' : 'undecided';
  return byChance(ratio, { claim, paper, unit: 'times', verdict, why: `alike is within ${within} times`, needed, remark });
}

/**
 * The paper gives a number; the median over seeds is compared with it, or only told if `low` and `high` (what counts as the paper's
 * number) are missing.
 * @param {{ claim: string, paper: string, values: number[], low?: number, high?: number, unit?: string, remark?: string }} options
 * @returns {Claim}
 */
export function isBetween({ claim, paper, values, low, high, unit = '', remark }) {
  const middle = medianInterval(values);
  if (low === undefined && high === undefined) return byChance(middle, { claim, paper, unit, verdict: 'measured', remark });
  const [least, most] = [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
  const inside = middle.low >= least && middle.high <= most;
  const outside = middle.high < least || middle.low > most;
  const verdict = inside ? 'agrees' : outside ? 'contradicts' : 'undecided';
  return byChance(middle, { claim, paper, unit, verdict, why: 'the interval has both', needed: 2 * middle.n, remark });
}

/**
 * The paper says that something holds (always, or in more than `more` of the cases); `hits` of `n` seeds have it.
 * @param {{ claim: string, paper: string, hits: number, n: number, more?: number, unit?: string, remark?: string }} options
 * @returns {Claim}
 */
export function isMostly({ claim, paper, hits, n, more = 0.5, unit = 'seeds', remark }) {
  const share = shareInterval(hits, n);
  const verdict = share.low > more ? 'agrees' : share.high < more ? 'contradicts' : 'undecided';
  const needed = seedsToDecide(share.value - more, Math.sqrt(Math.max(share.value * (1 - share.value), 0.05)));
  const row = byChance(share, {
    claim,
    paper,
    unit,
    verdict,
    why: `more than ${Math.round(100 * more)} % counts`,
    needed,
    remark,
  });
  return { ...row, ours: `${hits} of ${n}` };
}

/**
 * Nothing random: one case, which has it or not. `holds` undefined: only told.
 * @param {{ claim: string, paper: string, ours: number | string, unit?: string, holds?: boolean, remark?: string }} options
 * @returns {Claim}
 */
export function isCase({ claim, paper, ours, unit = '', holds, remark = '' }) {
  const verdict = holds === undefined || paper === NOBODY ? 'measured' : holds ? 'agrees' : 'contradicts';
  return { claim, paper, unit, ours, interval: null, n: 1, chance: false, verdict, why: remark, needed: null };
}

/** One draw of something random, or a time: told, and no verdict from it. */
export const isOnce = ({ paper = NOBODY, ...options }) => ({ ...isCase({ paper, ...options, holds: undefined }), once: true });

/** Cannot be decided here, however many seeds: a GPU is missing, say. */
export function isOpen({ claim, paper, ours = '-', unit = '', why }) {
  return { claim, paper, unit, ours, interval: null, n: 1, chance: false, verdict: 'undecided', why, needed: null };
}

/** Throws if a row of a section breaks the rules above; the laboratory writes no such section. */
export function checkClaims(claims, where) {
  if (!Array.isArray(claims) || claims.length === 0) throw new Error(`${where}: a section needs at least one row with a verdict`);
  for (const row of claims) {
    const fail = (what) => {
      throw new Error(`${where}: '${row.claim}' ${what}`);
    };
    if (!VERDICTS.includes(row.verdict)) fail(`has no verdict: ${row.verdict}`);
    const decided = row.verdict === 'agrees' || row.verdict === 'contradicts';
    if (row.chance && decided && !(row.n >= LEAST_SEEDS)) fail(`${row.verdict} with ${few(row.n)}`);
    if (row.chance && !Array.isArray(row.interval)) fail('depends on chance and has no interval');
    if (!row.chance && row.n !== 1) fail('is one case, which has no seeds');
    if (row.verdict === 'undecided' && row.why === '') fail('is undecided and does not say why');
  }
}

/** How many rows have each verdict, in words: "3 agree, 1 undecided". */
export function countVerdicts(claims) {
  const words = { agrees: ['agrees', 'agree'], contradicts: ['contradicts', 'contradict'] };
  const parts = VERDICTS.map((verdict) => [verdict, claims.filter((row) => row.verdict === verdict).length]);
  return parts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${words[verdict]?.[count === 1 ? 0 : 1] ?? verdict}`)
    .join(', ');
}
