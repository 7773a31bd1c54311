/**
 * Every route by name. Kept apart from the schemas so that a hook, which lives for some milliseconds, can name a route
 * without loading them.
 */
export const ENDPOINTS = {
  health: { method: 'get', path: '/v1/health' },
  makePageCode: { method: 'post', path: '/v1/page/codes' },
  shutdown: { method: 'post', path: '/v1/shutdown' },

  listWorkspaces: { method: 'get', path: '/v1/workspaces' },
  openWorkspace: { method: 'post', path: '/v1/workspaces' },
  forgetWorkspace: { method: 'delete', path: '/v1/workspaces/{workspace}' },
  status: { method: 'get', path: '/v1/workspaces/{workspace}/status' },

  listSessions: { method: 'get', path: '/v1/workspaces/{workspace}/sessions' },
  startSession: { method: 'post', path: '/v1/workspaces/{workspace}/sessions' },
  getSession: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}' },
  renameSession: { method: 'patch', path: '/v1/workspaces/{workspace}/sessions/{session}' },
  deleteSession: { method: 'delete', path: '/v1/workspaces/{workspace}/sessions/{session}' },
  endSession: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/end' },
  listWorktrees: { method: 'get', path: '/v1/workspaces/{workspace}/worktrees' },
  getWorktree: { method: 'get', path: '/v1/workspaces/{workspace}/worktrees/{session}' },
  syncWorktree: { method: 'post', path: '/v1/workspaces/{workspace}/worktrees/{session}/sync' },
  finishWorktree: { method: 'post', path: '/v1/workspaces/{workspace}/worktrees/{session}/finish' },
  removeWorktree: { method: 'delete', path: '/v1/workspaces/{workspace}/worktrees/{session}' },
  getNotices: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/notices' },
  acknowledge: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/acknowledge' },

  listMessages: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/messages' },
  addMessages: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/messages' },
  listBranches: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/branches' },
  getTimeline: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/timeline' },
  getHistory: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/history' },
  reduceHistory: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/history/reduce' },
  expandHistory: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/history/expand' },
  search: { method: 'get', path: '/v1/workspaces/{workspace}/search' },

  beginCall: { method: 'post', path: '/v1/workspaces/{workspace}/tool/begin' },
  endCall: { method: 'post', path: '/v1/workspaces/{workspace}/tool/end' },
  replaceFile: { method: 'post', path: '/v1/workspaces/{workspace}/replace' },
  addNote: { method: 'post', path: '/v1/workspaces/{workspace}/notes' },
  takeHook: { method: 'post', path: '/v1/hooks/{agent}/{event}' },
  takeHttpHook: { method: 'post', path: '/v1/http-hooks/claude/{event}' },

  listChanges: { method: 'get', path: '/v1/workspaces/{workspace}/changes' },
  getChange: { method: 'get', path: '/v1/workspaces/{workspace}/changes/{change}' },
  getPatch: { method: 'get', path: '/v1/workspaces/{workspace}/changes/{change}/patch' },
  getContent: { method: 'get', path: '/v1/workspaces/{workspace}/contents/{content}' },
  listStale: { method: 'get', path: '/v1/workspaces/{workspace}/stale' },

  listOpenFiles: { method: 'get', path: '/v1/workspaces/{workspace}/open-files' },
  setOpenFiles: { method: 'post', path: '/v1/workspaces/{workspace}/open-files' },
  getContext: { method: 'post', path: '/v1/workspaces/{workspace}/context' },
  listPatches: { method: 'get', path: '/v1/workspaces/{workspace}/patches' },
  showPatches: { method: 'get', path: '/v1/workspaces/{workspace}/patches/{patch}' },
  clearPatches: { method: 'post', path: '/v1/workspaces/{workspace}/patches/clear' },

  comment: { method: 'post', path: '/v1/workspaces/{workspace}/comments' },
  accept: { method: 'post', path: '/v1/workspaces/{workspace}/accept' },
  reject: { method: 'post', path: '/v1/workspaces/{workspace}/reject' },
  listConflicts: { method: 'get', path: '/v1/workspaces/{workspace}/conflicts' },
  resolveConflict: { method: 'post', path: '/v1/workspaces/{workspace}/changes/{change}/resolve' },
  attribute: { method: 'post', path: '/v1/workspaces/{workspace}/changes/{change}/attribute' },
  undo: { method: 'post', path: '/v1/workspaces/{workspace}/undo' },
  redo: { method: 'post', path: '/v1/workspaces/{workspace}/redo' },
  blame: { method: 'get', path: '/v1/workspaces/{workspace}/blame' },
  contributions: { method: 'get', path: '/v1/workspaces/{workspace}/contributions' },
  stats: { method: 'get', path: '/v1/workspaces/{workspace}/stats' },
  listPrompts: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/prompts' },
  writeNotes: { method: 'post', path: '/v1/workspaces/{workspace}/notes/git' },

  saveCheckpoint: { method: 'post', path: '/v1/workspaces/{workspace}/checkpoints' },
  listCheckpoints: { method: 'get', path: '/v1/workspaces/{workspace}/checkpoints' },
  diffCheckpoints: { method: 'get', path: '/v1/workspaces/{workspace}/checkpoints/{checkpoint}/diff' },
  deleteCheckpoint: { method: 'delete', path: '/v1/workspaces/{workspace}/checkpoints/{checkpoint}' },
  pinCheckpoint: { method: 'post', path: '/v1/workspaces/{workspace}/checkpoints/{checkpoint}/pin' },
  planRestore: { method: 'post', path: '/v1/workspaces/{workspace}/checkpoints/{checkpoint}/plan' },
  restoreCheckpoint: { method: 'post', path: '/v1/workspaces/{workspace}/checkpoints/{checkpoint}/restore' },
  getSettings: { method: 'get', path: '/v1/workspaces/{workspace}/settings' },
  changeSettings: { method: 'patch', path: '/v1/workspaces/{workspace}/settings' },
  forget: { method: 'post', path: '/v1/workspaces/{workspace}/forget' },
  exportSession: { method: 'get', path: '/v1/workspaces/{workspace}/sessions/{session}/export' },
  importSession: { method: 'post', path: '/v1/workspaces/{workspace}/sessions/{session}/import' },
  collectGarbage: { method: 'post', path: '/v1/workspaces/{workspace}/gc' },

  listOperations: { method: 'get', path: '/v1/workspaces/{workspace}/operations' },
  events: { method: 'get', path: '/v1/workspaces/{workspace}/events' },
} as const satisfies Record<string, Endpoint>;

