import { z } from 'zod';
import { ENDPOINTS, type EndpointName } from './endpoints.js';

/**
 * A route as data: the daemon serves it, the client types itself by it, and the OpenAPI document is made of it. `answer`
 * is `bytes` where the body is not JSON.
 */
export type RouteShape = {
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | 'bytes' | 'events';
  /** 200 unless said. */
  readonly status?: 200 | 202;
};

export type Route = RouteShape & { readonly name: EndpointName; readonly method: string; readonly path: string };

export function route<const Name extends EndpointName, const Shape extends RouteShape>(name: Name, shape: Shape) {
  return { ...shape, ...ENDPOINTS[name], name };
}

export const WorkspaceParams = z.object({
  workspace: z.string().regex(/^[0-9a-f]{16}$/, 'not the id of a workspace'),
});
export const SessionParams = WorkspaceParams.extend({ session: z.string() });
export const ChangeParams = WorkspaceParams.extend({ change: z.string() });
export const ContentParams = WorkspaceParams.extend({ content: z.string() });
