import { z } from 'zod';
import { Health, WorkspaceFacts, WorkspaceStatus, WorkspaceSummary } from '../schemas/status.js';
import { route } from './route.js';

export const daemonRoutes = {
  health: route('health', { summary: 'Whether the daemon lives, and which one it is', answer: Health }),
  shutdown: route('shutdown', {
    summary: 'Finish what was begun, then stop',
    body: z.object({}),
    answer: z.object({ stopping: z.literal(true) }),
    status: 202,
  }),
  makePageCode: route('makePageCode', {
    summary: 'A code that opens the review page once, for a browser of the user',
    body: z.strictObject({ workspace: z.string().optional().meta({ description: 'The one to show first.' }) }),
    answer: z.object({
      url: z.string().meta({ description: 'Of no use to anybody once it was opened, or after two minutes.' }),
    }),
  }),
  listWorkspaces: route('listWorkspaces', {
    summary: 'The workspaces that are known',
    answer: z.object({ workspaces: z.array(WorkspaceFacts) }),
  }),
  forgetWorkspace: route('forgetWorkspace', {
    summary: 'Remove all that is kept of a workspace; its own files are not touched',
    body: z.strictObject({ dryRun: z.boolean().optional() }),
    answer: z.object({ workspace: WorkspaceFacts }),
  }),
  openWorkspace: route('openWorkspace', {
    summary: 'Open the workspace that a folder belongs to',
    body: z.strictObject({
      root: z.string().min(1).meta({ description: 'Absolute.' }),
      exact: z.boolean().optional().meta({ description: 'The folder itself, not the nearest git root around it.' }),
    }),
    answer: z.object({ workspace: WorkspaceSummary }),
  }),
  status: route('status', { summary: 'How the workspace stands', answer: WorkspaceStatus }),
};
