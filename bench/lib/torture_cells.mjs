// How values of the torture table are written, in the terminal and in the docs. No imports, so that the generator of the docs can use it.

/** Number with so many significant digits, without an exponent and with commas in thousands. */
function digits(value, count) {
  return Number(value.toPrecision(count)).toLocaleString('en', { maximumSignificantDigits: count });
}

/** An error with its sign. */
function percentText(percent) {
  const size = Math.abs(percent);
  return size < 0.01 ? 'within 0.01 %' : `${percent < 0 ? '-' : '+'}${digits(size, 2)} %`;
}

/** Something that should be 0; long distances in meters. */
function errorText(value, unit) {
  if (value === 0) return '0';
  if (value < 0.001) return 'under 0.001';
  return unit === 'mm' && value >= 1000 ? `${digits(value / 1000, 2)} m` : digits(value, 2);
}

/**
 * One engine's cell of a row: `value` in `unit`, `error` in % of the closed form, or the outcome in words; '-' where the engine does not
 * take the scene.
 */
export function cellOf({ value = null, error = null, outcome = null, failed = null }, unit = '') {
  if (failed !== null) return '-';
  if (outcome !== null) return outcome;
  if (value === null) return '-';
  if (error === null) return errorText(value, unit);
  return `${digits(value, 4)} (${percentText(error)})`;
}

/** The closed form's cell. */
export const closedText = (closed) => (typeof closed === 'number' ? digits(closed, 4) : closed);
