// Reports of profiling runs, kept in IndexedDB so that a reload loses nothing and two runs can be compared later. Where the
// browser keeps nothing (private windows), they live as long as the page.
import type { ProfileReport } from '../../profiling/types';

/** A report with how it came here. */
export interface Kept {
  /** When the run was started; of a report from a file, its name too. */
  id: string;
  report: ProfileReport;
  /** Name of the file that it was loaded from, or null for a run of this browser. */
  file: string | null;
  /** Results that a run had when a reload last went on with it by itself; -1 if none did. */
  resumedAt: number;
}

const NAME = 'talus-profile';
const STORE = 'reports';
/** Older ones are removed. */
const MOST = 12;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class ProfileStore {
  private constructor(
    private readonly database: IDBDatabase | null,
    private readonly reports: Map<string, Kept>,
  ) {}

  static async open(): Promise<ProfileStore> {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
      const database = await settled(request);
      const all = (await settled(database.transaction(STORE).objectStore(STORE).getAll())) as Kept[];
      return new ProfileStore(database, new Map(all.map((kept) => [kept.id, kept])));
    } catch {
      return new ProfileStore(null, new Map());
    }
  }

  /** Whether a reload will find them. */
  get lasts(): boolean {
    return this.database !== null;
  }

  /** From the newest to the oldest. */
  get all(): Kept[] {
    return [...this.reports.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  get(id: string): Kept | undefined {
    return this.reports.get(id);
  }

  /** Keeps a report as it is now. Resolves when it is written; a write that fails (no room) keeps it in the page only. */
  async put(kept: Kept): Promise<void> {
    this.reports.set(kept.id, kept);
    await this.write((store) => store.put(kept));
    for (const { id } of this.all.slice(MOST)) await this.delete(id);
  }

  async delete(id: string): Promise<void> {
    this.reports.delete(id);
    await this.write((store) => store.delete(id));
  }

  private async write(call: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    if (!this.database) return;
    try {
      await settled(call(this.database.transaction(STORE, 'readwrite').objectStore(STORE)));
    } catch (error) {
      console.warn(error);
    }
  }
}
