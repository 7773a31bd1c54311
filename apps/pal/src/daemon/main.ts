import { parseArgs } from 'node:util';
import { runDaemon } from './process.js';

/** The daemon as a process of its own; started by `connect.ts`, which reads nothing from it but the discovery file. */
const { values } = parseArgs({
  options: { data: { type: 'string' }, version: { type: 'string' }, 'idle-ms': { type: 'string' } },
});
if (values.data === undefined || values.version === undefined) {
  throw new Error('the daemon must be told --data and --version');
}
const idleMs = Number(values['idle-ms']);
await runDaemon({
  dataDir: values.data,
  version: values.version,
  ...(values['idle-ms'] !== undefined && idleMs >= 0 ? { idle: { daemonMs: idleMs } } : {}),
});
// Whatever still holds the process open must not keep the next daemon from being this user's only one.
process.exit();
