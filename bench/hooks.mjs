// What our hooks cost a real agent per tool call, against the same agent without them, in turns in the same run. The
// scripted model sees how long the agent takes from each reply to its next request, which is the call with its hooks; how
// long the agent takes to start does not count. Exits with 1 when an agent is beyond its goal. `node bench/hooks.mjs
// claude codex` measures only these.
import { realAgents } from './agents.mjs';
import { median } from './trees.mjs';

const ROUNDS = 9;
const CALLS = 20;
/** Both hooks of a call together. */
const GOAL_MS = { command: 80, HTTP: 25 };
const COMMAND = { way: 'command', options: [] };
const PLUGIN = { way: 'HTTP', options: [] };
/** How an agent can be wired up, where it is not as a command. */
const WAYS = {
  claude: [COMMAND, { way: 'HTTP', options: ['--http'] }],
  opencode: [PLUGIN],
  cline: [PLUGIN],
};

const { programOf, Seat, drivers } = await realAgents();
const wanted = process.argv.slice(2);
let missed = false;
for (const driver of drivers) {
  if (wanted.length > 0 && !wanted.includes(driver.agent)) continue;
  const program = await programOf(driver);
  if ('missing' in program) print(`SKIPPED: ${program.missing}`);
  else for (const way of WAYS[driver.agent] ?? [COMMAND]) await measure(driver, program.file, way);
}
process.exitCode = missed ? 1 : 0;

async function measure(driver, file, { way, options }) {
  const seats = { bare: await Seat.take(driver, file), wired: await Seat.take(driver, file) };
  try {
    await seats.wired.init(...options);
    const waits = { bare: { read: [], edit: [] }, wired: { read: [], edit: [] } };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, seat] of Object.entries(seats)) {
        for (const [at, ms] of (await waitsOf(seat)).entries()) waits[name][at % 2 === 0 ? 'read' : 'edit'].push(ms);
      }
    }
    const { bare, wired } = waits;
    const over = { read: median(wired.read) - median(bare.read), edit: median(wired.edit) - median(bare.edit) };
    const goal = GOAL_MS[way];
    const worst = Math.max(over.read, over.edit);
    missed ||= worst > goal;
    const told = Object.entries(over).map(([name, ms]) => `${name} ${ms.toFixed(1).padStart(6)} ms`);
    print(
      `${driver.agent.padEnd(9)} ${way.padEnd(8)} ${told.join('   ')}   over ${median(bare.edit).toFixed(1)} ms for an edit   goal ${goal} ms: ${worst <= goal ? 'kept' : 'missed'}`,
    );
  } finally {
    for (const seat of Object.values(seats)) await seat.leave();
  }
}

/** A file that is read and edited in turns, so that every call is one that is looked at closely. */
async function waitsOf(seat) {
  const { read, edit } = seat.driver.tools(seat);
  seat.workspace.write('bench.txt', 'number 0\n');
  const steps = Array.from({ length: CALLS }, (_, at) => ({
    calls: [at % 2 === 0 ? read('bench.txt') : edit('bench.txt', `number ${at - 1}`, `number ${at + 1}`)],
  }));
  const ran = await seat.run('Count up to twenty.', [...steps, { text: 'done' }]);
  if (ran.exit !== 0 || seat.model.left > 0) {
    const how = `exit ${ran.exit}, ${seat.model.left} of ${steps.length + 1} steps left, ${seat.model.requests.length} requests`;
    throw new Error(`${seat.agent}: ${how}\n${ran.stdout.slice(-500)}\n${ran.stderr.slice(-500)}`);
  }
  return [...seat.model.waits];
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
