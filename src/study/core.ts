// Exports of the core of talus/study beyond those of the product: assembly/study.ts.
import type { CoreExports } from '../wasm/core';
import type { RowCore } from './gpu/row_solver';

export interface StudyExports extends CoreExports, RowCore {
  /** Returns the address of rows per batch of an ordering, 0 if memory is out (assembly/ordering/report.ts). */
  orderReport(kind: number): number;
}
