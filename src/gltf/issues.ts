// Features of a file that talus does not have: collected while it is loaded, passed to the caller, and listed once on the
// console.

/** A part of a glTF file that works differently in talus, or not at all. */
export interface GltfIssue {
  /** The place in the file, such as `nodes[3].extensions.KHR_physics_rigid_bodies.collider`. */
  path: string;
  /** Index of the node, or -1 if it concerns no single node. */
  node: number;
  /** `approximated`: something similar was created instead. `skipped`: nothing was created for it. */
  effect: 'approximated' | 'skipped';
  /** The missing feature, and the replacement. */
  message: string;
}

/** Collects issues; the same message for the same place is stored once. */
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

  /** Logs one warning for the whole file. */
  warn(): void {
    const { length } = this.list;
    if (length === 0) return;
    const shown = this.list.slice(0, 5).map(({ path, effect, message }) => `\n- ${path} (${effect}): ${message}`);
    const more = length > shown.length ? `\n- and ${length - shown.length} more, in the list 'unsupported'` : '';
    console.warn(`talus: this glTF file asks for physics that talus does not have:${shown.join('')}${more}`);
  }
}
