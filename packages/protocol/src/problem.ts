import { EXIT, type ExitCode } from './exit.js';

/** A refusal with everything that the outside is told of it: how HTTP says it, how a process ends, what a person reads. */
export type Problem = {
  readonly status: number;
  readonly exit: ExitCode;
  readonly message: string;
  readonly hint?: string;
};

export type ErrorBody = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly [fact: string]: unknown;
};
export type ErrorJson = { readonly error: ErrorBody };

/**
 * Every refusal that can reach a face: the engine's, and the daemon's own. The engine's types are not known here; that
 * they fit is checked where the daemon hands them over.
 */
export type KnownRefusal =
  | { readonly code: 'outside'; readonly path: string }
  | { readonly code: 'bad-path'; readonly path: string; readonly why: string }
  | { readonly code: 'bad-id'; readonly what: string; readonly input: string }
  | { readonly code: 'bad-input'; readonly why: string }
  | { readonly code: 'unknown-session'; readonly session: string }
  | { readonly code: 'unknown-change'; readonly change: string }
  | { readonly code: 'unknown-checkpoint'; readonly checkpoint: string }
  | { readonly code: 'unknown-content'; readonly content: string }
  | { readonly code: 'unknown-workspace'; readonly workspace: string }
  | { readonly code: 'no-such-file'; readonly path: string }
  | { readonly code: 'no-such-route'; readonly path: string }
  | { readonly code: 'nothing-to-do'; readonly why: string }
  | { readonly code: 'moved'; readonly paths: readonly string[]; readonly seq: number }
  | { readonly code: 'conflict'; readonly paths: readonly string[]; readonly why: string }
  | { readonly code: 'not-reversible'; readonly change: string; readonly path: string }
  | { readonly code: 'not-written'; readonly path: string; readonly why: string }
  | { readonly code: 'ambiguous-session'; readonly session: string; readonly workspaces: readonly string[] }
  | { readonly code: 'no-space' }
  | { readonly code: 'damaged'; readonly what: string }
  | { readonly code: 'too-large'; readonly what: string; readonly limit: number }
  | { readonly code: 'busy' }
  | { readonly code: 'closed' }
  | { readonly code: 'not-a-folder'; readonly root: string }
  | { readonly code: 'not-a-workspace'; readonly root: string; readonly why: 'system' | 'own-data' }
  | { readonly code: 'too-wide'; readonly root: string }
  | { readonly code: 'held'; readonly pid: number | null }
  | { readonly code: 'git-missing' }
  | { readonly code: 'newer-log'; readonly version: number; readonly known: number }
  | { readonly code: 'io'; readonly why: string }
  | { readonly code: 'not-json' }
  | { readonly code: 'wrong-origin'; readonly what: 'host' | 'origin' }
  | { readonly code: 'stopping' }
  | { readonly code: 'not-available'; readonly what: string }
  | { readonly code: 'internal' };

export type RefusalCode = KnownRefusal['code'];

export function problemOf(refusal: KnownRefusal): Problem {
  const describe = PROBLEMS[refusal.code] as (refusal: KnownRefusal) => Problem;
  return describe(refusal);
}

export function errorJson(refusal: KnownRefusal): ErrorJson {
  const { message, hint } = problemOf(refusal);
  const { code, ...facts } = refusal;
  return { error: { ...facts, code, message, ...(hint === undefined ? {} : { hint }) } };
}

/** How a process ends on an error that the daemon named; what is not found is so whatever its code; a code from a newer daemon is judged by its status. */
export function exitOfError(code: string, status: number): ExitCode {
  if (status === 404) return EXIT.notFound;
  if (Object.hasOwn(EXITS, code)) return EXITS[code as RefusalCode];
  if (status === 409) return EXIT.moved;
  if (status === 401 || status === 403) return EXIT.denied;
  return status === 400 || status === 415 ? EXIT.usage : EXIT.failed;
}

