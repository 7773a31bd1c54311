import { Change, type Client, Lines, StaleFile, WorkspaceStatus } from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { noticeLines } from '../../print/call.js';
import { changesText } from '../../print/changes.js';
import { operationText } from '../../print/operations.js';
import { modelStyle } from '../../print/plain.js';
import { staleText } from '../../print/stale.js';
import { statusText } from '../../print/status.js';
import { NoticeOutput } from './guarded-call.js';
import { limitInput, OLDER_LINE, OlderOutput } from './limit.js';
import { tool } from './tool.js';

/** Enough to see what is going on; whoever needs more asks for it. */
const LISTED = 50;
const EVERY_SESSION = 'all';

export const statusTool = tool({
  name: 'pal_status',
  title: 'How the workspace stands',
  description:
    'Sessions, changes that wait for review, conflicts, files that are stale for somebody, files that are not covered.',
  effect: 'looks',
  input: z.object({}),
  // A schema of its own: clients expect to find the properties at the top, not behind a reference.
  output: z.object(WorkspaceStatus.shape),
  async run(_, { connection }) {
    const status = said(await (await connection.client()).status());
    return { text: statusText(status, modelStyle()), data: status };
  },
});

export const changesTool = tool({
  name: 'pal_changes',
  title: 'List changes',
  description:
    'Changes of files with who made them, by which tool call, and how they stand; the newest last. Without a status: ' +
    'those that wait for review. With "all" also what people and unknown hands did.',
  effect: 'looks',
  input: z.object({
    change: z.string().optional().meta({ description: 'Only this one; c12 is all of operation 12.' }),
    session: z.string().optional().meta({ description: 'Only of this session, or of the one that begins so.' }),
    call: z.string().optional().meta({ description: 'Only of this tool call.' }),
    path: z
      .string()
      .optional()
      .meta({ description: 'Only of this file or folder, or under `lib/**`; relative to the root of the workspace.' }),
    status: z.enum(['pending', 'accepted', 'rejected', 'conflict', 'all']).optional(),
    limit: limitInput(LISTED),
  }),
  output: z.object({ changes: z.array(Change), older: OlderOutput }),
  async run({ limit = LISTED, ...wanted }, { connection }) {
    const found = said(
      await (await connection.client()).listChanges({ query: { ...wanted, limit: limit + 1 } }),
    ).changes;
    const changes = found.slice(-limit);
    const older = found.length > limit;
    const text = changes.length === 0 ? 'no such changes' : changesText(changes, modelStyle());
    return { text: older ? `${text}\n${OLDER_LINE}` : text, data: { changes, older } };
  },
});

export const staleTool = tool({
  name: 'pal_stale',
  title: 'What has changed since it was seen',
  description:
    'What you have been shown of each file, and whether it is still so: fresh, stale, missing. Read what is stale again ' +
    'before you rely on it. Without a session: your own. A notice comes again until you read the file or say ' +
    'pal_acknowledge.',
  effect: 'looks',
  input: z.object({
    session: z
      .string()
      .optional()
      .meta({ description: `Of this session, or "${EVERY_SESSION}".` }),
  }),
  output: z.object({
    files: z.array(StaleFile),
    notices: z.array(NoticeOutput),
    seq: z.int().min(0).meta({ description: 'For pal_acknowledge: the notices tell what happened up to here.' }),
  }),
  async run({ session }, { connection, meta }) {
    const client = await connection.client();
    const whose = session ?? connection.sessionName(meta);
    const { files } = said(await client.listStale({ query: whose === EVERY_SESSION ? {} : { session: whose } }));
    // After the files: looking at them is what finds out what there is to tell.
    const heard = whose === EVERY_SESSION ? null : await client.getNotices({ params: { session: whose } });
    const isUnstarted = session === undefined && heard?.ok === false && heard.error.status === 404;
    const { notices, seq } = heard === null || isUnstarted ? { notices: [], seq: 0 } : said(heard);
    return {
      text: [staleText(files, modelStyle()), ...noticeLines(notices), ...acknowledgeLine(notices, seq)].join('\n'),
      data: { files, notices, seq },
    };
  },
});

function acknowledgeLine(notices: readonly unknown[], seq: number): readonly string[] {
  return notices.length === 0 ? [] : [`(pal_acknowledge with up_to ${seq} says that you have heard this)`];
}

export const acknowledgeTool = tool({
  name: 'pal_acknowledge',
  title: 'Say that you have heard the notices',
  description:
    'The notices that pal_stale told you up to this operation are not told again. What you saw of the files stays as it ' +
    'is: an edit that rests on a stale one is still refused.',
  effect: 'notes',
  input: z.object({
    up_to: z.int().min(0).meta({ description: 'The `seq` of the pal_stale that told them.' }),
  }),
  output: z.object({ seq: z.number().meta({ description: 'The latest operation there is.' }) }),
  async run({ up_to }, { connection, meta }) {
    const session = connection.sessionName(meta);
    const answer = await (await connection.client()).acknowledge({ params: { session }, body: { upTo: up_to } });
    return { text: 'noted', data: said(answer) };
  },
});

/** What comes between the two questions is among them. */
async function latest(client: Client, limit: number) {
  const { seq: last } = said(await client.listOperations({ query: { limit: 1 } }));
  const query = { since: Math.max(0, last - limit), limit: limit + MEANWHILE };
  const { operations, seq } = said(await client.listOperations({ query }));
  return { operations: operations.slice(-limit), seq };
}

const MEANWHILE = 100;

export const logTool = tool({
  name: 'pal_log',
  title: 'What happened',
  description: 'The latest operations of the workspace, newest last: sessions, calls, changes, decisions, checkpoints.',
  effect: 'looks',
  input: z.object({
    since: z.int().min(0).optional().meta({ description: 'After this operation, oldest first.' }),
    limit: limitInput(LISTED),
  }),
  output: z.object({
    operations: z.array(z.looseObject({ seq: z.number(), at: z.string(), kind: z.string() })),
    seq: z.number().meta({ description: 'The latest there is.' }),
  }),
  async run({ since, limit = LISTED }, { connection }) {
    const client = await connection.client();
    const { operations, seq } =
      since === undefined
        ? await latest(client, limit)
        : said(await client.listOperations({ query: { since, limit } }));
    const text = operations.map((operation) => operationText(operation, modelStyle())).join('\n');
    return { text: text === '' ? 'nothing' : text, data: { operations, seq } };
  },
});

export const noteReadTool = tool({
  name: 'pal_note_read',
  title: 'Say that you have read a file',
  description:
    'For files that you have been shown by other means than pal_read: what you saw counts as what stands in the file now.',
  effect: 'notes',
  input: z.object({
    path: z.string().meta({ description: 'Relative to the root of the workspace, or absolute.' }),
    lines: Lines.optional().meta({
      description: 'The first and the last line that you saw; all of it without this.',
    }),
  }),
  output: z.object({ notices: z.array(NoticeOutput) }),
  async run({ path, lines }, { connection, meta }) {
    const client = await connection.client();
    const session = await connection.session(meta);
    const cwd = await connection.root();
    const note = { kind: 'read', session, path, cwd } as const;
    const { notices } = said(await client.addNote({ body: { ...note, lines } }));
    return { text: ['noted', ...noticeLines(notices)].join('\n'), data: { notices } };
  },
});
