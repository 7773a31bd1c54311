import { z } from 'zod';
import { Context } from '../schemas/context.js';
import { OpenFile } from '../schemas/open-files.js';
import { Patch, ShownPatch } from '../schemas/patch.js';
import { Count, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

const Session = z.string().optional().meta({ description: 'Its id, or how only that one begins. Without it, all.' });

export const contextRoutes = {
  listOpenFiles: route('listOpenFiles', {
    summary: 'The open files of a session, those for all sessions included: pinned first, then the latest used',
    query: z.object({ session: Session }),
    answer: z.object({ files: z.array(OpenFile) }),
  }),
  setOpenFiles: route('setOpenFiles', {
    summary: 'Open, close, pin or unpin files, or clear the list',
    body: z.strictObject({
      act: z.enum(['open', 'pin', 'unpin', 'close', 'clear']),
      paths: z.array(z.string()).optional().meta({ description: 'Files, folders, or patterns such as `lib/**`.' }),
      session: Session,
      pins: z.boolean().optional().meta({ description: 'With clear: the pinned ones too.' }),
    }),
    answer: z.object({
      paths: z.array(z.string()).meta({ description: 'What it was about.' }),
      evicted: z.array(z.string()).meta({ description: 'What had to make room.' }),
      beyond: Count.meta({ description: 'How many more were meant than there is room for.' }),
      files: z.array(OpenFile),
      seq: SeqNumber,
    }),
  }),
  getContext: route('getContext', {
    summary: 'What a model should have in front of it for a prompt, within a budget, each part with why',
    body: z.strictObject({
      prompt: z.string(),
      session: z.string().optional().meta({
        description: 'Its id, or how only that one begins. Without it, the one that was last at work.',
      }),
      budget: Count.optional().meta({ description: 'In tokens; without it 8000.' }),
      deliver: z.boolean().optional().meta({
        description:
          'It goes in front of the session’s model: what it shows counts as seen. Without it, nothing changes.',
      }),
    }),
    answer: Context,
  }),
  listPatches: route('listPatches', {
    summary: 'What agents’ calls did to files, newest first: the latest 20',
    query: z.object({ session: Session, path: z.string().optional() }),
    answer: z.object({
      patches: z.array(Patch),
      beyond: z.boolean().meta({ description: 'There are more than are listed.' }),
    }),
  }),
  showPatches: route('showPatches', {
    summary: 'Patches with their diffs: by number, by the id of a change, or by path',
    query: z.object({ session: Session }),
    answer: z.object({ patches: z.array(ShownPatch) }),
  }),
  clearPatches: route('clearPatches', {
    summary: 'Begin the ledger anew; what it listed stays in the log',
    body: z.strictObject({ session: Session }),
    answer: z.object({ cleared: Count, seq: SeqNumber }),
  }),
};