const EXITS: Readonly<Record<RefusalCode, ExitCode>> = {
  outside: EXIT.usage,
  'bad-path': EXIT.usage,
  'bad-id': EXIT.usage,
  'bad-input': EXIT.usage,
  'unknown-session': EXIT.notFound,
  'unknown-change': EXIT.notFound,
  'unknown-checkpoint': EXIT.notFound,
  'unknown-content': EXIT.notFound,
  'unknown-workspace': EXIT.notFound,
  'no-such-file': EXIT.notFound,
  'no-such-route': EXIT.notFound,
  'nothing-to-do': EXIT.failed,
  moved: EXIT.moved,
  conflict: EXIT.moved,
  'not-reversible': EXIT.failed,
  'not-written': EXIT.failed,
  'ambiguous-session': EXIT.usage,
  'no-space': EXIT.failed,
  damaged: EXIT.failed,
  'too-large': EXIT.failed,
  busy: EXIT.failed,
  closed: EXIT.failed,
  'not-a-folder': EXIT.notFound,
  'not-a-workspace': EXIT.usage,
  'too-wide': EXIT.usage,
  held: EXIT.failed,
  'git-missing': EXIT.failed,
  'newer-log': EXIT.failed,
  io: EXIT.failed,
  'not-json': EXIT.usage,
  'wrong-origin': EXIT.denied,
  stopping: EXIT.failed,
  'not-available': EXIT.failed,
  internal: EXIT.failed,
};

type Describe = { readonly [Code in RefusalCode]: (refusal: Extract<KnownRefusal, { code: Code }>) => Problem };

