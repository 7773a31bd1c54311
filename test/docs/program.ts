import { buildProgram } from '../../apps/pal/src/cli/program.js';
import { paintFor } from '../../apps/pal/src/print/paint.js';

/** Every command as it is known on the command line; none of them does anything here. */
export const program = await buildProgram([], {
  version: '',
  act: () => () => Promise.resolve(),
  paint: paintFor({ isTerminal: false, environment: {} }),
  help: () => undefined,
});
