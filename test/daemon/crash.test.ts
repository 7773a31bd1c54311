import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { documentOf, User, type Workspace } from '../cli/pal.fixture.js';
import { cases } from '../search.fixture.js';

const ROUNDS = cases({ brief: 1, long: 3 });
const OPERATIONS = cases({ brief: 60, long: 200 });
/** As many commands at once as two cores can start without one waiting for all the others. */
const AT_ONCE = 4;

let user: User;
afterEach(() => user.leave());

test(`[SRV5a] killed in the middle of ${OPERATIONS} random operations, ${ROUNDS} times over: nothing acknowledged is missing, no file is half written`, async () => {
  user = new User();
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`f${index}.txt`, `start ${index}\n`.repeat(50)]),
  );
  const workspace = user.workspace(files);
  await workspace.json('status');
  const acknowledged: string[] = [];
  const legal = new Map(Object.entries(files).map(([path, text]) => [path, new Set([text])]));
  for (let round = 0; round < ROUNDS; round++) await killedAround(workspace, round, acknowledged, legal);
  const { changes } = await workspace.json<{ changes: { callId: string | null; path: string }[] }>(
    'changes',
    '--status',
    'all',
  );
  const recorded = new Set(changes.map((change) => change.callId));
  expect(acknowledged.filter((call) => !recorded.has(call))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(20);
  for (const [path, texts] of legal)
    expect(texts.has(readFileSync(join(workspace.root, path), 'utf8')), path).toBe(true);
  expect(readdirSync(workspace.root).sort()).toEqual(['.git', ...Object.keys(files)].sort());
});

/** Calls that write, verdicts that write back, and checkpoints, while the daemon is killed under them. */
async function killedAround(
  workspace: Workspace,
  round: number,
  acknowledged: string[],
  legal: Map<string, Set<string>>,
): Promise<void> {
  let next = 0;
  const killAt = 20 + round * 7;
  const each = Math.floor(OPERATIONS / ROUNDS);
  const worker = async () => {
    for (let step = next++; step < each; step = next++) {
      if (step === killAt) process.kill(daemonPid(), 'SIGKILL');
      await operate(workspace, `${round}-${step}`, step, acknowledged, legal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function operate(
  workspace: Workspace,
  id: string,
  step: number,
  acknowledged: string[],
  legal: Map<string, Set<string>>,
): Promise<void> {
  const path = `f${step % 20}.txt`;
  if (step % 9 === 8) {
    await workspace.pal('reject', '--path', path, '--json');
    return;
  }
  if (step % 9 === 7) {
    await workspace.pal('checkpoint', 'save', '--json');
    return;
  }
  const text = `${id}\n`.repeat(50);
  const input = { file_path: path, content: text };
  const begun = await workspace.say(['tool', 'begin', '--json'], {
    session: 'S',
    callId: id,
    tool: 'Write',
    input,
    observe: true,
  });
  if (begun.exit !== 0) return;
  legal.get(path)!.add(text);
  writeFileSync(join(workspace.root, path), text);
  const ended = await workspace.say(['tool', 'end', '--json'], { session: 'S', callId: id });
  if (ended.exit !== 0) return;
  const { changes } = documentOf<{ changes: unknown[] }>(ended);
  if (changes.length > 0) acknowledged.push(id);
}

function daemonPid(): number {
  const file = join(user.data, 'daemon.json');
  if (!existsSync(file)) throw new Error('no daemon to kill');
  return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid;
}
