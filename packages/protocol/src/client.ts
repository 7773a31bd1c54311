import type { Outcome } from '@palimpsest/core';
import { type ClientEvent, type EventsOptions, followEvents } from './client-events.js';
import { type ClientFailure, failureOfAnswer, failureOfSilence } from './client-failure.js';
import type { ResponseLike } from './fetch-like.js';
import { CONTENT_TYPE, type DaemonAddress, JSON_TYPE, type RequestParts, sendRequest } from './light.js';
import { answered, refused } from './outcome.js';
import { ENDPOINTS, type EndpointName } from './routes/endpoints.js';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from './routes/routes.js';

export type ClientOptions = DaemonAddress & {
  /** The folder that the client is about. The daemon finds the workspace it belongs to, at the first request. */
  readonly workspaceRoot?: string;
  /** Or the id of the workspace that it is about, where that is known. */
  readonly workspace?: string;
};

export type Answer<T> = Promise<Outcome<T, ClientFailure>>;

/**
 * The daemon, typed: one method for each route, by its name, that takes what the route asks for. Works over any fetch: the
 * network, or an app in the same process. It loads no schemas.
 */
export type Client = {
  readonly [Name in Exclude<EndpointName, 'events'>]: (...given: GivenTo<Name>) => Answer<AnswerOf<Name>>;
} & {
  /** The id of the workspace that `workspaceRoot` belongs to; every route that needs it gets it. */
  workspaceId(): Answer<string>;
  /** Ends when `signal` is aborted, or with a `failed` event when coming back is of no use. */
  events(options?: EventsOptions): AsyncGenerator<ClientEvent, void, void>;
};

/** What cannot be left out has to be given. */
type GivenTo<Name extends EndpointName> =
  object extends PartsOf<Name> ? [parts?: PartsOf<Name>] : [parts: PartsOf<Name>];
type PartsOf<Name extends EndpointName> = Part<'params', ParamsOf<Name>> &
  Part<'query', QueryOf<Name>> &
  Part<'body', BodyOf<Name>> &
  Pick<RequestParts, 'headers' | 'signal'>;
type Part<Key extends string, T> = object extends T
  ? { readonly [K in Key]?: T }
  : [T] extends [Record<string, never>]
    ? { readonly [K in Key]?: T }
    : { readonly [K in Key]: T };

export function createClient(options: ClientOptions): Client {
  let workspace: Answer<string> | null = null;

  async function send(name: EndpointName, parts: RequestParts): Answer<ResponseLike> {
    const params = await paramsOf(name, parts);
    if (!params.ok) return params;
    try {
      return answered(await sendRequest(options, name, { ...parts, params: params.value }));
    } catch (error) {
      return refused(failureOfSilence(error));
    }
  }

  async function paramsOf(name: EndpointName, { params = {} }: RequestParts): Answer<Readonly<Record<string, string>>> {
    if (!ENDPOINTS[name].path.includes('{workspace}') || params.workspace !== undefined) return answered(params);
    const id = await workspaceId();
    return id.ok ? answered({ workspace: id.value, ...params }) : id;
  }

  /** An id that could not be had is asked for again the next time. */
  async function workspaceId(): Answer<string> {
    workspace ??= openWorkspace();
    const id = await workspace;
    if (!id.ok) workspace = null;
    return id;
  }

  async function openWorkspace(): Answer<string> {
    const { workspaceRoot, workspace: known } = options;
    if (known !== undefined) return answered(known);
    if (workspaceRoot === undefined) throw new Error('this client was made without a workspace');
    const opened = await routes.openWorkspace({ body: { root: workspaceRoot } });
    return opened.ok ? answered(opened.value.workspace.id) : opened;
  }

  const routes = Object.fromEntries(
    Object.keys(ENDPOINTS).map((name) => [
      name,
      async (parts: RequestParts = {}) => {
        const response = await send(name as EndpointName, parts);
        return response.ok ? answerIn(response.value) : response;
      },
    ]),
  ) as unknown as Client;
  return { ...routes, workspaceId, events: (given = {}) => followEvents((parts) => send('events', parts), given) };
}

/** What is not JSON is bytes. */
async function answerIn(response: ResponseLike): Answer<unknown> {
  try {
    if (response.status >= 300) return refused(failureOfAnswer(response.status, await response.text()));
    if (response.headers.get(CONTENT_TYPE)?.startsWith(JSON_TYPE) !== true)
      return answered(new Uint8Array(await response.arrayBuffer()));
    return answered(JSON.parse(await response.text()));
  } catch (error) {
    return refused(failureOfSilence(error));
  }
}
