// How long a change of one file takes to the other side of a worktree: from the end of the call that made it to the
// workspace, and from a human's save, as soon as somebody looks, to the worktree; beside the end of the same call in a session
// without a worktree, by turns in one run. And what an idle worktree costs.
// Usage, after `npm run build`: node bench/flow.mjs [sizes] [rounds]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { makeTree, median, ms, pathOf } from './trees.mjs';

const IDLE_MS = 3_000;

for (const size of (process.argv[2] ?? '1000,10000,100000').split(',').map(Number)) await measure(size);

async function measure(size) {
  const rounds = Number(process.argv[3] ?? 15);
  const root = makeTree(size);
  const data = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const opened = await openWorkspace(root, { data, environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  const workspace = opened.value;
  try {
    await workspace.stockTaken();
    const began = performance.now();
    const started = await workspace.startSession({ id: 'there', agent: 'bench', worktree: 'auto' });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    const made = performance.now() - began;
    const there = started.value.worktree.path;
    const rows = { out: [], into: [], plain: [] };
    for (let round = 0; round < rounds; round++) {
      rows.out.push(await call(workspace, 'there', there, pathOf(round + 1), `out ${round}\n`, root));
      rows.plain.push(await call(workspace, 'here', root, pathOf(round + 200), `plain ${round}\n`, root));
      const path = pathOf(round + 400);
      writeFileSync(join(root, path), `into ${round}\n`);
      const from = performance.now();
      await workspace.look();
      rows.into.push(performance.now() - from);
      if (readFileSync(join(there, path), 'utf8') !== `into ${round}\n`) throw new Error('it did not come');
    }
    const cpu = process.cpuUsage();
    await sleep(IDLE_MS);
    const idle = process.cpuUsage(cpu);
    const plain = median(rows.plain);
    process.stdout.write(
      `${size} files: session with worktree started in ${ms(made)}\n` +
        `  out at the end of a call  ${ms(median(rows.out))} (${(median(rows.out) / plain).toFixed(2)} × a call without a worktree, ${ms(plain)})\n` +
        `  in when looked at         ${ms(median(rows.into))}\n` +
        `  idle for ${IDLE_MS / 1000} s             ${ms((idle.user + idle.system) / 1000)} of CPU\n`,
    );
  } finally {
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
    rmSync(data, { recursive: true, force: true });
  }
}

/** From the end of a call that writes one file until it is where it shall be. */
async function call(workspace, session, folder, path, text, root) {
  const callId = `${session}-${path}-${text}`;
  const input = { file_path: join(folder, path), content: text };
  await workspace.begin({
    session,
    callId: `r${callId}`,
    tool: 'Read',
    input: { file_path: join(folder, path) },
    cwd: folder,
  });
  await workspace.end({ session, callId: `r${callId}` });
  await workspace.begin({ session, callId, tool: 'Write', input, cwd: folder });
  writeFileSync(join(folder, path), text);
  const from = performance.now();
  await workspace.end({ session, callId });
  const took = performance.now() - from;
  if (readFileSync(join(root, path), 'utf8') !== text) throw new Error('it did not come');
  return took;
}
