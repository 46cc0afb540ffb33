// Whether tests of the golden table take all of it: `npm run golden -- --full` says so.
export const isFull = process.env.TALUS_GOLDEN === 'full';
