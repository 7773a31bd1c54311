import type { Outcome } from '@palimpsest/core';
import {
  type Client,
  type ClientFailure,
  Context,
  OpenFile,
  type OpenFileJson,
  Patch,
  ShownPatch,
} from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { contextText } from '../../print/context.js';
import { openFilesText } from '../../print/open-files.js';
import { patchesText, shownPatchesText } from '../../print/patches.js';
import { modelStyle } from '../../print/plain.js';
import { tool } from './tool.js';

export const openedTool = tool({
  name: 'pal_opened',
  title: 'List open files',
  description:
    'The files that are open for you: pinned ones first, then those that you read, wrote or were told of, the latest ' +
    'first.',
  effect: 'looks',
  input: z.object({}),
  output: z.object({ files: z.array(OpenFile) }),
  async run(_, { connection, meta }) {
    const client = await connection.client();
    const own = await client.listOpenFiles({ query: { session: connection.sessionName(meta) } });
    const files = isUnstarted(own) ? await openForAll(client) : said(own).files;
    return { text: openFilesText(files, modelStyle()), data: { files: [...files] } };
  },
});

export const openTool = tool({
  name: 'pal_open',
  title: 'Open, pin or close files',
  description:
    'Says which files should stay in front of you. What you read and write is opened by itself; pin what must stay. At ' +
    'most 25 files that are not pinned are open, and the least recently used one makes room.',
  effect: 'notes',
  input: z.object({
    act: z.enum(['open', 'pin', 'unpin', 'close', 'clear']).optional().meta({ description: 'Without it, open.' }),
    paths: z.array(z.string()).optional().meta({
      description: 'Files, folders, or patterns such as lib/**; not for clear, which closes all but the pinned ones.',
    }),
  }),
  output: z.object({ paths: z.array(z.string()), evicted: z.array(z.string()), files: z.array(OpenFile) }),
  async run({ act = 'open', paths = [] }, { connection, meta }) {
    if (act !== 'clear' && paths.length === 0) throw new Failure('bad-input', 'say which files, in `paths`');
    const session = await connection.session(meta);
    const answer = said(await (await connection.client()).setOpenFiles({ body: { act, paths, session } }));
    const { evicted, files } = answer;
    return { text: openFilesText(files, modelStyle()), data: { paths: answer.paths, evicted, files } };
  },
});

export const contextTool = tool({
  name: 'pal_context',
  title: 'What to look at for a task',
  description:
    'For a question or a task, in the words of the person who asked: the open files, what calls changed lately, what git ' +
    'has as changed if that is the question, and places in files that it names; within a budget of tokens. What you have ' +
    'seen and did not change is left out. What it shows you counts as read.',
  effect: 'notes',
  input: z.object({
    prompt: z.string().meta({ description: 'What you were asked.' }),
    budget: z.int().min(0).optional().meta({ description: 'In tokens; without it 8000.' }),
  }),
  output: z.object(Context.shape),
  async run({ prompt, budget }, { connection, meta }) {
    const session = await connection.session(meta);
    const client = await connection.client();
    const context = said(await client.getContext({ body: { prompt, session, budget, deliver: true } }));
    return { text: contextText(context) || 'nothing to add to what you have seen', data: context };
  },
});

export const patchesTool = tool({
  name: 'pal_patches',
  title: 'What your calls did to files',
  description:
    'The latest changes that your tool calls made, shell commands included, newest first; with `show`, their diffs.',
  effect: 'looks',
  input: z.object({
    show: z.string().optional().meta({ description: 'A number as it is listed, or a path: the diffs of these.' }),
    session: z.string().optional().meta({ description: 'Of this session, or "all"; without it, your own.' }),
  }),
  output: z.object({ patches: z.array(z.union([ShownPatch, Patch])) }),
  async run({ show, session }, { connection, meta }) {
    const client = await connection.client();
    const query = { session: session === 'all' ? undefined : (session ?? connection.sessionName(meta)) };
    if (show === undefined) {
      const listed = await client.listPatches({ query });
      const patches = session === undefined && isUnstarted(listed) ? [] : said(listed).patches;
      return { text: patchesText(patches, 'all', modelStyle()), data: { patches } };
    }
    const { patches } = said(await client.showPatches({ params: { patch: show }, query }));
    return { text: shownPatchesText(patches, modelStyle()), data: { patches } };
  },
});

/** Looking does not start a session, so the own one may not be there yet. */
function isUnstarted(answer: Outcome<unknown, ClientFailure>): boolean {
  return !answer.ok && answer.error.status === 404;
}

async function openForAll(client: Client): Promise<readonly OpenFileJson[]> {
  const { files } = said(await client.listOpenFiles({ query: {} }));
  return files.filter(({ sessions }) => sessions.length === 0);
}
