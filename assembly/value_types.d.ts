// For editors: declarations that scripts/value_types.mjs, a transform of the compiler, adds to the core.
/** Marks a class of values: no object is made of it, its fields live in locals (scripts/value_types.mjs). */
declare function value(target: Function): void;
