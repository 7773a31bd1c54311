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

type Words = readonly [message: string, hint?: string];
type Row<Facts> = {
  readonly status: number;
  readonly exit: ExitCode;
  readonly words: (facts: Facts) => Words;
  /** Where it is about an id that only we make up, which is then one that there is not. */
  readonly ofOurs?: 404;
};

/** `Facts` is what the refusal says besides its code. */
function row<Facts extends object = object>(
  status: number,
  exit: keyof typeof EXIT,
  words: (facts: Facts) => Words,
): Row<Facts> {
  return { status, exit: EXIT[exit], words };
}

type Path = { readonly path: string };
type Why = { readonly why: string };
type Choice = { readonly name: string; readonly like: readonly string[] };

const NO_MATCH = {
  change: { said: 'what else was said leaves nothing of', like: '' },
  call: { said: 'no call begins with', like: 'the latest are' },
  path: { said: 'no file is, or was, at', like: 'changes are pending in' },
  file: { said: 'no file fits', like: '' },
  patch: { said: 'no patch is listed as', like: '' },
} as const;

/**
 * Every refusal that can reach a face: the engine's, and the daemon's own. The engine's types are not known here; that
 * both name the same is checked by the compiler where the daemon hands them over.
 */
const REFUSALS = {
  outside: row<Path>(400, 'usage', ({ path }) => [
    `${quoted(path)} is outside the workspace`,
    'name a file inside it, or work in the folder that holds it with -C DIR',
  ]),
  'bad-path': row<Path & Why>(400, 'usage', ({ path, why }) => [
    `${quoted(path)} cannot be a file of the workspace (${why})`,
  ]),
  'bad-id': {
    ...row<{ readonly what: string; readonly input: string }>(400, 'usage', ({ what, input }) =>
      OUR_IDS.includes(what)
        ? [`there is no ${what} ${quoted(input)}`, hintForId(what)]
        : [`${quoted(input)} cannot be the id of a ${what}: it is empty or too long`],
    ),
    ofOurs: 404 as const,
  },
  'bad-input': row<Why>(400, 'usage', ({ why }) => [why]),
  'cannot-reduce': row<{ readonly tokens: number }>(409, 'failed', ({ tokens }) => [
    `nothing can be left out of the history, which has about ${tokens} tokens`,
  ]),
  'unknown-session': row<{ readonly session: string }>(404, 'notFound', ({ session }) => [
    `there is no session ${quoted(session)} in this workspace`,
    '`pal session list` shows those there are',
  ]),
  'unknown-change': row<{ readonly change: string }>(404, 'notFound', ({ change }) => [
    `there is no change ${quoted(change)}`,
    '`pal changes --status all` lists them',
  ]),
  'unknown-checkpoint': row<{ readonly checkpoint: string }>(404, 'notFound', ({ checkpoint }) => [
    `there is no checkpoint ${quoted(checkpoint)}`,
    '`pal checkpoint list` lists them',
  ]),
  'unknown-content': row<{ readonly content: string }>(404, 'notFound', ({ content }) => [
    `the content ${quoted(content)} is not kept`,
    'it was never stored, was too large to keep, or has been forgotten',
  ]),
  'unknown-commit': row<{ readonly range: string }>(404, 'notFound', ({ range }) => [
    `git knows no commit by ${quoted(range)}`,
    'name one, such as HEAD, or several, such as main..HEAD',
  ]),
  'unknown-workspace': row<{ readonly workspace: string }>(404, 'notFound', ({ workspace }) => [
    `there is no workspace ${quoted(workspace)}`,
    'open it by its folder first',
  ]),
  'no-such-file': row<Path>(404, 'notFound', ({ path }) => [`there is no file ${quoted(path)}`]),
  'no-such-route': row<Path>(404, 'notFound', ({ path }) => [
    `there is nothing at ${quoted(path)}`,
    '/openapi.json describes what there is',
  ]),
  'no-match': row<Choice & { readonly what: keyof typeof NO_MATCH }>(404, 'notFound', ({ what, name, like }) => [
    `${NO_MATCH[what].said} ${quoted(name)}`,
    like.length === 0 ? hintForNone(what) : `${NO_MATCH[what].like} ${named(like)}`,
  ]),
  'not-open': row<Path & { readonly act: 'close' | 'unpin' }>(404, 'notFound', ({ path, act }) => [
    `${quoted(path)} is not ${act === 'close' ? 'open' : 'pinned'}`,
    '`pal opened` lists what is; without --session all sessions are meant',
  ]),
  ambiguous: row<Choice & { readonly what: 'session' | 'call' }>(409, 'usage', ({ what, name, like }) => [
    `several ${what}s begin with ${quoted(name)}: ${named(like)}`,
    'write more of it',
  ]),
  'nothing-to-do': row<Why>(409, 'failed', ({ why }) => [why]),
  moved: row<{ readonly paths: readonly string[]; readonly seq: number }>(409, 'moved', ({ paths }) => [
    `changed since you looked: ${named(paths)}`,
    'look again, then decide again',
  ]),
  conflict: row<{ readonly paths: readonly string[] } & Why>(409, 'moved', ({ paths, why }) => [
    `${named(paths)} cannot be merged: ${why}`,
    'nothing was written; take the later edits back first, or edit the file by hand',
  ]),
  'not-reversible': row<{ readonly change: string } & Path>(409, 'failed', ({ change, path }) => [
    `${change} of ${quoted(path)} cannot be taken back: its bytes were not kept`,
    'files beyond the size limit are recorded, not kept',
  ]),
  'not-written': row<Path & Why>(500, 'failed', ({ path, why }) => [
    `${quoted(path)} could not be written: ${why}`,
    'what was there is unchanged',
  ]),
  'ambiguous-session': row<{ readonly session: string; readonly workspaces: readonly string[] }>(
    409,
    'usage',
    ({ session }) => [`several workspaces have a session ${quoted(session)}`, 'say which with ?workspace=ID'],
  ),
  'no-space': row(507, 'failed', () => [
    'the disk is full: nothing was recorded, and nothing is damaged',
    'make room, then do it again; `pal gc` shows what we can give back',
  ]),
  damaged: row<{ readonly what: string }>(500, 'failed', ({ what }) => [
    `${what} is damaged`,
    'a log is mended as far as it can be by `pal stop` and asking again; any other file, by hand or by deleting it',
  ]),
  'too-large': row<{ readonly what: string; readonly limit: number }>(413, 'failed', ({ what, limit }) => [
    `${what} is too large${limit > 0 ? `: the limit is ${limit}` : ''}`,
  ]),
  'no-worktree': row<Why & { readonly facts: Readonly<Record<string, unknown>> }>(409, 'failed', ({ why, facts }) => [
    `${WORKTREE_WORDS[why] ?? `the worktree could not be made or removed: ${why}`}${worktreeFacts(facts)}`,
    WORKTREE_HINTS[why] ?? 'nothing was changed',
  ]),
  'worktree-holds': row<{
    readonly folder: string;
    readonly pending: readonly string[];
    readonly conflicts: readonly string[];
    readonly apart: readonly string[];
  }>(409, 'moved', ({ folder, pending, conflicts, apart }) => [
    `the worktree ${quoted(folder)} holds what is not settled: ${[...pending, ...conflicts, ...apart.filter(() => pending.length + conflicts.length === 0)].slice(0, NAMED_LIMIT).map(quoted).join(', ')}`,
    pending.length > 0
      ? '`pal accept` or `pal reject` them first'
      : conflicts.length > 0
        ? '`pal resolve` them first'
        : '`pal worktree sync` brings in what may come',
  ]),
  busy: row(503, 'failed', () => ['another process holds the store', 'try again; `pal doctor` says who it is']),
  'has-worktrees': row<{ readonly worktrees: readonly string[] }>(409, 'failed', ({ worktrees }) => [
    `worktrees of sessions are among its data: ${named(worktrees)}`,
    'nothing was removed; finish them first: `pal worktree list` shows them',
  ]),
  closed: row(503, 'failed', () => ['the workspace is being closed', 'try again']),
  'not-a-folder': row<{ readonly root: string }>(404, 'notFound', ({ root }) => [
    `${quoted(root)} is not a folder that can be read`,
    'it may have been moved or removed; `pal workspaces` lists what is known',
  ]),
  'not-a-workspace': row<{ readonly root: string; readonly why: 'system' | 'own-data' }>(
    400,
    'usage',
    ({ root, why }) => [
      why === 'system' ? `${quoted(root)} belongs to the system` : `${quoted(root)} is where our own data is kept`,
      'work in the folder of a project',
    ],
  ),
  'too-wide': row<{ readonly root: string }>(400, 'usage', ({ root }) => [
    `${quoted(root)} is too wide to be a workspace`,
    'work in the folder of one project',
  ]),
  held: row<{ readonly pid: number | null }>(423, 'failed', ({ pid }) => [
    `another process${pid === null ? '' : ` (${pid})`} holds this workspace`,
    'stop it, then try again',
  ]),
  'git-missing': row(503, 'failed', () => ['git cannot be run', 'install git 2.30 or newer, then try again']),
  'newer-log': row<{ readonly version: number; readonly known: number }>(409, 'failed', ({ version, known }) => [
    `the data of this workspace was written by a newer version (format ${version}, this one knows ${known})`,
    'update palimpsest',
  ]),
  io: row<Why>(500, 'failed', ({ why }) => [`the disk failed: ${why}`]),
  'not-json': row(415, 'usage', () => ['a request that changes something must be of type application/json']),
  'wrong-origin': row<{ readonly what: 'host' | 'origin' }>(403, 'denied', ({ what }) => [
    `requests with this ${what} are not served`,
    'use http://127.0.0.1 and the port of the daemon',
  ]),
  stopping: row(503, 'failed', () => ['the daemon is stopping', 'try again: it is started when it is needed']),
  'not-installed': row(503, 'failed', () => [
    'the program that this daemon was started from is not there any more',
    'install it again, then `pal stop`: the next command starts a new one',
  ]),
  internal: row(500, 'failed', () => [
    'something went wrong inside the daemon',
    'its log, daemon.log in the data directory, says what',
  ]),
};

