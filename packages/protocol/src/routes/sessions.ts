import { z } from 'zod';
import { SeqNumber } from '../schemas/scalars.js';
import { Notice, Session } from '../schemas/session.js';
import { route } from './route.js';

const OneSession = z.object({ session: Session });

export const sessionRoutes = {
  listSessions: route('listSessions', {
    summary: 'All sessions of a workspace, oldest first',
    answer: z.object({ sessions: z.array(Session) }),
  }),
  startSession: route('startSession', {
    summary: 'Start a session, or take one up again',
    body: z.strictObject({
      id: z.string().optional(),
      agent: z.string().optional(),
      title: z.string().optional(),
      worktree: z
        .enum(['auto', 'review'])
        .optional()
        .meta({ description: 'Work in a worktree of its own, made now; see docs/worktrees.md.' }),
      directory: z.string().optional().meta({ description: 'The folder that it works in, absolute.' }),
      parent: z.string().optional().meta({ description: 'The session that this one runs within.' }),
      model: z.string().optional().meta({ description: 'What it runs on, as models.dev names it.' }),
    }),
    answer: OneSession,
  }),
  getSession: route('getSession', { summary: 'One session', answer: OneSession }),
  renameSession: route('renameSession', {
    summary: 'Give a session another title',
    body: z.strictObject({ title: z.string() }),
    answer: OneSession,
  }),
  deleteSession: route('deleteSession', {
    summary: 'Remove a session; its changes stay, as the history of files',
    body: z.object({}),
    answer: OneSession,
  }),
  endSession: route('endSession', {
    summary: 'End a session',
    body: z.object({}),
    answer: OneSession,
  }),
  getNotices: route('getNotices', {
    summary: 'What the session should hear; asking does not use it up',
    answer: z.object({ notices: z.array(Notice), seq: SeqNumber }),
  }),
  acknowledge: route('acknowledge', {
    summary: "The session's model has got the notices up to this operation",
    body: z.strictObject({ upTo: SeqNumber }),
    answer: z.object({ seq: SeqNumber }),
  }),
};
