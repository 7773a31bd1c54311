import { effectOn } from '@palimpsest/core';
import { z } from 'zod';
import { Failure } from '../../face/failure.js';
import { changesSummary } from '../../print/changes.js';
import { modelStyle } from '../../print/plain.js';
import { guarded, MadeChange, madeChange, NoticeOutput, withNotices } from './guarded-call.js';
import { tool } from './tool.js';
import { locate, readPlace } from './workspace-file.js';

export const editTool = tool({
  name: 'pal_edit',
  title: 'Edit a file',
  description:
    'Replaces text in a file of the workspace that you have read. The texts are taken literally. It is refused, and ' +
    'nothing is written, if the file has changed since you saw it, if you never saw it, if old_string is not in it, or ' +
    'if it is there more than once and replace_all is not set.',
  effect: 'replaces',
  input: z.object({
    path: z.string().meta({ description: 'Relative to the root of the workspace, or absolute.' }),
    old_string: z.string().min(1).meta({ description: 'What to replace, exactly as it stands in the file.' }),
    new_string: z.string().meta({ description: 'What to put there.' }),
    replace_all: z.boolean().optional().meta({ description: 'Every occurrence, not just the only one.' }),
  }),
  output: z.object({ path: z.string(), changes: z.array(MadeChange), notices: z.array(NoticeOutput) }),
  async run(asked, context) {
    const { path: written, old_string, new_string, replace_all = false } = asked;
    const { connection } = context;
    const place = locate(await connection.root(), written);
    const input = { path: place.path, old_string, new_string, replace_all };
    // Read before the guard looks: what is written below must rest on nothing younger than what the guard approved.
    const before = await readPlace(place);
    const done = await guarded(context, { tool: 'pal_edit', action: 'Edit', input, asked }, async () => {
      const edit = { old: old_string, new: new_string, all: replace_all };
      const next = edited(place.path, before, edit);
      await connection.replace({ path: place.path, before, next });
    });
    return {
      text: withNotices(`edited ${place.path}; ${changesSummary(done.changes, modelStyle())}`, done.notices),
      data: { path: place.path, changes: done.changes.map(madeChange), notices: [...done.notices] },
    };
  },
});

type Edit = { readonly old: string; readonly new: string; readonly all: boolean };

function edited(path: string, before: Uint8Array | null, edit: Edit): Uint8Array {
  if (before === null) throw refusal('no-such-file', `there is no file ${path}`, 'pal_write makes a new file');
  if (edit.old === edit.new) throw refusal('nothing-to-do', 'old_string and new_string are the same');
  const after = effectOn({ kind: 'replace', edits: [edit] }, before);
  if (after instanceof Uint8Array) return after;
  const times = occurrences(before, edit.old);
  if (times === 0)
    throw refusal('no-match', `old_string is not in ${path}; nothing was written`, 'read it again and copy it exactly');
  throw refusal(
    'ambiguous',
    `old_string is in ${path} ${times} times; nothing was written`,
    'give more of the text around it, or set replace_all',
  );
}

/** Agents send line feeds also for files whose lines end in CRLF. */
function occurrences(bytes: Uint8Array, old: string): number {
  const text = Buffer.from(bytes);
  return Math.max(count(text, Buffer.from(old)), count(text, Buffer.from(old.replace(/\r?\n/g, '\r\n'))));
}

function count(text: Buffer, words: Buffer): number {
  let times = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) times += 1;
  return times;
}

function refusal(code: string, message: string, hint?: string): Failure {
  return new Failure(code, message, hint);
}
