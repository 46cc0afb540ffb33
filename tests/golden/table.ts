// The golden table as it is committed.
import type { GoldenTable } from './compare';
import hashes from './hashes.json';

export const TABLE: GoldenTable = hashes;
