// A method in JavaScript (src/study/own_solver.ts): the host iterates on the rows, everything around it is done here as for any
// other. To the rest it is Gauss-Seidel: whole masses, rows in the order of links.
// Input: rows, velocities. Output: impulses of the rows, velocities.
import { MethodState } from '../../layout.generated';
import { RowMethod } from './method';

/** Lets the host do `count` iterations on the problem that the rows are now: import `solve` of module `own`. */
declare function solve(count: u32): void;

export class OwnMethod extends RowMethod {
  iterate(s: MethodState, count: u32): void {
    solve(count);
  }
}
