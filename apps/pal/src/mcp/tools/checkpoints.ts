import { ROUTES } from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { patchOf } from '../../face/patch.js';
import { checkpointsText, checkpointText, differencesText, restoreText } from '../../print/checkpoints.js';
import { modelStyle } from '../../print/plain.js';
import { DIFF_CHARS_LIMIT } from './diff.js';
import { limitInput, OLDER_LINE, OlderOutput } from './limit.js';
import { tool } from './tool.js';

const LISTED = 30;
const CheckpointId = z.string().meta({ description: 'The id of a checkpoint, as pal_checkpoint_list shows it.' });

export const checkpointSaveTool = tool({
  name: 'pal_checkpoint_save',
  title: 'Save a checkpoint',
  description:
    'Saves all files of the workspace as they are now, to come back to. Do it before something risky. It costs what ' +
    'has changed since the last one.',
  effect: 'adds',
  input: z.object({ message: z.string().optional().meta({ description: 'What it is for.' }) }),
  output: z.object(ROUTES.saveCheckpoint.answer.shape),
  async run({ message }, { connection, meta }) {
    const client = await connection.client();
    const body = { session: await connection.session(meta), message };
    const { checkpoint } = said(await client.saveCheckpoint({ body }));
    return { text: checkpointText('saved', checkpoint, modelStyle()), data: { checkpoint } };
  },
});

export const checkpointListTool = tool({
  name: 'pal_checkpoint_list',
  title: 'List checkpoints',
  description: 'Moments to which files can be brought back, the newest last. Many are saved without being asked for.',
  effect: 'looks',
  input: z.object({
    session: z.string().optional().meta({ description: 'Only of this session.' }),
    limit: limitInput(LISTED),
  }),
  output: z.object({ ...ROUTES.listCheckpoints.answer.shape, older: OlderOutput }),
  async run({ session, limit = LISTED }, { connection }) {
    const client = await connection.client();
    const found = said(await client.listCheckpoints({ query: { session } })).checkpoints;
    const checkpoints = found.slice(-limit);
    const older = found.length > limit;
    const text = checkpointsText(checkpoints, modelStyle());
    return { text: older ? `${text}\n${OLDER_LINE}` : text, data: { checkpoints, older } };
  },
});

export const checkpointDiffTool = tool({
  name: 'pal_checkpoint_diff',
  title: 'Compare a checkpoint',
  description:
    'Which files differ between a checkpoint and another one, or now. With a path also how, as a unified diff.',
  effect: 'looks',
  input: z.object({
    from: CheckpointId,
    to: z.string().optional().meta({ description: 'Another checkpoint; without it, the files as they are now.' }),
    path: z.string().optional().meta({ description: 'Only this file, relative to the root of the workspace.' }),
  }),
  output: z.object({ ...ROUTES.diffCheckpoints.answer.shape, diff: z.string().optional() }),
  async run({ from, to, path }, { connection }) {
    const client = await connection.client();
    const answer = said(await client.diffCheckpoints({ params: { checkpoint: from }, query: { to, path } }));
    if (path === undefined) return { text: differencesText(answer.files, modelStyle()), data: answer };
    const diff = (await Promise.all(answer.files.map((file) => patchOf(client, file)))).join('\n');
    const shown = diff.slice(0, DIFF_CHARS_LIMIT);
    const text = shown.length < diff.length ? `${shown}\n[cut here]` : shown;
    return { text: text === '' ? 'no differences' : text, data: { ...answer, diff: shown } };
  },
});

const RestoreInput = {
  checkpoint: CheckpointId,
  paths: z.array(z.string()).optional().meta({ description: 'Only these files and folders.' }),
  keep_mine: z
    .boolean()
    .optional()
    .meta({ description: 'Take back only what agents did since, around what people did.' }),
};

export const restorePlanTool = tool({
  name: 'pal_restore_plan',
  title: 'Plan a restore',
  description:
    'Says what bringing files back to a checkpoint would write and delete, and what of other people’s would go. Nothing ' +
    'is touched. Gives a token for pal_restore_apply.',
  effect: 'looks',
  input: z.object(RestoreInput),
  output: z.object(ROUTES.planRestore.answer.shape),
  async run({ checkpoint, paths, keep_mine: keepMine }, { connection }) {
    const client = await connection.client();
    const plan = said(await client.planRestore({ params: { checkpoint }, body: { paths, keepMine } }));
    const what = { ...plan, written: plan.writes, deleted: plan.deletes };
    const next = `pal_restore_apply with the same arguments and the token ${plan.token} does exactly this`;
    return { text: restoreText(`restoring ${plan.checkpoint} would`, what, 'dry-run', next, modelStyle()), data: plan };
  },
});

export const restoreApplyTool = tool({
  name: 'pal_restore_apply',
  title: 'Restore a checkpoint',
  description:
    'Does what pal_restore_plan said, with the same arguments and its token, or nothing at all if the files have changed ' +
    'since. How everything was before is saved first. Only do it if the user wants it.',
  effect: 'replaces',
  input: z.object({ ...RestoreInput, token: z.string().meta({ description: 'As the plan gave it.' }) }),
  output: z.object(ROUTES.restoreCheckpoint.answer.shape),
  async run({ checkpoint, token, paths, keep_mine: keepMine }, { connection }) {
    const client = await connection.client();
    const body = { paths, keepMine, token };
    const done = said(await client.restoreCheckpoint({ params: { checkpoint }, body }));
    const first = `restored ${done.checkpoint}${done.rescue === null ? '' : `; how it was before is ${done.rescue}`}`;
    return { text: restoreText(first, done, 'done', 'pal_undo takes this back', modelStyle()), data: done };
  },
});
