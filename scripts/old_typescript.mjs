// `node --import ./scripts/old_typescript.mjs`: who asks for `typescript` gets the installed version with a JavaScript API. dependency-cruiser
// needs one to see imports of types, and without it guesses what files import and misses some.
import Module, { register } from 'node:module';

const OLD = 'typescript-5.4';

/** Its version, which it reads first, is asked for by `require`. */
const cjs = /** @type {any} */ (Module);
const resolve = cjs._resolveFilename;
cjs._resolveFilename = (request, ...rest) => resolve(request.replace(/^typescript(?=\/|$)/, OLD), ...rest);

const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? '${OLD}' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
