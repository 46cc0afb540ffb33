// <RigidBody>: a body and the objects that it moves.
import type { ThreeElements } from '@react-three/fiber';
import { createElement, type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { Group } from 'three';
import { RigidBodyApi } from './apis';
import { type AutoColliders, useTalus } from './context';
import { same, useLatest } from './guard';
import { BodyContext, BodyHolder, type HeldProps, MARK } from './holder';
import { labelOf } from './report';

type GroupProps = ThreeElements['group'];

/** Pointer handlers, which the group gets. */
type PointerProps = Pick<
  GroupProps,
  Extract<keyof GroupProps, `on${'Click' | 'ContextMenu' | 'DoubleClick' | 'Wheel' | `Pointer${string}`}`>
>;
const POINTER = /^on(Click|ContextMenu|DoubleClick|Wheel|Pointer)/;

export interface RigidBodyProps
  extends HeldProps,
    PointerProps,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'visible' | 'name'> {
  ref?: Ref<RigidBodyApi>;
  children?: ReactNode;
  /** Kind of shapes from the meshes in it; default that of `Physics`. `false`: only collider components. */
  colliders?: AutoColliders;
  /** Stored with the body and with the group. */
  userData?: Record<string, unknown>;
}

/**
 * A rigid body, and a group that follows it. Position, rotation and scale are its start; when they change, the body is
 * teleported. All other props can change at any time.
 */
export function RigidBody(props: RigidBodyProps): ReactNode {
  const { ref, children, colliders, position, rotation, quaternion, scale, visible, name, userData } = props;
  const context = useTalus();
  const group = useRef<Group>(null);
  const latest = useLatest(props);
  const api = useMemo(() => new RigidBodyApi(context), [context]);
  const holder = useMemo(() => new BodyHolder(context, api, latest), [context, api, latest]);
  const kind = colliders ?? context.autoColliders;
  const placed = useRef({ position, rotation, quaternion });
  api.label = labelOf('RigidBody', name);

  useLayoutEffect(() => {
    placed.current = latest.current as typeof placed.current;
    holder.create(group.current!, latest.current, kind);
    context.unsettled.add(holder);
    if (latest.current.userData !== undefined && api.isValid()) api.userData = latest.current.userData;
    return () => {
      context.unsettled.delete(holder);
      holder.destroy();
    };
  }, [context, holder, api, latest, kind]);
  useEffect(() => {
    context.unsettled.delete(holder);
  }, [context, holder, kind]);
  // Null if the body could not be created: code that checks its ref goes on.
  useImperativeHandle(ref, () => (api.isValid() ? api : null) as RigidBodyApi, [api, kind]);

  // After each render: applies changed props.
  useLayoutEffect(() => {
    const before = placed.current;
    placed.current = { position, rotation, quaternion };
    const isTurned = !same(rotation, before.rotation) || !same(quaternion, before.quaternion);
    if (isTurned || !same(position, before.position)) holder.teleport(isTurned);
    holder.change(latest.current);
  });

  const pointer = Object.entries(props).filter(([key]) => POINTER.test(key));
  const given = { position, rotation, quaternion, scale, visible, name, ...Object.fromEntries(pointer) };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement(
    BodyContext.Provider,
    { value: holder },
    createElement('group', { ...pose, ref: group, userData: { ...userData, [MARK]: true } }, children),
  );
}

/** All props of `RigidBody` except its ref. */
export type RigidBodyOptions = Omit<RigidBodyProps, 'ref'>;
