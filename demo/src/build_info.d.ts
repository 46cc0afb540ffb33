// Put in by the build (demo/vite.config.ts).
/** Version in package.json. */
declare const __TALUS_VERSION__: string;
/** Commit that was built, with a note where files had changed since; null outside a repository. */
declare const __TALUS_COMMIT__: string | null;
/** Where problems are reported: `bugs` of package.json. */
declare const __TALUS_BUGS__: string;
/** Whether the page is part of the site, which has a page of results. */
declare const __TALUS_IN_SITE__: boolean;
