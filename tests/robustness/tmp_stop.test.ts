import { test } from 'vitest';
import { createWorld } from '../../src/index';
import { Draw } from './fuzz/draw';
import { Driver, noCounts } from './fuzz/driver';

const COUNT = Number(process.env.N ?? 40);
const JOINTED = process.env.JOINTED !== '0';
const ONLY = process.env.ONLY;
test('stops', { timeout: 600_000 }, async () => {
  let worlds = 0, stoppedWorlds = 0;
  for (let k = 0; k < COUNT; k++) {
    const seed = Number(ONLY ?? 6 * k + (JOINTED ? 2 : 5));
    if (ONLY && k > 0) break;
    const draw = new Draw(seed, true);
    const counts = noCounts();
    const driver: any = new Driver(await createWorld({ warn: false }), draw, counts, 12345 as any, JOINTED);
    let stops = 0;
    const own = driver.stepped.bind(driver);
    driver.stepped = (several: boolean) => {
      const { faults } = driver.world;
      if (faults.stops.length > 0) {
        stops++;
        if (stops <= 2) {
          const w = driver.world;
          for (const { body, cause } of faults.stops) {
            const info: any = { body, cause, alive: w.isAlive(body) };
            if (info.alive) { info.mass = w.getMass(body); info.pos = w.getPosition(body, [0,0,0]); info.joints = w.jointsOf(body).map((j: any) => { try { const d = w.getJoint(j); return d; } catch (e) { return String(e); } });
              info.inertia = w.getMassProperties?.(body); info.shapes = w.collidersOf(body).map((c: any) => { try { return w.getCollider?.(c) ?? c } catch { return c } }); info.last = driver.log.slice(-1); }
            console.log(seed, counts.calls, JSON.stringify(info).slice(0, 2500));
          }
          if (process.env.LOG) console.log(driver.log.slice(-20).join('\n').slice(0, 6000));
        }
      }
      own(several);
    };
    await driver.floor();
    try {
    for (let i = 0; counts.calls < 1000; i++) await driver.play();
    } catch (e) { console.log('FAIL', seed, String(e).slice(0, 800)); }
    worlds++;
    if (stops) stoppedWorlds++;
    if (stops) console.log(`seed ${seed}: ${stops} steps with stops of ${counts.steps}`);
    driver.world.dispose();
  }
  console.log(`${stoppedWorlds} of ${worlds}`);
});
