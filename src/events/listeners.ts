// Listeners of events. They run after a step, never inside it, and may call anything but `step`.
import { TalusError } from '../checks/errors';
import { checkWord, fail } from '../checks/validate';
import type { BodyId, JointId } from '../types';
import type { ContactEvent, ContactEventKind, ContactEvents } from './contact_events';

/** A body fell asleep or woke. */
export interface BodyEvent {
  kind: 'sleep' | 'wake';
  body: BodyId;
}

/** A joint broke. */
export interface JointBreakEvent {
  kind: 'joint-break';
  joint: JointId;
}

/** The argument of the listeners of each kind. */
export type EventMap = Record<ContactEventKind, ContactEvent> &
  Record<'sleep' | 'wake', BodyEvent> & { 'joint-break': JointBreakEvent };
export type EventKind = keyof EventMap;
export type EventListener<K extends EventKind> = (event: EventMap[K]) => void;

const KINDS: readonly EventKind[] = [
  'begin',
  'end',
  'persist',
  'hit',
  'sensor-begin',
  'sensor-end',
  'joint-break',
  'sleep',
  'wake',
];

interface Entry {
  call: (event: never) => void;
  isOnce: boolean;
  isGone: boolean;
}

export class Listeners {
  /** Lists are replaced, never changed: a step continues with the lists it began with. */
  private readonly lists = new Map<EventKind, readonly Entry[]>();
  private calling = false;

  add<K extends EventKind>(kind: K, call: EventListener<K>, isOnce: boolean): () => void {
    checkWord(kind, 'kind', KINDS);
    if (typeof call !== 'function') fail('listener', 'a function', call);
    const entry: Entry = { call, isOnce, isGone: false };
    this.lists.set(kind, [...(this.lists.get(kind) ?? []), entry]);
    return () => this.drop(kind, (other) => other === entry);
  }

  remove<K extends EventKind>(kind: K, call: EventListener<K>): void {
    checkWord(kind, 'kind', KINDS);
    if (typeof call !== 'function') fail('listener', 'a function', call);
    this.drop(kind, (entry) => entry.call === call);
  }

  private drop(kind: EventKind, isMeant: (entry: Entry) => boolean): void {
    const list = this.lists.get(kind) ?? [];
    for (const entry of list) if (isMeant(entry)) entry.isGone = true;
    const rest = list.filter((entry) => !entry.isGone);
    if (rest.length > 0) this.lists.set(kind, rest);
    else this.lists.delete(kind);
  }

  get isEmpty(): boolean {
    return this.lists.size === 0;
  }

  has(kind: EventKind): boolean {
    return this.lists.has(kind);
  }

  /** Throws while listeners run: a step would replace their events. */
  checkIdle(): void {
    if (!this.calling) return;
    throw new TalusError(
      'unsupported',
      'step() inside an event listener: listeners run at the end of a step, call step() after it',
    );
  }

  /**
   * Calls the listeners with the events of a step, in the order of the list, then joints, bodies that woke, bodies that fell
   * asleep. All are called, even if one throws; returns the thrown values. `isOver` says whether the world was closed meanwhile.
   */
  dispatch(events: ContactEvents, isOver: () => boolean): unknown[] {
    const lists = new Map(this.lists);
    const errors: unknown[] = [];
    const tell = <K extends EventKind>(kind: K, make: () => EventMap[K]) => {
      const list = lists.get(kind);
      if (!list) return;
      for (const entry of list) {
        if (entry.isGone || isOver()) continue;
        if (entry.isOnce) this.drop(kind, (other) => other === entry);
        try {
          entry.call(make() as never);
        } catch (error) {
          errors.push(error);
        }
      }
    };
    this.calling = true;
    for (let i = 0; i < events.count; i++) tell(events.kind(i), () => events.get(i));
    for (const joint of events.jointBreaks) tell('joint-break', () => ({ kind: 'joint-break', joint }));
    for (const body of events.wakes) tell('wake', () => ({ kind: 'wake', body }));
    for (const body of events.sleeps) tell('sleep', () => ({ kind: 'sleep', body }));
    this.calling = false;
    return errors;
  }
}
