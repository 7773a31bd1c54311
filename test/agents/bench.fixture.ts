/** What `bench/hooks.mjs` takes from here, beside the drivers. */
export { programOf } from './programs.fixture.js';
export { Seat } from './seat.fixture.js';
