/** What the benchmarks with real agents take from here, beside the drivers. */
export { AGENTS } from '../../apps/pal/src/agents/agents.js';
export { PAL } from '../cli/pal.fixture.js';
export { programOf } from './programs.fixture.js';
export { Seat } from './seat.fixture.js';
