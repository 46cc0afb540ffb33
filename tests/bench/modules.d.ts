// The bench is plain JavaScript (it runs without a build step); its modules are untyped here.
declare module '*.mjs';
