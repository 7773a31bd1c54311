// What our hooks cost a real agent per tool call, against the same agent without them, in turns in the same run. Each
// round runs the agent with no call and with many, wired and not: what is left after taking the starts away is the calls'.
// Exits with 1 when an agent is beyond its goal. `node bench/hooks.mjs claude codex` measures only these.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROUNDS = 5;
const CALLS = 20;
/** Both hooks of a call together. */
const GOAL_MS = { claude: 80, codex: 80, gemini: 80, opencode: 25, cline: 25 };
const WAY = { claude: 'command', codex: 'command', gemini: 'command', opencode: 'HTTP', cline: 'HTTP' };

const { programOf, Seat, ...drivers } = await fixtures();
const wanted = process.argv.slice(2);
let missed = false;
for (const driver of Object.values(drivers)) {
  if (wanted.length > 0 && !wanted.includes(driver.agent)) continue;
  const program = await programOf(driver.agent);
  if ('missing' in program) print(`SKIPPED: ${program.missing}`);
  else await measure(driver, program.file);
}
process.exitCode = missed ? 1 : 0;

async function measure(driver, file) {
  const seats = { bare: await Seat.take(driver, file), wired: await Seat.take(driver, file) };
  try {
    await seats.wired.init();
    const overheads = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const took = {};
      for (const [name, seat] of Object.entries(seats)) {
        took[name] = (await timed(seat, CALLS)) - (await timed(seat, 0));
      }
      if (round > 0) overheads.push((took.wired - took.bare) / CALLS);
    }
    const middle = median(overheads);
    const goal = GOAL_MS[driver.agent];
    missed ||= middle > goal;
    const range = `${Math.min(...overheads).toFixed(1)} to ${Math.max(...overheads).toFixed(1)}`;
    print(
      `${driver.agent.padEnd(9)} ${WAY[driver.agent].padEnd(8)} ${middle.toFixed(1).padStart(6)} ms per call (${range})   goal ${goal} ms: ${middle <= goal ? 'kept' : 'missed'}`,
    );
  } finally {
    for (const seat of Object.values(seats)) await seat.leave();
  }
}

/** A file that is read and edited in turns, so that every call is one that is looked at closely. */
async function timed(seat, calls) {
  const { read, edit } = seat.driver.tools(seat);
  seat.workspace.write('bench.txt', 'number 0\n');
  const steps = Array.from({ length: calls }, (_, at) => ({
    calls: [at % 2 === 0 ? read('bench.txt') : edit('bench.txt', `number ${at - 1}`, `number ${at + 1}`)],
  }));
  const began = performance.now();
  const ran = await seat.run('Count.', [...steps, { text: 'done' }]);
  if (ran.exit !== 0 || seat.model.left > 0) throw new Error(`${seat.agent}: ${ran.exit} ${ran.stderr.slice(-500)}`);
  return performance.now() - began;
}

/** The stories' fixtures are TypeScript; a bundle of them stands beside them for a moment. */
async function fixtures() {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const file = here('../test/agents/bench.bundle.mjs');
  const bundle = await rolldown({ input: here('../test/agents/bench.fixture.ts'), platform: 'node' });
  try {
    await bundle.write({ file, format: 'esm' });
    return await import(pathToFileURL(file).href);
  } finally {
    await bundle.close();
    rmSync(file, { force: true });
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
