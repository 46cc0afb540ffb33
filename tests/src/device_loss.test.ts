// Watching a device that outlives its worlds: each listener hears of the loss once, one that was taken back does not, and
// nothing that a taken-back listener holds is kept.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type DeviceLoss, onDeviceLoss } from '../../src/gpu/device';

test('each listener is called once, one that was taken back is not', async () => {
  let lose = (_loss: DeviceLoss) => {};
  const lost = new Promise<DeviceLoss>((resolve) => {
    lose = resolve;
  });
  const heard: string[] = [];
  onDeviceLoss({ lost }, ({ message }) => heard.push(`a ${message}`));
  const leave = onDeviceLoss({ lost }, ({ message }) => heard.push(`b ${message}`));
  onDeviceLoss({ lost }, ({ message }) => heard.push(`c ${message}`));
  leave();
  lose({ reason: 'unknown', message: 'gone' });
  await lost;
  await Promise.resolve();
  expect(heard).toEqual(['a gone', 'c gone']);
});

test('a listener that was taken back is not kept by a device that lives on', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const lost = new Promise<DeviceLoss>(() => {});
  const watch = (leaves: boolean): WeakRef<object> => {
    const world = { memory: new ArrayBuffer(1 << 20) };
    const leave = onDeviceLoss({ lost }, () => world.memory);
    if (leaves) leave();
    return new WeakRef(world);
  };
  const left = watch(true);
  const stays = watch(false);
  // A WeakRef is good until the job that made it has ended.
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
  }
  expect(left.deref()).toBeUndefined();
  expect(stays.deref()).toBeDefined();
});
