// All scenes as pictures in groups: a dialog, loaded when it is opened for the first time.
import './scene_grid.css';
import { findEntry } from './catalog';
import { make } from './elements';
import { GROUPS } from './groups';

/**
 * Opens the pictures.
 * @param current name of the scene that runs
 * @param slow names of scenes that this machine runs slower than life
 */
export function openGrid(
  dialog: HTMLDialogElement,
  current: string,
  slow: readonly string[],
  choose: (name: string) => void,
): void {
  const card = (name: string): HTMLElement => {
    const title = findEntry(name)?.title ?? name;
    const button = make(
      'button',
      { type: 'button', className: 'card' },
      make('img', { src: `./thumbnails/${name}.webp`, alt: '', width: 320, height: 200, loading: 'lazy' }),
      make('span', {}, title),
    );
    if (slow.includes(name)) button.append(make('small', {}, 'slow here'));
    if (name === current) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      dialog.close();
      choose(name);
    });
    return button;
  };
  const close = make('button', { type: 'button', className: 'close' }, 'Close');
  close.addEventListener('click', () => dialog.close());
  dialog.replaceChildren(
    make('header', {}, make('h2', { id: 'grid-title' }, 'Scenes'), close),
    ...GROUPS.map(({ title, scenes }) =>
      make('section', {}, make('h3', {}, title), make('div', { className: 'cards' }, ...scenes.map(card))),
    ),
  );
  dialog.showModal();
  const here = dialog.querySelector<HTMLElement>('[aria-current]');
  here?.scrollIntoView({ block: 'center' });
  here?.focus();
}
