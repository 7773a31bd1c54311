import { z } from 'zod';
import { ENDPOINTS, type EndpointName } from './endpoints.js';

/**
 * A route as data: the daemon serves it, the client types itself by it, and the OpenAPI document is made of it. `answer`
 * is `bytes` where the body is not JSON.
 */
export type RouteShape = {
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | 'bytes' | 'events';
  /** 200 unless said. */
  readonly status?: 200 | 202;
};

export type Route = RouteShape & {
  readonly name: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly params: z.ZodObject;
};

export function route<const Name extends EndpointName, const Shape extends RouteShape>(name: Name, shape: Shape) {
  return { ...shape, ...ENDPOINTS[name], name, params: paramsIn(ENDPOINTS[name].path) };
}

const WorkspaceId = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of a workspace');

/** Ids are any text, but for those of workspaces. */
function paramsIn(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return z.object(Object.fromEntries(names.map((name) => [name, name === 'workspace' ? WorkspaceId : z.string()])));
}
