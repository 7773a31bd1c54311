import { ROUTES } from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { sessionAmong } from '../../face/session-named.js';
import { blameText } from '../../print/blame.js';
import { modelStyle } from '../../print/plain.js';
import { attributedText, undoText, verdictText } from '../../print/verdict.js';
import { tool } from './tool.js';

const LINES_LIMIT = 2_000;

const Selection = {
  changes: z
    .array(z.string())
    .optional()
    .meta({ description: 'Ids of changes, as pal_changes lists them; c12 is all of operation 12.' }),
  hunks: z
    .array(z.string())
    .optional()
    .meta({ description: 'Ids of single hunks; only these of a change that is named.' }),
  path: z.string().optional().meta({ description: 'All that is pending in this file or folder, or under `lib/**`.' }),
  call: z.string().optional().meta({ description: 'All that is pending of this tool call.' }),
  session: z
    .string()
    .optional()
    .meta({ description: 'All that is pending of this session, or of the one that begins so.' }),
  all: z.boolean().optional().meta({ description: 'Everything that is pending.' }),
  dry_run: z.boolean().optional().meta({ description: 'Only say what would be done.' }),
};

export const acceptTool = tool({
  name: 'pal_accept',
  title: 'Accept changes',
  description: 'Marks changes as accepted; the files have them already. Only do it if the user has said so.',
  effect: 'notes',
  input: z.object(Selection),
  output: z.object(ROUTES.accept.answer.shape),
  async run({ dry_run = false, ...selection }, { connection }) {
    const body = { ...selection, dryRun: dry_run };
    const answer = said(await (await connection.client()).accept({ body }));
    return { text: verdictText('accepted', answer.accepted, answer, howOf(dry_run), modelStyle()), data: answer };
  },
});

export const rejectTool = tool({
  name: 'pal_reject',
  title: 'Reject changes',
  description:
    'Takes text of agents out of the files again, around what everybody else did; what rests on it goes too. With ' +
    'dry_run it says what that would be. Only do it if the user wants it, or to take back your own changes.',
  effect: 'replaces',
  input: z.object({
    ...Selection,
    cascade: z
      .enum(['dependents', 'file'])
      .optional()
      .meta({ description: 'What goes with it: what rests on the text, or all that came later in the file.' }),
    comment: z.string().optional().meta({ description: 'Why; the agent that made the change will hear it.' }),
  }),
  output: z.object(ROUTES.reject.answer.shape),
  async run({ dry_run = false, ...rest }, { connection }) {
    const answer = said(await (await connection.client()).reject({ body: { ...rest, dryRun: dry_run } }));
    return { text: verdictText('rejected', answer.rejected, answer, howOf(dry_run), modelStyle()), data: answer };
  },
});

export const attributeTool = tool({
  name: 'pal_attribute',
  title: 'Say whose a change was',
  description:
    'Gives a change that several calls may have made to one of them; pal_changes lists the candidates, and pal_undo ' +
    'takes it back. Only do it if the user has said whose it is.',
  effect: 'notes',
  input: z.object({
    change: z.string().meta({ description: 'Its id, as pal_changes lists it.' }),
    session: z.string().meta({ description: 'Whose it was: the id of the session, or how only that one begins.' }),
    call: z
      .string()
      .optional()
      .meta({ description: 'Which call; may be left out if only one of the session is a candidate.' }),
  }),
  output: z.object(ROUTES.attribute.answer.shape),
  async run({ change, session, ...call }, { connection }) {
    const client = await connection.client();
    const body = { session: sessionAmong(said(await client.listSessions()).sessions, session), ...call };
    const answer = said(await client.attribute({ params: { change }, body }));
    return { text: attributedText(answer.change, modelStyle()), data: answer };
  },
});

export const undoTool = tool({
  name: 'pal_undo',
  title: 'Undo the last decision',
  description: 'Takes the last verdict, restore or undo back that still stands. Edits made since stay.',
  effect: 'replaces',
  input: z.object({ dry_run: Selection.dry_run }),
  output: z.object(ROUTES.undo.answer.shape),
  async run({ dry_run = false }, { connection }) {
    const answer = said(await (await connection.client()).undo({ body: { dryRun: dry_run } }));
    return { text: undoText('undone', answer, howOf(dry_run), modelStyle()), data: answer };
  },
});

export const blameTool = tool({
  name: 'pal_blame',
  title: 'Who wrote each line',
  description: 'From which session, agent, tool call and prompt, or from which human edit, each line of a file comes.',
  effect: 'looks',
  input: z.object({
    path: z.string().meta({ description: 'Relative to the root of the workspace.' }),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  output: z.object({ ...ROUTES.blame.answer.shape, totalLines: z.number() }),
  async run({ path, start_line = 1, end_line = Number.MAX_SAFE_INTEGER }, { connection }) {
    const { lines: all, ...where } = said(await (await connection.client()).blame({ query: { path } }));
    const lines = all.slice(start_line - 1, Math.min(end_line, start_line - 1 + LINES_LIMIT));
    const text = lines.length === 0 ? 'no such lines' : blameText(lines, modelStyle());
    const part = lines.length === all.length ? '' : `\n[${lines.length} of ${all.length} lines]`;
    return { text: `${text}${part}`, data: { lines, ...where, totalLines: all.length } };
  },
});

function howOf(dryRun: boolean): 'dry-run' | 'done' {
  return dryRun ? 'dry-run' : 'done';
}
