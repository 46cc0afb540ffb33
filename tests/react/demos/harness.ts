// What the page of the demos offers to the test that drives it.
export interface DemoHarness {
  names: string[];
  /** What came of the claims of a demo. */
  run(name: string): Promise<Record<string, boolean>>;
}
