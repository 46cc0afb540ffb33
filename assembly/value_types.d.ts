// For editors: what scripts/value_types.mjs, a transform of the compiler, gives the core.
/** Marks a class of values: no object is made of it, its fields live in locals (scripts/value_types.mjs). */
declare function value(target: Function): void;
