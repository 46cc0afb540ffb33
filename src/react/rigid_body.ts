// <RigidBody>: a body with what is drawn by it.
import type { ThreeElements } from '@react-three/fiber';
import { createElement, type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { Group } from 'three';
import { RigidBodyApi } from './body_api';
import { type AutoColliders, type BodyHandlers, useTalus } from './context';
import { same, useLatest } from './guard';
import { BodyContext, BodyHolder, type BodyTraitsProps, MARK } from './holder';

type GroupProps = ThreeElements['group'];

export interface RigidBodyProps
  extends BodyTraitsProps,
    BodyHandlers,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'visible' | 'name'> {
  ref?: Ref<RigidBodyApi>;
  children?: ReactNode;
  /** Shapes from the meshes in it; default that of `Physics`. `false`: collider components alone. */
  colliders?: AutoColliders;
  /** Kept with the body and with the group. */
  userData?: Record<string, unknown>;
}

/**
 * A body, and a group that is drawn where it is. Position, rotation and scale are where it begins; when they change the body is put there.
 * Everything else can change at any time.
 */
export function RigidBody(props: RigidBodyProps): ReactNode {
  const { ref, children, colliders, position, rotation, quaternion, scale, visible, name, userData } = props;
  const context = useTalus();
  const group = useRef<Group>(null);
  const latest = useLatest(props);
  const api = useMemo(() => new RigidBodyApi(context.world), [context]);
  const holder = useMemo(() => new BodyHolder(context, api, latest), [context, api, latest]);
  const kind = colliders ?? context.autoColliders;
  const placed = useRef({ position, rotation, quaternion });
  useImperativeHandle(ref, () => api, [api]);

  useLayoutEffect(() => {
    placed.current = latest.current as typeof placed.current;
    holder.create(group.current!, latest.current, kind);
    if (latest.current.userData !== undefined) api.userData = latest.current.userData;
    return () => holder.destroy();
  }, [holder, api, latest, kind]);

  // After each render: what has changed.
  useLayoutEffect(() => {
    const before = placed.current;
    placed.current = { position, rotation, quaternion };
    const isTurned = !same(rotation, before.rotation) || !same(quaternion, before.quaternion);
    if (isTurned || !same(position, before.position)) holder.teleport(isTurned);
    holder.change(latest.current);
  });

  const given = { position, rotation, quaternion, scale, visible, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement(
    BodyContext.Provider,
    { value: holder },
    createElement('group', { ...pose, ref: group, userData: { ...userData, [MARK]: true } }, children),
  );
}