export type Endpoint = { readonly method: 'get' | 'post' | 'patch' | 'delete'; readonly path: `/${string}` };
export type EndpointName = keyof typeof ENDPOINTS;

/** What the path of an endpoint names in braces. */
export type ParamsIn<Name extends EndpointName> = {
  readonly [Param in NamesIn<(typeof ENDPOINTS)[Name]['path']>]: string;
};
type NamesIn<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? Param | NamesIn<Rest>
  : never;

export type PathParams = Readonly<Record<string, string>>;
export type QueryParams = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path and query of a request. A parameter that the path names and `params` lacks is a bug. */
export function pathOf(endpoint: Endpoint, params: PathParams = {}, query: QueryParams = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`no ${name} for ${endpoint.path}`);
    return segmentOf(value);
  });
  const given = Object.entries(query).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
  );
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

/**
 * An id that agents chose may be any text, and as one segment of a path it stays one, but for `.` and `..`: those a URL
 * resolves away however they are escaped, so they travel behind a `~`.
 */
export function segmentOf(id: string): string {
  return encodeURIComponent(/^~*\.{1,2}$/.test(id) ? `~${id}` : id);
}

/** The id that `segmentOf` stood for, after percent-decoding. */
export function idOfSegment(decoded: string): string {
  return /^~+\.{1,2}$/.test(decoded) ? decoded.slice(1) : decoded;
}