const WORKTREE_WORDS: Readonly<Record<string, string>> = {
  busy: 'a program works in the worktree',
  commits: 'the worktree has commits that no branch or tag has',
  'setup-failed': 'the command that sets a worktree up failed',
  'inside-workspace': 'the folder for worktrees is inside of the workspace',
  'not-ours': 'the worktree was not made by us',
};

const WORKTREE_HINTS: Readonly<Record<string, string>> = {
  busy: 'end it, or leave the folder, then try again',
  commits: 'give them a branch in there, or say --leave-commits',
  'setup-failed': 'nothing is left of it; the setting worktree.setup names the command',
};

/** What is known of it, as far as it is words. */
function worktreeFacts(facts: Readonly<Record<string, unknown>>): string {
  const told = ['path', 'name', 'why', 'output'].flatMap((key) => (typeof facts[key] === 'string' ? [facts[key]] : []));
  return told.length === 0 ? '' : `: ${told.map(quoted).join(', ')}`;
}

export type RefusalCode = keyof typeof REFUSALS;

export type KnownRefusal = {
  [Code in RefusalCode]: { readonly code: Code } & ((typeof REFUSALS)[Code] extends Row<infer Facts> ? Facts : never);
}[RefusalCode];

export function problemOf(refusal: KnownRefusal): Problem {
  const { status, words, ofOurs = status } = REFUSALS[refusal.code] as Row<KnownRefusal>;
  const [message, hint] = words(refusal);
  const told = 'what' in refusal && OUR_IDS.includes(refusal.what) ? ofOurs : status;
  return { status: told, exit: exitOfError(refusal.code, told), message, ...(hint === undefined ? {} : { hint }) };
}

