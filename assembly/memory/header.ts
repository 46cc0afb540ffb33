// The world header: one struct at a fixed address, read by every stage and by the host.
import { HEADER_PTR, Header } from '../layout.generated';

/** The world header. Costs nothing: a constant address. */
export function header(): Header {
  return changetype<Header>(<usize>HEADER_PTR);
}
