import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSIONS } from './calls.js';
import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { checkStore } from './standing.js';
import { writerOfCall } from './token.js';
import { must } from './violation.js';

/** Removing what nothing needs removes nothing that is needed. */
export async function playGc(stage: Stage): Promise<void> {
  stage.table.count('What is asked of us', 'gc');
  stage.say('gc');
  const before = stage.now;
  stage.good(await stage.desk.gc(true), 'a dry gc');
  stage.good(await stage.desk.gc(false), 'gc');
  must(difference(before, stage.photograph()).length === 0, 3, () => 'gc wrote into the workspace');
  await checkStore(stage);
}

/** An agent wrote a secret, it was rejected, now it is to be forgotten: no byte of it stays under the data directory. */
export async function playForget(stage: Stage): Promise<void> {
  if (stage.open.length > 0) return;
  const { desk, world } = stage;
  stage.table.count('What is asked of us', 'forget');
  const session = stage.chance.pick(SESSIONS);
  const call = stage.newCall();
  const path = `secret${stage.newName()}.txt`;
  const secret = `hush-${stage.newName()}-${stage.chance.below(1e9).toString(36)}-${stage.chance.below(1e9).toString(36)}`;
  const text = `${stage.tokens.token(writerOfCall(session, call))} ${secret}\n`;
  stage.say(`${session} ${call} writes a secret into ${path}; it is rejected and forgotten`);
  stage.good(
    await desk.begin({
      session,
      callId: call,
      tool: 'Write',
      input: { file_path: path, content: text },
      cwd: world.root,
      agent: 'claude',
    }),
    'begin',
  );
  writeFileSync(join(world.root, path), text);
  stage.did({ by: 'agent', session, call });
  stage.good(await desk.end({ session, callId: call, ok: true }), 'end');
  const [written] = await stage.settle();
  const before = stage.now;
  stage.good(await desk.verdict('reject', { changes: [written!.id] }, { dryRun: false }), 'reject a secret');
  await stage.settle();
  must(!stage.now.files.has(path), 3, () => 'the rejected secret is still there');
  const done = stage.good(await desk.forget(path, false, stage.way()), 'forget');
  stage.say(`  = ${JSON.stringify(done)}`);
  await stage.settle();
  stage.forgotten.add(written!.after!.id);
  must(
    difference(before, stage.now).every((other) => other === path),
    3,
    () => 'forgetting changed other files',
  );
  const { status } = await desk.content(written!.after!.id);
  must(status === 404, 6, () => 'a forgotten content can still be fetched');
  const found = spawnSync('grep', ['-rlaF', secret, world.data], { encoding: 'utf8' }).stdout.trim();
  must(found === '', 6, () => `the secret is still in ${found}`);
}
