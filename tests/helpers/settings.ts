// Settings of the core as tests write them: fields of the header by name, each as the number that it is.
import type { Header } from '../../src/layout.generated';

export type Settings = Partial<Record<keyof typeof Header, number>>;

/** Fields that are floats, of those that tests set. */
const FLOATS = new Set<keyof typeof Header>([
  'contactHertzRatio',
  'dt',
  'gravityY',
  'linearSlop',
  'omegaFactor',
  'restitutionThreshold',
  'shockPropagation',
  'sleepSpeed',
  'sleepTime',
  'stabilizationFactor',
  'warmStart',
  'weightAmplification',
]);

/** What has a header: a world of the core, or a problem on its way there. */
interface HeaderOwner {
  setHeader(field: keyof typeof Header, value: number): void;
  setHeaderFloat(field: keyof typeof Header, value: number): void;
}

export function applySettings(owner: HeaderOwner, settings: Settings): void {
  for (const [field, value] of Object.entries(settings) as [keyof typeof Header, number][]) {
    if (FLOATS.has(field)) owner.setHeaderFloat(field, value);
    else owner.setHeader(field, value);
  }
}
