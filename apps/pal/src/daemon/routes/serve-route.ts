import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { Outcome } from '@palimpsest/core';
import {
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  ErrorDocument,
  errorJson,
  idOfSegment,
  type KnownRefusal,
  type ParamsIn,
  problemOf,
  type QueryOf,
  ROUTES,
  type Route,
} from '@palimpsest/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HostedWorkspace } from '../host/hosted-workspace.js';
import type { Workspaces } from '../host/workspaces.js';

export type App = OpenAPIHono;

/** What a route is asked, validated. Path parameters are ids as they were given, whatever characters they have. */
export type Asked<Name extends EndpointName> = {
  readonly params: ParamsIn<Name>;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
};

/** What is handed on is only read. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;
type Answered<Name extends EndpointName> = Promise<Outcome<Immutable<AnswerOf<Name>>, KnownRefusal>>;

/** A route that answers with JSON. */
export function serve<Name extends EndpointName>(
  app: App,
  name: Name,
  handle: (asked: Asked<Name>, context: Context) => Answered<Name>,
): void {
  const route: Route = ROUTES[name];
  serveRaw(app, name, async (asked, context) => {
    const answer = await handle(asked, context);
    return answer.ok ? context.json(answer.value as object, route.status ?? 200) : refuse(context, answer.error);
  });
}

/** The same about one workspace, which stays open meanwhile. */
export function serveIn<Name extends EndpointName>(
  app: App,
  workspaces: Workspaces,
  name: Name,
  handle: (hosted: HostedWorkspace, asked: Asked<Name>, context: Context) => Answered<Name>,
): void {
  serve(app, name, (asked, context) => {
    const { workspace } = asked.params as ParamsIn<'status'>;
    return workspaces.use(workspace, (hosted) => handle(hosted, asked, context));
  });
}

/** A route that makes its own response. */
export function serveRaw<Name extends EndpointName>(
  app: App,
  name: Name,
  handle: (asked: Asked<Name>, context: Context) => Promise<Response>,
): void {
  const route: Route = ROUTES[name];
  app.openapi(describe(route), async (context: Context) => {
    // The validators of hono are typed by the route, which here is any route.
    const valid = context.req.valid.bind(context.req) as (target: 'param' | 'query' | 'json') => Record<string, string>;
    const asked = {
      params: Object.fromEntries(Object.entries(valid('param')).map(([key, value]) => [key, idOfSegment(value)])),
      query: route.query === undefined ? {} : valid('query'),
      body: route.body === undefined ? {} : valid('json'),
    } as Asked<Name>;
    return handle(asked, context);
  });
}

export function refuse(context: Context, refusal: KnownRefusal): Response {
  return context.json(errorJson(refusal), problemOf(refusal).status as ContentfulStatusCode);
}

const ANSWERED_AS = { bytes: 'application/octet-stream', events: 'text/event-stream' } as const;

function describe(route: Route) {
  const { name, summary, method, path, params, query, body, answer, status } = route;
  const content =
    typeof answer === 'string' ? { [ANSWERED_AS[answer]]: {} } : { 'application/json': { schema: answer } };
  return createRoute({
    method: method as 'get',
    path,
    operationId: name,
    summary,
    security: [{ token: [] }],
    request: {
      params,
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: {
      [status ?? 200]: { description: summary, content },
      401: { description: 'No valid token. Nothing else is said.' },
      default: { description: 'What is wrong', content: { 'application/json': { schema: ErrorDocument } } },
    },
  });
}
