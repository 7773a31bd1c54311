import { readFileSync } from 'node:fs';
import { DEADLINE, ENDPOINTS, HOOK_EXIT, JSON_TYPE, WITHIN } from '@palimpsest/protocol/light';
import { AGENT_NAMES, AGENTS } from './dist/agents/agents.js';
import { UNCHECKED } from './dist/agents/hook-event.js';
import { DECIDING_EVENTS } from './dist/hook/deadlines.js';
import { MISSED_NAME } from './dist/hook/missed.js';
import { PATIENCE_MS, UNTIL } from './dist/hook/patience.js';
import { DISCOVERY_NAME } from './dist/link/discovery.js';
import { ID_LENGTH_LIMIT, SESSION } from './dist/surroundings/within.js';

/** plugins/hook.sh with what stands between two @ filled in with what src/ knows, by the output of `tsc -b`. */
export function hookScript() {
  const variables = AGENT_NAMES.flatMap((name) =>
    AGENTS[name].projectVariable === undefined ? [] : [`${name}) variable=${AGENTS[name].projectVariable} ;;`],
  );
  const deadlines = AGENT_NAMES.map((name) => `${name}) deadline_ms=${AGENTS[name].waits.deadlineMs} ;;`);
  const values = {
    DEADLINES: deadlines.join('\n  '),
    UNTIL,
    PROJECT_VARIABLES: variables.join('\n  '),
    DECIDING_EVENTS: [...DECIDING_EVENTS].join(' | '),
    BEFORE_S: PATIENCE_MS.before / 1000,
    BEFORE_MS: PATIENCE_MS.before,
    AFTER_S: PATIENCE_MS.after / 1000,
    AFTER_MS: PATIENCE_MS.after,
    DISCOVERY_NAME,
    MISSED_NAME,
    UNCHECKED: quoted(UNCHECKED.stderr),
    UNCHECKED_EXIT: UNCHECKED.exit,
    SESSION,
    ID_LENGTH_LIMIT,
    HOOK_PATH: ENDPOINTS.takeHook.path.replace(/\{\w+\}/g, '%s'),
    DEADLINE,
    WITHIN,
    JSON_TYPE,
    // Header names come in any case.
    HOOK_EXIT: HOOK_EXIT.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`),
  };
  const template = readFileSync(new URL('plugins/hook.sh', import.meta.url), 'utf8');
  return template.replace(/@([A-Z_]+)@/g, (_, name) => {
    if (!(name in values)) throw new Error(`plugins/hook.sh wants ${name}, which nobody knows`);
    return values[name];
  });
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
