// The public API of talus/controllers: characters and vehicles that players steer, built on the public calls of a world.

export { Character, type CharacterState } from './character';
export type { CharacterDesc, Walk } from './character_desc';
export type { CharacterWorld } from './probe';
export { Vehicle, type VehicleState, type WheelState } from './vehicle';
export type { Controls, DriveDesc, VehicleDesc, VehicleWorld, WheelDesc } from './vehicle_desc';
