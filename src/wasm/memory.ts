// The only place that keeps typed-array views of linear memory. A view becomes invalid when memory grows; the getters here create
// a new one only then, so reading state in every frame allocates nothing.
import { HEADER_PTR } from '../layout.generated';
import { type Instantiate, newTenant, type Tenant } from './seats';

/**
 * Linear memory of one world, as f32, u32, f64 and bytes. Never keep a view across a call into the core: memory may have moved.
 */
export class LinearMemory {
  /** @internal */
  readonly tenant: Tenant;
  private buffer: ArrayBuffer;
  private f32View: Float32Array;
  private u32View: Uint32Array;
  private f64View: Float64Array;

  /** @internal */
  constructor(instantiate: Instantiate, own: WebAssembly.Memory | null = null) {
    this.tenant = newTenant(instantiate, own);
    this.buffer = this.memory.buffer as ArrayBuffer;
    this.f32View = new Float32Array(this.buffer);
    this.u32View = new Uint32Array(this.buffer);
    this.f64View = new Float64Array(this.buffer);
  }

  /** @internal The present memory of the world. */
  get memory(): WebAssembly.Memory {
    return this.tenant.seat!.memory;
  }

  private refresh(): void {
    this.buffer = this.memory.buffer as ArrayBuffer;
    this.f32View = new Float32Array(this.buffer);
    this.u32View = new Uint32Array(this.buffer);
    this.f64View = new Float64Array(this.buffer);
  }

  /** All of memory as f32; index = byte address / 4. */
  get f32(): Float32Array {
    if (this.memory.buffer !== this.buffer) this.refresh();
    return this.f32View;
  }

  /** All of memory as u32; index = byte address / 4. */
  get u32(): Uint32Array {
    if (this.memory.buffer !== this.buffer) this.refresh();
    return this.u32View;
  }

  /** All of memory as f64; index = byte address / 8. */
  get f64(): Float64Array {
    if (this.memory.buffer !== this.buffer) this.refresh();
    return this.f64View;
  }

  /** Returns a u32 of the world header, by its offset in `Header`. */
  headerU32(offset: number): number {
    return this.u32[(HEADER_PTR + offset) >>> 2]!;
  }

  /** Returns a f32 of the world header. */
  headerF32(offset: number): number {
    return this.f32[(HEADER_PTR + offset) >>> 2]!;
  }

  setHeaderU32(offset: number, value: number): void {
    this.u32[(HEADER_PTR + offset) >>> 2] = value;
  }

  setHeaderF32(offset: number, value: number): void {
    this.f32[(HEADER_PTR + offset) >>> 2] = value;
  }

  /** Copies a blob to a byte address. */
  write(address: number, bytes: ArrayBuffer): void {
    new Uint8Array(this.memory.buffer, address, bytes.byteLength).set(new Uint8Array(bytes));
  }
}

/**
 * A view of an array whose base address and element count are in the header. It returns the same object as long as neither they
 * nor memory have changed.
 */
export class ArrayView<T extends Float32Array | Uint32Array = Float32Array> {
  private readonly memory: LinearMemory;
  private readonly baseOffset: number;
  private readonly countOffset: number;
  private readonly floatsPerElement: number;
  private readonly type: new (
    buffer: ArrayBufferLike,
    base: number,
    length: number,
  ) => T;
  private view: T;
  private base = -1;

  constructor(
    memory: LinearMemory,
    baseOffset: number,
    countOffset: number,
    floatsPerElement: number,
    type: unknown = Float32Array,
  ) {
    this.memory = memory;
    this.baseOffset = baseOffset;
    this.countOffset = countOffset;
    this.floatsPerElement = floatsPerElement;
    this.type = type as typeof this.type;
    this.view = new this.type(memory.u32.buffer, 0, 0);
  }

  get current(): T {
    const { u32 } = this.memory;
    const base = u32[(HEADER_PTR + this.baseOffset) >>> 2]!;
    const length = u32[(HEADER_PTR + this.countOffset) >>> 2]! * this.floatsPerElement;
    if (base !== this.base || length !== this.view.length || this.view.buffer !== u32.buffer) {
      this.base = base;
      this.view = new this.type(u32.buffer, base, length);
    }
    return this.view;
  }
}
