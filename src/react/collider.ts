// A collider component: a shape of a body beside or instead of the shapes of its meshes; outside of a body, on a static body of
// its own.
import type { ThreeElements } from '@react-three/fiber';
import {
  createElement,
  type ReactNode,
  type Ref,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { BufferAttribute, BufferGeometry, type Group, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId, BodyType, ColliderDesc, ShapeDesc } from '../index';
import { type ShapeKind, shapesFromGeometry } from '../three/index';
import { ColliderApi } from './apis';
import type { BuiltColliders, ColliderEntry } from './built';
import { withContactSkin } from './contact_skin';
import { type TalusContext, useTalus } from './context';
import type { CollisionHandlers } from './events';
import { allowBounce } from './foreign_props';
import { quietly, useLatest, useStable } from './guard';
import { BodyContext, isMarked, MARK, solidKind } from './holder';
import { guarded, labelOf } from './report';
import { scaleShape } from './scale_shape';
import { TemplateContext } from './template';
import { bodyTraits, type ColliderTraits, colliderTraits, withTraits } from './traits';

type GroupProps = ThreeElements['group'];

/** Props of all collider components. */
export interface ColliderProps
  extends ColliderTraits,
    CollisionHandlers,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'name'> {
  ref?: Ref<ColliderApi>;
  children?: ReactNode;
  /** Mass in kg, instead of the mass by density. */
  mass?: number;
}

/** Props of the component that all of them use. */
export interface BaseColliderProps extends ColliderProps {
  /** A description of a shape, or a function that returns one; its errors are reported with the name of the component. */
  shape?: ShapeDesc | (() => ShapeDesc);
  /** Instead of a shape: the kind of shapes to build from the meshes in it. */
  type?: ShapeKind;
  /** Name of the component in messages. */
  component?: string;
}

const matrix = new Matrix4();
const UNIT = new Vector3(1, 1, 1);

class Entry implements ColliderEntry {
  constructor(
    private readonly context: TalusContext,
    private readonly group: { current: Object3D | null },
    private readonly props: { current: BaseColliderProps },
    readonly api: ColliderApi,
  ) {}

  get object(): Object3D | null {
    return this.group.current;
  }

  get handlers() {
    return this.props;
  }

  get label(): string {
    const { component = 'Collider', name } = this.props.current;
    return labelOf(component, name);
  }

  build(frame: Object3D, type: BodyType): BuiltColliders {
    const { context, label } = this;
    const { shape: given, type: kind, mass, ...props } = this.props.current;
    const shape = typeof given === 'function' ? given() : given;
    const group = this.group.current!;
    const traits = colliderTraits(props, props, label);
    const types = props.activeCollisionTypes;
    const asked = mass ?? props.massProperties?.mass;
    if (asked !== undefined) traits.mass = asked;
    if (shape === undefined) {
      const { decompose } = context.shapeOptions;
      const options = { ...context.shapeOptions, shape: solidKind(kind ?? 'hull', type, decompose !== undefined, label), type };
      const found = context.physics.collidersOf(group, options, frame, isMarked);
      return {
        colliders: found.colliders.map((one) => ({ ...traits, ...one })),
        free: () => context.physics.shapes.release(found.used),
        isSurface: options.shape === 'heightfield',
        types,
        skin: props.contactSkin,
      };
    }
    frame.updateWorldMatrix(true, false);
    group.updateWorldMatrix(true, false);
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    frame.matrixWorld.decompose(position, rotation, scale);
    matrix.compose(position, rotation, UNIT).invert().multiply(group.matrixWorld).decompose(position, rotation, scale);
    const shapes = this.solid(scaleShape(shape, scale), type).map((one) => context.world.createShape(one));
    return {
      colliders: shapes.map((id) => ({ ...traits, shape: id, position, rotation })),
      free: () => {
        for (const id of shapes) quietly(() => context.world.removeShape(id));
      },
      isSurface: shape.type === 'heightfield' || shape.type === 'plane',
      types,
      skin: props.contactSkin,
    };
  }

  /** Dynamic bodies take no triangles: returns their convex parts, or their hull. */
  private solid(shape: ShapeDesc, type: BodyType): ShapeDesc[] {
    if (shape.type !== 'mesh') return [shape];
    const { decompose, maxVertices = 64 } = this.context.shapeOptions;
    const kind = solidKind('mesh', type, decompose !== undefined, this.label);
    if (kind === 'mesh') return [shape];
    if (kind === 'hull' || !decompose) return [{ type: 'hull', points: shape.positions, maxVertices }];
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(shape.positions), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(shape.indices), 1));
    return shapesFromGeometry(geometry, { shape: kind, decompose, maxVertices }).map((part) => part.shape);
  }
}

