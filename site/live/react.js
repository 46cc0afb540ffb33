// `talus/react` for the live examples, as talus.js.
import { createElement } from 'react';
import { Physics as Own } from '../../dist/react.js';

export * from '../../dist/react.js';

globalThis.talusWorlds ??= [];

export function Physics({ onReady, ...props }) {
  const hear = (context) => {
    globalThis.talusWorlds.push(context.world);
    onReady?.(context);
  };
  return createElement(Own, { ...props, onReady: hear });
}
