import { setTimeout as wait } from 'node:timers/promises';
import type { Client, StatusAnswer } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile, Said } from '../cli/command.js';
import { clientOf, failureOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { droppedRemarks, missedRemarks } from '../hook/missed-remark.js';
import { counted } from '../print/amount.js';
import { nextText } from '../print/next.js';
import { type Notifier, notifierFor, WAYS } from '../print/notify.js';
import { statusText } from '../print/status.js';
import type { Style } from '../print/style.js';

type Given = { readonly watch?: true; readonly notify?: (typeof WAYS)[number] };

/** What comes in quick succession is shown once. */
const DEBOUNCE_MS = 300;

export const command: CommandFile = {
  summary: 'show how the workspace stands',
  section: 'Look',
  details:
    'Sessions, what waits for review, what is stale for whom, what is not covered, and what it costs. With --watch and --notify it rings, or shows a notification, when an agent is refused or something begins to wait for review.',
  examples: [
    { line: 'pal status', does: 'about the workspace around this folder' },
    { line: 'pal status --watch --notify bell', does: 'whenever something changes, until Ctrl-C' },
    { line: 'pal -C ../app status --json', does: 'about another one, for a program' },
  ],
  define: (self, act) =>
    self
      .option('--watch', 'again whenever something changes, until Ctrl-C; with --json one document per line')
      .addOption(new Option('--notify <how>', 'with --watch: when an agent is refused or a review waits').choices(WAYS))
      .action(
        act(async (face, { watch, notify }: Given) => {
          const client = await clientOf(face);
          if (watch) return { each: watched(face, client, notifierFor(notify, face.surroundings.environment)) };
          const status = await statusOf(face, client);
          return { json: status, text: (style) => textOf(status, style) };
        }),
      ),
};

function textOf(status: StatusAnswer, style: Style): string {
  const standing = { pending: status.pending.changes, conflicts: status.conflicts };
  return `${statusText(status, style)}${nextText(standing, style)}`;
}

async function statusOf(face: Face, client: Client): Promise<StatusAnswer> {
  const found = said(await client.status());
  const remarks = [...missedRemarks(face.data, found.workspace.root), ...droppedRemarks(face.surroundings)];
  return { ...found, remarks: [...found.remarks, ...remarks] };
}

/** On a terminal each takes the place of the one before. */
async function* watched(face: Face, client: Client, notify: Notifier): AsyncGenerator<Omit<Said, 'exit'>> {
  for (let before: StatusAnswer | null = null; ; await wait(DEBOUNCE_MS)) {
    const status = await statusOf(face, client);
    if (before !== null) for (const news of await newsSince(client, before, status)) notify(news);
    yield { json: status, text: (style) => `${style.width === null ? '' : CLEAR}${textOf(status, style)}\n` };
    before = status;
    for await (const event of client.events({ since: status.seq })) {
      if (event.kind === 'failed') throw failureOf(event.failure);
      if (event.kind === 'operation' || event.kind === 'reset') break;
    }
  }
}

/** What a person would want to be called for. */
async function newsSince(client: Client, before: StatusAnswer, now: StatusAnswer): Promise<readonly string[]> {
  const { operations } = said(await client.listOperations({ query: { since: before.seq, limit: OPERATIONS_LIMIT } }));
  const refused = operations.flatMap((operation) =>
    operation.kind === 'call-began' && 'decision' in operation && operation.decision === 'deny' ? [operation] : [],
  );
  const begins = before.pending.changes === 0 && now.pending.changes > 0;
  return [
    ...(refused.length === 0 ? [] : ['an agent was refused']),
    ...(begins ? [`${counted(now.pending.changes, 'change')} to review`] : []),
  ];
}

const OPERATIONS_LIMIT = 1_000;
const CLEAR = '\u001b[H\u001b[2J';
