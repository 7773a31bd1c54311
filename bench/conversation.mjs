// A conversation of 10,000 messages: what one more costs, resuming, searching, memory; against writing a task file anew, as
// Roo and Cline do with each message. Usage, after `npm run build`: node bench/conversation.mjs [messages]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '../packages/engine/dist/index.js';

const MESSAGES = Number(process.argv[2] ?? 10_000);
const WINDOW = 100;
const SEARCHES = 30;
const SENTENCE = 'The parser of src/app.ts returns early when the list is empty, so nothing is drawn. ';

const folder = mkdtempSync(join(tmpdir(), 'pal-bench-'));
const root = join(folder, 'work');
mkdirSync(root);
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function open() {
  const opened = await openWorkspace(root, { data: join(folder, 'data'), environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  await opened.value.stockTaken();
  return opened.value;
}

/** A prompt, an answer with a call, and its result; every tenth result is long. */
function message(n) {
  if (n % 3 === 0) return { role: 'user', content: `please do step ${n}. ${SENTENCE}` };
  const call = `call-${n - (n % 3)}`;
  if (n % 3 === 1)
    return {
      role: 'assistant',
      content: [
        { type: 'text', text: `I will do step ${n - 1}.` },
        { type: 'tool_use', id: call, name: 'read_file', input: { path: `src/file-${n}.ts` } },
      ],
    };
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: call, content: SENTENCE.repeat(n % 30 === 2 ? 250 : 12) }],
  };
}

async function timed(work) {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(cpu);
  return [performance.now() - from, value, (user + system) / 1000];
}

let workspace = await open();
const add = (n) => workspace.conversations.add('s', [{ history: 'model', form: 'anthropic', value: message(n) }]);
const times = [];
for (let n = 0; n < MESSAGES; n++) times.push((await timed(() => add(n)))[0]);
const whole = Array.from({ length: MESSAGES }, (_, n) => message(n));
const rewriting = [];
for (let n = 0; n < 10; n++)
  rewriting.push((await timed(() => writeFileSync(join(folder, 'task.json'), JSON.stringify(whole))))[0]);
await workspace.conversations.search('step');
await workspace.close();

const [opening, opened] = await timed(open);
workspace = opened;
const [resumed, resumedCpu] = [[], []];
for (let n = 0; n < 5; n++) {
  const [time, , cpu] = await timed(() => workspace.conversations.messages('s'));
  resumed.push(time);
  resumedCpu.push(cpu);
}
const tail = (await timed(() => workspace.conversations.messages('s', { newest: true, limit: 50 })))[0];
const rare = [];
const common = [];
const commonCpu = [];
for (let n = 0; n < SEARCHES; n++) {
  rare.push((await timed(() => workspace.conversations.search(`"step ${n * 30}"`)))[0]);
  const [time, , cpu] = await timed(() => workspace.conversations.search('parser early'));
  common.push(time);
  commonCpu.push(cpu);
}
const [projecting, , projectingCpu] = await timed(() => workspace.conversations.history('s'));
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed / 1e6;

console.log(`${MESSAGES} messages, one session`);
console.log(`append, median of the first ${WINDOW}   ${ms(median(times.slice(0, WINDOW)))}`);
console.log(`append, median of the last ${WINDOW}    ${ms(median(times.slice(-WINDOW)))}`);
console.log(
  `writing the task file anew        ${ms(median(rewriting))}, ${Math.round(median(rewriting) / median(times.slice(-WINDOW)))} times as long`,
);
console.log(`open                              ${ms(opening)}`);
console.log(
  `resume, all messages              ${ms(resumed[0])} the first time, median ${ms(median(resumed))}, of the processor ${ms(median(resumedCpu))}`,
);
console.log(`the last 50                       ${ms(tail)}`);
console.log(`search, one hit                   ${ms(median(rare))}`);
console.log(`search, in every third message    ${ms(median(common))}, of the processor ${ms(median(commonCpu))}`);
console.log(`what the model gets               ${ms(projecting)}, of the processor ${ms(projectingCpu)}`);
console.log(`heap afterwards                   ${heap.toFixed(0)} MB`);
await workspace.close();
rmSync(folder, { recursive: true, force: true });
