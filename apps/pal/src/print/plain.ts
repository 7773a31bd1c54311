import { COMMANDS, TOOLS } from './steps.js';
import type { Style } from './style.js';

const as = (text: string) => text;

/** For whoever is no terminal: no colours, nothing cut short. */
export function plainStyle(): Style {
  return {
    paint: { added: as, removed: as, good: as, bad: as, careful: as, name: as, quiet: as, strong: as },
    width: null,
    now: Date.now(),
    steps: COMMANDS,
  };
}

/** For a model, which has our tools and may have no shell. */
export function modelStyle(): Style {
  return { ...plainStyle(), steps: TOOLS };
}
