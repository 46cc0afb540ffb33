// The package has types for its main entry, which Node cannot import as a module; this is the entry it can.
declare module 'wgsl_reflect/wgsl_reflect.module.js' {
  export * from 'wgsl_reflect';
}
