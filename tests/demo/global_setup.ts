// One build, one server and one browser for all tests of the demo page.
import { HOST_VARIABLES, openHost } from './browser';

export async function setup(): Promise<() => Promise<void>> {
  const host = await openHost();
  process.env[HOST_VARIABLES.browser] = host.browser;
  process.env[HOST_VARIABLES.page] = host.page;
  return () => host.close();
}
