// Put in by the build (demo/vite.config.ts).
/** Version in package.json. */
declare const __TALUS_VERSION__: string;
/** Commit that was built, with a note where files had changed since; null outside a repository. */
declare const __TALUS_COMMIT__: string | null;
