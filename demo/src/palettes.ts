// The colors of bodies that are told apart by nothing else: a few near hues for each scene, so that a crowd stays calm to look at.
import type { Rgb } from './coloring';

const PALETTES = {
  clay: [
    [206, 122, 92],
    [224, 158, 122],
    [182, 100, 80],
    [232, 188, 154],
    [196, 138, 112],
  ],
  sand: [
    [220, 188, 138],
    [200, 162, 112],
    [234, 210, 172],
    [182, 146, 104],
    [212, 176, 146],
  ],
  sea: [
    [98, 142, 166],
    [134, 174, 188],
    [78, 116, 146],
    [172, 202, 208],
    [110, 156, 162],
  ],
  moss: [
    [128, 152, 112],
    [162, 180, 136],
    [98, 128, 98],
    [198, 204, 162],
    [146, 154, 118],
  ],
  slate: [
    [132, 146, 164],
    [164, 176, 188],
    [104, 120, 142],
    [194, 200, 208],
    [150, 152, 170],
  ],
  dusk: [
    [154, 126, 158],
    [188, 154, 172],
    [124, 106, 148],
    [212, 182, 184],
    [138, 124, 168],
  ],
} as const satisfies Record<string, readonly Rgb[]>;

/** Scenes that are not of clay. */
const CHOSEN: Readonly<Record<string, keyof typeof PALETTES>> = {
  'boxes-small': 'sand',
  pyramid: 'sand',
  boxes720: 'sea',
  mixed: 'sea',
  spheres: 'sea',
  rubble: 'slate',
  fracture: 'slate',
  heap: 'moss',
  ragdolls150: 'moss',
  cardhouse: 'sand',
  'cardhouse-hit': 'sand',
  chain: 'slate',
  'capsule-chain': 'slate',
  'hanging-chain': 'slate',
  bridge: 'sand',
  'joint-grid': 'sea',
  'gear-train': 'sand',
  pulley: 'sand',
  plates: 'slate',
  strip: 'moss',
  domino: 'dusk',
  many: 'dusk',
  cradle: 'slate',
  arch: 'sand',
  'arch-thin': 'sand',
  gyroscope: 'sea',
  'wrecking-ball': 'slate',
  racket: 'sea',
};

/** The colors of a scene. */
export function paletteOf(scene: string): readonly Rgb[] {
  return PALETTES[CHOSEN[scene] ?? 'clay'];
}
