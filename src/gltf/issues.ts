// What a file asks for that talus does not have: collected while it is loaded, handed to the caller, and named once on the console.

/** Something of a glTF file that works differently in talus, or not at all. */
export interface GltfIssue {
  /** The place in the file, such as `nodes[3].extensions.KHR_physics_rigid_bodies.collider`. */
  path: string;
  /** Index of the node, or -1 where it concerns no single node. */
  node: number;
  /** `approximated`: something similar was made instead. `skipped`: nothing was made of it. */
  effect: 'approximated' | 'skipped';
  /** What is missing, and what was done instead. */
  message: string;
}

/** Collects issues; a message that returns for the same place is kept once. */
export class Issues {
  readonly list: GltfIssue[] = [];
  private readonly known = new Set<string>();

  private add(effect: GltfIssue['effect'], path: string, node: number, message: string): void {
    const key = `${path} ${message}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.list.push({ path, node, effect, message });
  }

  approximated(path: string, node: number, message: string): void {
    this.add('approximated', path, node, message);
  }

  skipped(path: string, node: number, message: string): void {
    this.add('skipped', path, node, message);
  }

  /** One warning on the console for the whole file. */
  warn(): void {
    const { length } = this.list;
    if (length === 0) return;
    const shown = this.list.slice(0, 5).map(({ path, effect, message }) => `\n- ${path} (${effect}): ${message}`);
    const more = length > shown.length ? `\n- and ${length - shown.length} more, in the list 'unsupported'` : '';
    console.warn(`talus: this glTF file asks for physics that talus does not have:${shown.join('')}${more}`);
  }
}
