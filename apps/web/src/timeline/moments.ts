import type { ChangeJson, CheckpointJson } from '@palimpsest/protocol';

export type Prompt = { readonly turn: string; readonly text: string; readonly at: string };

/** One thing that happened in a session, and when. */
export type Moment =
  | { readonly kind: 'prompt'; readonly at: string; readonly prompt: Prompt }
  | {
      readonly kind: 'call';
      readonly at: string;
      readonly call: string;
      readonly tool: string;
      readonly changes: readonly ChangeJson[];
    }
  | { readonly kind: 'checkpoint'; readonly at: string; readonly checkpoint: CheckpointJson };

/** A session from its beginning: what was asked, which calls changed what, where one can go back to. */
export function momentsOf(
  prompts: readonly Prompt[],
  changes: readonly ChangeJson[],
  checkpoints: readonly CheckpointJson[],
): readonly Moment[] {
  const calls = new Map<string, ChangeJson[]>();
  for (const change of changes) {
    const key = change.callId ?? change.id;
    calls.set(key, [...(calls.get(key) ?? []), change]);
  }
  const moments: Moment[] = [
    ...prompts.map((prompt): Moment => ({ kind: 'prompt', at: prompt.at, prompt })),
    ...[...calls].map(
      ([call, made]): Moment => ({
        kind: 'call',
        at: made[0]!.at,
        call,
        tool: made[0]!.tool ?? 'unknown',
        changes: made,
      }),
    ),
    ...checkpoints.map((checkpoint): Moment => ({ kind: 'checkpoint', at: checkpoint.at, checkpoint })),
  ];
  // Of what has the same time a prompt comes before what it led to, and a checkpoint after.
  const rank = { prompt: 0, call: 1, checkpoint: 2 } as const;
  return moments.sort((a, b) => (a.at === b.at ? rank[a.kind] - rank[b.kind] : a.at < b.at ? -1 : 1));
}
