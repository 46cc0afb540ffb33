// Characters and vehicles in the thread of a TalusWorker: created and commanded by calls of the page, moved by the world in its
// steps. Their poses are written into the buffers that the page draws from.
import { Character, type CharacterDesc, Vehicle, type VehicleDesc, type Walk } from '../controllers/index';
import { type BodyId, type ShapeDesc, TalusError, type World } from '../index';
import type { PoseBuffer } from './messages';

interface Entry {
  player: Character | Vehicle;
  slots: readonly number[];
  /** The page's id of a character's body. */
  handle: number;
}

export class ThreadPlayers {
  private readonly entries = new Map<number, Entry>();

  /** @param adopt maps an id of the page to a body */
  constructor(
    private readonly world: World,
    private readonly adopt: (handle: number, id: BodyId) => void,
  ) {}

  makeCharacter(number: number, desc: CharacterDesc, slots: readonly number[], handle: number): void {
    const player = new Character(this.world, desc);
    this.entries.set(number, { player, slots, handle });
    if (player.body !== null) this.adopt(handle, player.body);
  }

  makeVehicle(number: number, desc: VehicleDesc, slots: readonly number[]): void {
    this.entries.set(number, { player: new Vehicle(this.world, desc), slots, handle: 0 });
  }

  /** Runs a call of the page on one of them. */
  call(number: number, name: string, [first, second]: readonly unknown[]): unknown {
    const entry = this.entries.get(number);
    if (!entry) throw new TalusError('stale-handle', 'this character or vehicle could not be made, or was disposed');
    const { player, handle } = entry;
    if (name === 'enabled') player.enabled = first as boolean;
    else if (name === 'dispose') {
      this.entries.delete(number);
      player.dispose();
    } else if (player instanceof Vehicle) player.controls[first as keyof Vehicle['controls']] = second as number;
    else if (name === 'walk') player.walk(first as Walk);
    else if (name === 'teleport') player.teleport(first as number[]);
    else if (name === 'setVelocity')
      (first as number[]).forEach((v, k) => {
        player.velocity[k] = v;
      });
    else {
      const fits = player.setShape(first as ShapeDesc);
      if (fits && player.body !== null) this.adopt(handle, player.body);
      return fits;
    }
    return undefined;
  }

  /** Largest number of slots in use. */
  get slotCount(): number {
    let count = 0;
    for (const { slots } of this.entries.values()) count = Math.max(count, ...slots.map((slot) => slot + 1));
    return count;
  }

  /**
   * Writes the numbers that pages draw: feet of characters; travel, steering and turn of wheels. The fourth number says whether
   * it touches the ground.
   */
  write(to: PoseBuffer): void {
    for (const { player, slots } of this.entries.values()) {
      if (player instanceof Character) {
        const at = 4 * slots[0]!;
        to.positions.set([...player.getPose([0, 0, 0], 1), +player.grounded], at);
        to.pastPositions.set(player.getPose([0, 0, 0], 0), at);
        continue;
      }
      for (const [i, slot] of slots.entries()) {
        const { now, before } = player.drawn(i);
        to.positions.set([now.travel, now.steer, now.angle, +player.wheels[i]!.grounded], 4 * slot);
        to.pastPositions.set([before.travel, before.steer, before.angle], 4 * slot);
      }
    }
  }
}
