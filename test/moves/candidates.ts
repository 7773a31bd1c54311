import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { sceneOf } from './scene.js';
import type { Stage } from './stage.js';
import { writerOfCall } from './token.js';
import { allTokens } from './verdicts.js';
import { must } from './violation.js';

/**
 * Two commands run at the same time, and nobody can say which of them wrote: then both are candidates, the change is
 * pending, and it can be decided like any other.
 */
export async function playCandidates(stage: Stage): Promise<void> {
  if (stage.open.length > 0 || stage.murky) return;
  const { desk, world, chance } = stage;
  const files = sceneOf(stage, '').files;
  if (files.length === 0) return;
  const path = chance.pick(files);
  const calls = [
    { session: 'ann', callId: stage.newCall() },
    { session: 'bob', callId: stage.newCall() },
  ] as const;
  stage.table.count('What is asked of us', 'reject one of several candidates');
  stage.table.count('When', 'two calls overlapping');
  const told = { tool: 'Bash', input: { command: 'make everything' }, cwd: world.root, agent: 'claude' };
  for (const call of calls) stage.good(await desk.begin({ ...call, ...told }), 'begin');
  const { session, callId } = chance.pick(calls);
  const line = stage.tokens.line(writerOfCall(session, callId));
  stage.say(`ann and bob both run \`make everything\`; ${session} ${callId} appends ${line} to ${path}`);
  appendFileSync(join(world.root, path), `${line}\n`);
  stage.makeMurky();
  stage.did({ by: 'agent', session, call: callId });
  for (const call of calls) stage.good(await desk.end({ ...call, ok: true }), 'end');
  const [change] = await stage.settle();
  stage.clearUp();
  must(
    change !== undefined && change.author?.kind === 'unknown' && change.author.candidates.length === 2,
    8,
    () => `of two that may have written, ${JSON.stringify(change?.author)} is named`,
  );
  const { changes } = stage.good(await desk.changes('pending'), 'pending') as { changes: readonly { id: string }[] };
  must(
    changes.some(({ id }) => id === change.id),
    8,
    () => `${change.id} has agents as candidates and is not pending`,
  );
  stage.good(await desk.verdict('reject', { changes: [change.id] }, { dryRun: false }), 'reject what is unknown');
  await stage.settle();
  must(!allTokens(stage, stage.now).has(line.split(' ')[0]!), 3, () => `${change.id} was rejected and is still there`);
}
