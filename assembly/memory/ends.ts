// A doubly linked list through records: what a body or a collider has, newest first. An end of a record is index << 1 | side; it
// has two words, the next and the previous end. Whoever owns a kind of records knows where the words of an end lie.
// Input: addresses of the word with the first end, and of ends. Output: these.
import { NONE } from '../layout.generated';

/** From the next to the previous end, in bytes. */
export const PREVIOUS: usize = 4;

/** Puts `end`, at address `at`, first in the list whose first end is named at `head`; `second`: address of the one there now. */
export function putFirst(head: usize, end: u32, at: usize, second: usize): void {
  const first: u32 = load<u32>(head);
  store<u32>(at, first);
  store<u32>(at, NONE, PREVIOUS);
  if (first != NONE) store<u32>(second, end, PREVIOUS);
  store<u32>(head, end);
}

/** Its neighbors in the list, at these addresses where there are any, come to have `previous` and `next` beside each other. */
export function joinAcross(head: usize, previous: u32, next: u32, before: usize, behind: usize): void {
  if (previous == NONE) store<u32>(head, next);
  else store<u32>(before, next);
  if (next != NONE) store<u32>(behind, previous, PREVIOUS);
}
