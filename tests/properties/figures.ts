// Figures behind the bounds of the properties: with FIGURES=1 each measured ratio is printed, to see where a bound lies.

/** Prints a measured value if FIGURES is set. */
export function figure(name: string, value: number): void {
  if (process.env.FIGURES) console.log(`FIGURE ${name} ${value.toPrecision(3)}`);
}
