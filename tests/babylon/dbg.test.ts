import * as B from '@babylonjs/core';
import { test } from 'vitest';
import { box, onHavok, onTalus } from './scenes';
test('dbg', async () => {
  for (const setup of [await onTalus(), await onHavok()]) {
    const { scene, step } = setup;
    box(scene, [0, -5, 0], 0, 10);
    const hero = new B.PhysicsCharacterController(new B.Vector3(-3, 1.2, 0), { capsuleHeight: 1.8, capsuleRadius: 0.4 }, scene);
    const hk = (setup.plugin as any)._hknp;
    const down = new B.Vector3(0, -1, 0); const gravity = new B.Vector3(0, -10, 0); const out: string[] = [];
    for (let i = 0; i < 60; i++) {
      const support = hero.checkSupport(1 / 60, down);
      const on = support.supportedState === 2;
      hero.setVelocity(new B.Vector3(1, on ? 0 : hero.getVelocity().y - 10 / 60, 0));
      hero.integrate(1 / 60, support, gravity);
      if (i % 6 === 0) out.push(`${support.supportedState} ${hero.getPosition().x.toFixed(3)},${hero.getPosition().y.toFixed(3)} m${(hero as any)._manifold.map((c: any)=>`[${c.distance.toFixed(3)} ${c.normal.asArray().map((x:number)=>x.toFixed(2))} ${c.position.asArray().map((x:number)=>x.toFixed(2))}]`)}`);
      step();
    }
    console.log(setup.plugin.name, '\n' + out.join('\n'));
    const P = (y: number) => { const c = hk.HP_QueryCollector_Create(16)[1]; hk.HP_World_ShapeProximityWithCollector((setup.plugin as any).world, c, [(hero as any)._shape._pluginData, [-3, y, 0], [0,0,0,1], 0.2, false, [(hero as any)._body._pluginData.hpBodyId[0]]]); const n = hk.HP_QueryCollector_GetNumHits(c)[1]; const r=[]; for(let i=0;i<n;i++) r.push(hk.HP_QueryCollector_GetShapeProximityResult(c,i)[1]); return JSON.stringify(r, (_k,v)=>typeof v==='bigint'?Number(v):v); };
    const C = (y: number, to: number) => { const c = hk.HP_QueryCollector_Create(16)[1]; hk.HP_World_ShapeCastWithCollector((setup.plugin as any).world, c, [(hero as any)._shape._pluginData, [0,0,0,1], [-3, y, 0], [-2.5,to,0], false, [(hero as any)._body._pluginData.hpBodyId[0]]]); const n = hk.HP_QueryCollector_GetNumHits(c)[1]; const r=[]; for(let i=0;i<n;i++) r.push(hk.HP_QueryCollector_GetShapeCastResult(c,i)[1]); return JSON.stringify(r, (_k,v)=>typeof v==='bigint'?Number(v):v); };
    console.log(P(1), P(0.85)); console.log(C(1.5, 0.5)); console.log(C(0.85,0.85)); console.log(C(0.85,0.6));
  }
});
