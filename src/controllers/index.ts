// The public API of talus/controllers: what players steer, made by the public calls of a world.

export { Character } from './character';
export type { CharacterDesc, Walk } from './character_desc';
export type { CharacterWorld } from './probe';
export { Vehicle, type WheelState } from './vehicle';
export type { Controls, DriveDesc, VehicleDesc, VehicleWorld, WheelDesc } from './vehicle_desc';
