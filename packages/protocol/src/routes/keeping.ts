import { z } from 'zod';
import { Count, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

const Files = z.array(
  z.object({
    name: z.string(),
    text: z.string(),
    base64: z.string().optional().meta({ description: 'The bytes, where they are not UTF-8; the text is empty then.' }),
  }),
);
const Taken = z.object({
  taken: Count.meta({ description: 'Facts about files and changes.' }),
  misplaced: z.array(z.string()),
  messages: z.object({ model: Count, human: Count }).optional(),
  known: Count.optional().meta({ description: 'Messages that were here already.' }),
  damaged: z
    .array(z.object({ name: z.string(), why: z.string() }))
    .optional()
    .meta({ description: 'Files of which nothing was taken; their bytes are kept.' }),
});

/** What goes out of the store for good, and what goes to and comes from the formats of others. */
export const keepingRoutes = {
  forget: route('forget', {
    summary:
      'Remove bytes from every place that keeps them: a content by id or all that a file ever held (`what`), or a `text` wherever it stands',
    body: z.object({ what: z.string().optional(), text: z.string().optional(), dryRun: z.boolean().optional() }),
    answer: z.object({
      contents: z.array(z.string()),
      calls: Count.meta({ description: 'Calls whose input went, or lost what it quoted.' }),
      texts: Count.meta({ description: 'Titles, prompts, comments, diffs and messages that quoted it.' }),
      onDisk: z.array(z.string()).meta({ description: 'Files that still hold it; they are not touched.' }),
      alsoIn: z
        .array(z.string())
        .meta({ description: 'Files, or contents, that are kept and share with it what looks like a key.' }),
      inGit: z.array(z.string()).meta({ description: 'Contents that the user’s own repository has.' }),
      seq: SeqNumber,
    }),
  }),
  exportSession: route('exportSession', {
    summary: 'A session in the format of others: the task folder of Roo or Cline, or one JSON file per change',
    query: z.object({ format: z.enum(['roo', 'cline', 'records']) }),
    answer: z.object({
      files: Files,
      legacy: z.string().nullable().optional().meta({
        description: 'Content id of claude_messages.json as it was taken over: one that holds just that may go.',
      }),
    }),
  }),
  importSession: route('importSession', {
    summary: 'Take up what an export holds; the files on disk are not touched',
    body: z.object({
      files: Files.optional(),
      folder: z.string().optional().meta({ description: 'Or where they are, on the daemon’s machine.' }),
    }),
    answer: Taken,
  }),
};
