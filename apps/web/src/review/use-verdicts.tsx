import type { BodyOf } from '@palimpsest/protocol';
import { useCallback, useRef, useState } from 'react';
import { harmless } from '../diff/harmless.js';
import { type Saying, useSays } from '../frame/says.js';
import type { LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';

export type Verdict = 'accept' | 'reject';
/** What a verdict is about, and how a person would call it. */
export type Meant = { readonly what: string; readonly selection: Selection; readonly comment?: string };
export type Selection = Pick<BodyOf<'accept'>, 'changes' | 'hunks' | 'call' | 'session' | 'path' | 'all'>;

/** What a reject would do besides what was asked for: the person decides whether it is still wanted. */
export type Consequences = {
  readonly meant: Meant;
  readonly cascaded: readonly string[];
  readonly conflicts: readonly string[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly deleted: readonly string[];
};

export type Verdicts = {
  readonly accept: (meant: Meant) => void;
  /** Looks first at what it takes along, and asks if that is more than was meant. */
  readonly reject: (meant: Meant) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly asking: Consequences | null;
  readonly answerAsked: (how: 'yes' | 'no') => void;
};

export function useVerdicts(workspace: LiveWorkspace): Verdicts {
  const { say } = useSays();
  const inTurn = useTurns();
  const [asking, setAsking] = useState<Consequences | null>(null);
  const { client } = workspace;
  const decide = useCallback(
    (verdict: Verdict, meant: Meant) => decideOn(workspace, verdict, meant).then(say),
    [workspace, say],
  );
  const reject = useCallback(
    (meant: Meant) =>
      inTurn(async () => {
        const plan = await answer(client.reject({ body: { ...meant.selection, dryRun: true } }));
        const { cascaded, conflicts, left, deleted } = plan;
        if (cascaded.length + conflicts.length + left.length > 0)
          setAsking({ meant, cascaded, conflicts, left, deleted });
        else await decide('reject', meant);
      }),
    [inTurn, client, decide],
  );
  const goBack = useCallback(
    (which: 'undo' | 'redo') => inTurn(() => takeBack(workspace, which).then(say)),
    [inTurn, workspace, say],
  );
  return {
    accept: (meant) => inTurn(() => decide('accept', meant)),
    reject,
    undo: () => goBack('undo'),
    redo: () => goBack('redo'),
    asking,
    answerAsked: (how) => {
      setAsking(null);
      if (asking !== null && how === 'yes') inTurn(() => decide('reject', asking.meant));
    },
  };
}

/** One after the other, each on what the one before it left: whoever presses a key three times means three hunks. */
function useTurns(): (work: () => Promise<void>) => void {
  const { attempt } = useSays();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback(
    (work) =>
      attempt(() => {
        const done = before.current.then(work);
        before.current = done.catch(() => undefined);
        return done;
      }),
    [attempt],
  );
}

async function decideOn(
  workspace: LiveWorkspace,
  verdict: Verdict,
  { what, selection, comment }: Meant,
): Promise<Saying> {
  const { client } = workspace;
  const at = workspace.get().status?.seq;
  const body = { ...selection, ...(at === undefined ? {} : { at }) };
  const done =
    verdict === 'accept'
      ? await answer(client.accept({ body }))
      : await answer(client.reject({ body: { ...body, ...(comment === undefined ? {} : { comment }) } }));
  workspace.decided(
    [...('accepted' in done ? done.accepted : done.rejected), ...done.cascaded],
    verdict === 'accept' ? 'accepted' : 'rejected',
  );
  await workspace.look();
  const more = done.cascaded.length === 0 ? '' : `, and ${done.cascaded.length} that rested on it`;
  const conflicts = done.conflicts.length === 0 ? '' : `; ${done.conflicts.length} in conflict`;
  return {
    tone: done.conflicts.length === 0 ? 'good' : 'careful',
    text: `${verdict === 'accept' ? 'Accepted' : 'Rejected'} ${what}${more}${conflicts}`,
    hint: 'u undoes it',
  };
}

async function takeBack(workspace: LiveWorkspace, which: 'undo' | 'redo'): Promise<Saying> {
  const { decision, written } = await answer(workspace.client[which]({ body: {} }));
  await workspace.look();
  const paths = decision?.paths.map(harmless).join(', ') || 'nothing';
  const about = decision === null ? '' : `: ${decision.verdict ?? decision.kind} of ${paths}`;
  const files = written.length === 1 ? '1 file' : `${written.length} files`;
  return { tone: 'good', text: `${which === 'undo' ? 'Undone' : 'Done again'}${about}`, hint: `${files} written` };
}