export function errorJson(refusal: KnownRefusal): ErrorJson {
  const { message, hint } = problemOf(refusal);
  const { code, ...facts } = refusal;
  return { error: { ...facts, code, message, ...(hint === undefined ? {} : { hint }) } };
}

/** How a process ends on an error that the daemon named; what is not found is so whatever its code; a code from a newer daemon is judged by its status. */
export function exitOfError(code: string, status: number): ExitCode {
  if (status === 404) return EXIT.notFound;
  if (Object.hasOwn(REFUSALS, code)) return REFUSALS[code as RefusalCode].exit;
  if (status === 409) return EXIT.moved;
  if (status === 401 || status === 403) return EXIT.denied;
  return status === 400 || status === 415 ? EXIT.usage : EXIT.failed;
}

/** For the documents: each code with its status, its exit code, and what it is about where these differ. */
export function refusalTable(): readonly RefusalFacts[] {
  return (Object.entries(REFUSALS) as [RefusalCode, Row<never>][]).flatMap(([code, { status, exit, ofOurs }]) => [
    { code, status, exit },
    ...(ofOurs === undefined ? [] : [{ code, status: ofOurs, exit: exitOfError(code, ofOurs), of: OUR_IDS }]),
  ]);
}

export type RefusalFacts = {
  readonly code: RefusalCode;
  readonly status: number;
  readonly exit: ExitCode;
  /** Ids of these only. */
  readonly of?: readonly string[];
};

const OUR_IDS: readonly string[] = ['change', 'hunk', 'checkpoint', 'content'];

function hintForNone(what: keyof typeof NO_MATCH): string {
  if (what === 'file') return 'patterns fit the files that are covered: `pal status`';
  return what === 'patch' ? '`pal patches list` lists the latest' : '`pal changes --status all` lists what there is';
}

function hintForId(what: string): string {
  if (what === 'content') return 'a content id has 40 hexadecimal digits';
  return what === 'checkpoint' ? '`pal checkpoint list` lists them' : '`pal changes --status all` lists them';
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
