import { isCovered } from './coverage.js';
import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { must } from './violation.js';

/** What differs since a checkpoint, from the oracle's own copies. */
export async function playDiff(stage: Stage): Promise<void> {
  if (stage.open.length > 0) return;
  const { checkpoints } = stage.good(await stage.desk.checkpoints(), 'checkpoints') as {
    checkpoints: readonly { id: string }[];
  };
  const known = checkpoints.map(({ id }) => id).filter((id) => stage.copies.has(id));
  if (known.length === 0) return;
  stage.table.count('What is asked of us', 'diff');
  const id = stage.chance.pick(known);
  const then = stage.copies.get(id)!;
  const { files } = stage.good(await stage.desk.compare(id, null), 'diff') as {
    files: readonly { path: string; fromPath?: string }[];
  };
  const said = new Set(files.flatMap(({ path, fromPath }) => (fromPath === undefined ? [path] : [path, fromPath])));
  const own = difference(then, stage.now).filter((path) =>
    isCovered(path, stage.now.files.get(path) ?? then.files.get(path)!),
  );
  const wrong = [...own.filter((path) => !said.has(path)), ...[...said].filter((path) => !own.includes(path))];
  must(wrong.length === 0, 3, () => `the difference of ${id} and now is wrong in ${wrong.join(', ')}`);
}

/** What a session saw as a whole is fresh exactly as long as it is so. */
export async function playStale(stage: Stage): Promise<void> {
  stage.table.count('What is asked of us', 'stale');
  for (const session of ['ann', 'bob']) {
    const { files } = stage.good(await stage.desk.stale(session), 'stale') as {
      files: readonly { path: string; state: string; now: { content: string } | null }[];
    };
    for (const { path, state, now } of files) {
      const shot = stage.now.files.get(path);
      if (stage.open.length > 0) continue;
      must(now?.content === shot?.id, 2, () => `stale says that ${path} is ${now?.content}, it is ${shot?.id}`);
      if (shot !== undefined && stage.views.isWhole(session, path, shot.id))
        must(state === 'fresh', 5, () => `${path} was shown to ${session} as it is, and is called ${state}`);
    }
  }
}

/** Asking for notices does not use them up. */
export async function playNotices(stage: Stage): Promise<void> {
  stage.table.count('What is asked of us', 'notices');
  const first = await stage.desk.notices('ann');
  const again = await stage.desk.notices('ann');
  if (first.ok && again.ok)
    must(
      JSON.stringify(first.value.notices) === JSON.stringify(again.value.notices),
      3,
      () => 'asking for notices used them up',
    );
}