/** A collider of any shape: `<Collider shape={{ type: 'cone', radius: 1, halfHeight: 2 }} />`. */
export function Collider(props: ColliderProps & { shape: ShapeDesc }): ReactNode {
  return createElement(BaseCollider, props);
}

/** The base of all collider components: a collider of a `shape`, or of the meshes in it. */
export function BaseCollider(props: BaseColliderProps): ReactNode {
  const { ref, children, position, rotation, quaternion, scale, name } = props;
  const context = useTalus();
  const holder = useContext(BodyContext);
  const template = useContext(TemplateContext);
  const group = useRef<Group>(null);
  const latest = useLatest(props);
  const key = useStable({ ...traitsOf(props), position, rotation, quaternion, scale });
  const shape = useStable(props.shape);
  const kind = props.type;
  const api = useMemo(() => new ColliderApi(context), [context]);
  const entry = useMemo(() => new Entry(context, group, latest, api), [context, latest, api]);

  useLayoutEffect(() => {
    const owner = template ?? holder;
    if (!owner) return alone(context, entry, group.current!);
    owner.add(entry);
    return () => owner.remove(entry);
  }, [context, template, holder, entry, key, shape, kind]);
  useImperativeHandle(ref, () => api, [api]);

  useLayoutEffect(() => context.listen(latest.current));

  const given = { position, rotation, quaternion, scale, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement('group', { ...pose, ref: group, userData: { [MARK]: true } }, children);
}

function traitsOf(props: BaseColliderProps): object {
  const { children: _c, ref: _r, shape: _s, type: _t, component: _o, ...traits } = props;
  // Handlers are looked up when they are called; whether there is one that wants forces is a trait.
  const entries = Object.entries(traits).filter(([, value]) => typeof value !== 'function');
  return { ...Object.fromEntries(entries), wantsForces: props.onContactForce !== undefined };
}

/** Creates a static body at the group for a collider without a body. */
function alone(context: TalusContext, entry: Entry, group: Object3D): () => void {
  const { world } = context;
  const made = guarded(entry.label, 'it is left out', () => {
    const traits = bodyTraits({}, {}, entry.label, context.density);
    const built = entry.build(group, 'static');
    const { colliders, free } = withContactSkin(world, built, built.skin, traits, entry.label);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    group.updateWorldMatrix(true, false);
    group.matrixWorld.decompose(position, rotation, new Vector3());
    try {
      const parts = colliders.map((one: ColliderDesc) => withTraits(traits, one));
      allowBounce(world, parts);
      const body: BodyId = world.createBody({ type: 'static', position, rotation, colliders: parts });
      const ids = world.collidersOf(body);
      for (const id of ids) context.colliders.set(id, entry);
      if (ids[0] !== undefined) context.adopt(ids[0], entry.api);
      return { body, ids, free };
    } catch (error) {
      free();
      throw error;
    }
  });
  return () => {
    if (!made) return;
    context.forget(made.ids);
    quietly(() => world.isAlive(made.body) && world.removeBody(made.body));
    quietly(made.free);
  };
}