const PROBLEMS: Describe = {
  outside: ({ path }) =>
    said(
      'outside',
      400,
      `${quoted(path)} is outside the workspace`,
      'name a file inside it, or work in the folder that holds it with -C DIR',
    ),
  'bad-path': ({ path, why }) => said('bad-path', 400, `${quoted(path)} cannot be a file of the workspace (${why})`),
  'bad-id': ({ what, input }) => {
    if (!OUR_IDS.has(what))
      return said('bad-id', 400, `${quoted(input)} cannot be the id of a ${what}: it is empty or too long`);
    return { ...said('bad-id', 404, `there is no ${what} ${quoted(input)}`, hintForId(what)), exit: EXIT.notFound };
  },
  'bad-input': ({ why }) => said('bad-input', 400, why),
  'unknown-session': ({ session }) =>
    said(
      'unknown-session',
      404,
      `there is no session ${quoted(session)} in this workspace`,
      '`pal session list` shows those there are',
    ),
  'unknown-change': ({ change }) =>
    said('unknown-change', 404, `there is no change ${quoted(change)}`, '`pal changes --status all` lists them'),
  'unknown-checkpoint': ({ checkpoint }) =>
    said('unknown-checkpoint', 404, `there is no checkpoint ${quoted(checkpoint)}`, '`pal checkpoint list` lists them'),
  'unknown-content': ({ content }) =>
    said(
      'unknown-content',
      404,
      `the content ${quoted(content)} is not kept`,
      'it was never stored, was too large to keep, or has been forgotten',
    ),
  'unknown-workspace': ({ workspace }) =>
    said('unknown-workspace', 404, `there is no workspace ${quoted(workspace)}`, 'open it by its folder first'),
  'no-such-file': ({ path }) => said('no-such-file', 404, `there is no file ${quoted(path)}`),
  'no-such-route': ({ path }) =>
    said('no-such-route', 404, `there is nothing at ${quoted(path)}`, '/openapi.json describes what there is'),
  'nothing-to-do': ({ why }) => said('nothing-to-do', 409, why),
  moved: ({ paths }) =>
    said('moved', 409, `changed since you looked: ${named(paths)}`, 'look again, then decide again'),
  conflict: ({ paths, why }) =>
    said(
      'conflict',
      409,
      `${named(paths)} cannot be merged: ${why}`,
      'nothing was written; take the later edits back first, or edit the file by hand',
    ),
  'not-reversible': ({ change, path }) =>
    said(
      'not-reversible',
      409,
      `${change} of ${quoted(path)} cannot be taken back: its bytes were not kept`,
      'files beyond the size limit are recorded, not kept',
    ),
  'not-written': ({ path, why }) =>
    said('not-written', 500, `${quoted(path)} could not be written: ${why}`, 'what was there is unchanged'),
  'ambiguous-session': ({ session }) =>
    said(
      'ambiguous-session',
      409,
      `several workspaces have a session ${quoted(session)}`,
      'say which with ?workspace=ID',
    ),
  'no-space': () =>
    said(
      'no-space',
      507,
      'the disk is full: nothing was recorded, and nothing is damaged',
      'make room, then do it again; `pal gc` shows what we can give back',
    ),
  damaged: ({ what }) =>
    said(
      'damaged',
      500,
      `${what} is damaged`,
      'a log is mended as far as it can be by `pal stop` and asking again; any other file, by hand or by deleting it',
    ),
  'too-large': ({ what, limit }) =>
    said('too-large', 413, `${what} is too large${limit > 0 ? `: the limit is ${limit}` : ''}`),
  busy: () => said('busy', 503, 'another process holds the store', 'try again; `pal doctor` says who it is'),
  closed: () => said('closed', 503, 'the workspace is being closed', 'try again'),
  'not-a-folder': ({ root }) => said('not-a-folder', 404, `${quoted(root)} is not a folder that can be read`),
  'not-a-workspace': ({ root, why }) =>
    said(
      'not-a-workspace',
      400,
      why === 'system' ? `${quoted(root)} belongs to the system` : `${quoted(root)} is where our own data is kept`,
      'work in the folder of a project',
    ),
  'too-wide': ({ root }) =>
    said('too-wide', 400, `${quoted(root)} is too wide to be a workspace`, 'work in the folder of one project'),
  held: ({ pid }) =>
    said(
      'held',
      423,
      `another process${pid === null ? '' : ` (${pid})`} holds this workspace`,
      'stop it, then try again',
    ),
  'git-missing': () => said('git-missing', 503, 'git cannot be run', 'install git 2.30 or newer, then try again'),
  'newer-log': ({ version, known }) =>
    said(
      'newer-log',
      409,
      `the data of this workspace was written by a newer version (format ${version}, this one knows ${known})`,
      'update palimpsest',
    ),
  io: ({ why }) => said('io', 500, `the disk failed: ${why}`),
  'not-json': () => said('not-json', 415, 'a request that changes something must be of type application/json'),
  'wrong-origin': ({ what }) =>
    said(
      'wrong-origin',
      403,
      `requests with this ${what} are not served`,
      'use http://127.0.0.1 and the port of the daemon',
    ),
  stopping: () => said('stopping', 503, 'the daemon is stopping', 'try again: it is started when it is needed'),
  'not-available': ({ what }) => said('not-available', 501, `${what} is not available in this version`),
  internal: () =>
    said(
      'internal',
      500,
      'something went wrong inside the daemon',
      'its log, daemon.log in the data directory, says what',
    ),
};

const OUR_IDS: ReadonlySet<string> = new Set(['change', 'hunk', 'checkpoint', 'content']);

function hintForId(what: string): string {
  if (what === 'content') return 'a content id has 40 hexadecimal digits';
  return what === 'checkpoint' ? '`pal checkpoint list` lists them' : '`pal changes --status all` lists them';
}

function said(code: RefusalCode, status: number, message: string, hint?: string): Problem {
  return { status, exit: EXITS[code], message, ...(hint === undefined ? {} : { hint }) };
}

const QUOTED_LENGTH_LIMIT = 200;

/** Long and hostile names must not fill a message or a terminal. */
function quoted(text: string): string {
  const cut = text.length > QUOTED_LENGTH_LIMIT ? `${text.slice(0, QUOTED_LENGTH_LIMIT)}…` : text;
  return /^[\w./@:+-]+$/.test(cut) ? cut : JSON.stringify(cut);
}

const NAMED_LIMIT = 10;

/** Names for a sentence; past what can be read they are counted, and the problem itself has all of them. */
function named(paths: readonly string[]): string {
  const more = paths.length - NAMED_LIMIT;
  const first = paths.slice(0, NAMED_LIMIT).map(quoted).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
