// Fills the tables of plugins/hook.sh with what is known of the agents. Runs after `tsc -b`, on its output.
import { readFileSync, writeFileSync } from 'node:fs';
import { AGENT_NAMES, AGENTS } from './dist/agents/agents.js';
import { DECIDING_EVENTS, PATIENCE_MS } from './dist/hook/deadlines.js';

const variables = AGENT_NAMES.flatMap((name) =>
  AGENTS[name].projectVariable === undefined ? [] : [`${name}) variable=${AGENTS[name].projectVariable} ;;`],
);
const values = {
  PROJECT_VARIABLES: variables.join('\n  '),
  DECIDING_EVENTS: [...DECIDING_EVENTS].join(' | '),
  BEFORE_S: PATIENCE_MS.before / 1000,
  BEFORE_MS: PATIENCE_MS.before,
  AFTER_S: PATIENCE_MS.after / 1000,
  AFTER_MS: PATIENCE_MS.after,
};
const template = readFileSync(new URL('plugins/hook.sh', import.meta.url), 'utf8');
const script = template.replace(/@([A-Z_]+)@/g, (_, name) => {
  if (!(name in values)) throw new Error(`plugins/hook.sh wants ${name}, which nobody knows`);
  return values[name];
});
writeFileSync(new URL('dist/hook.sh', import.meta.url), script);
