import type { z } from 'zod';
import { attributionRoutes } from './attribution.js';
import { callRoutes } from './calls.js';
import { changeRoutes } from './changes.js';
import { checkpointRoutes } from './checkpoints.js';
import { contextRoutes } from './context.js';
import { conversationRoutes } from './conversations.js';
import { daemonRoutes } from './daemon.js';
import type { EndpointName, ParamsIn } from './endpoints.js';
import { hookRoutes } from './hooks.js';
import { keepingRoutes } from './keeping.js';
import { logRoutes } from './log.js';
import { reviewRoutes } from './review.js';
import type { Route } from './route.js';
import { sessionRoutes } from './sessions.js';
import { settingsRoutes } from './settings.js';
import { worktreeRoutes } from './worktrees.js';

/** Every endpoint with its schemas; a new group of routes is a file beside this one and a line here. */
export const ROUTES = {
  ...daemonRoutes,
  ...sessionRoutes,
  ...conversationRoutes,
  ...worktreeRoutes,
  ...callRoutes,
  ...hookRoutes,
  ...changeRoutes,
  ...contextRoutes,
  ...reviewRoutes,
  ...attributionRoutes,
  ...checkpointRoutes,
  ...keepingRoutes,
  ...settingsRoutes,
  ...logRoutes,
} satisfies { readonly [Name in EndpointName]: Route & { readonly name: Name } };

export type Routes = typeof ROUTES;
export type AnswerOf<Name extends EndpointName> = Routes[Name]['answer'] extends z.ZodType
  ? z.output<Routes[Name]['answer']>
  : Uint8Array;
/** A client need not say which workspace. */
export type ParamsOf<Name extends EndpointName> = Omit<ParamsIn<Name>, 'workspace'> & { readonly workspace?: string };
export type BodyOf<Name extends EndpointName> = Routes[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : object;
export type QueryOf<Name extends EndpointName> = Routes[Name] extends { query: infer Query extends z.ZodType }
  ? z.output<Query>
  : object;
