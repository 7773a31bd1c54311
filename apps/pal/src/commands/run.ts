import { randomBytes } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChangeJson, Client, SessionJson } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { WORKTREE_MODES, type WorktreeMode } from '../cli/worktree-modes.js';
import { clientInTime, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { asFailure, Failure } from '../face/failure.js';
import { nextText } from '../print/next.js';
import { withProgress } from '../print/progress.js';
import { runText } from '../print/run.js';
import { type CommandEnd, runCommand } from '../run/spawn-command.js';
import { stillRunning } from '../run/still-running.js';
import { realFolder } from '../surroundings/find-root.js';
import { environmentWithin, inWorktree, parentIn } from '../surroundings/within.js';

type Options = { readonly agent: string; readonly worktree?: WorktreeMode };

const CALL = 'run';
const CALL_TOOL = 'Bash';
const STOCK_PATIENCE_MS = 10_000;
const POLL_MS = 30;

export const command: CommandFile = {
  summary: 'run any command as a session, and record what it changes',
  section: 'Work',
  details: `The exit code is the command's own. What changed is said on standard error afterwards.
With --json the command's standard output goes to standard error, and the document follows on standard output:
{session, exitCode, signal?, changes, perhaps, running, tracked}, where \`perhaps\` lists what may be its own or another's.
If something that it started goes on in the background, \`running\` is true and the session stays active: what changes may be
its doing until \`pal session end\`. If the daemon cannot be reached (within PAL_PATIENCE_MS, 10000 unless set) the command runs all the same;
then \`tracked\` is false, and what it did is found when the workspace is next opened.

With --worktree it runs in a folder of its own with what the workspace holds now, uncommitted work included, and what it changes
there comes to the workspace at once (auto) or when it is accepted (review); what others change comes to it. Agents that are
wired up work there as anywhere. PAL_WORKTREE names the folder and PAL_PORT_BASE the first of twenty ports for servers. If the
worktree cannot be made, the command does not run.`,
  examples: [
    { line: 'pal run -- make generate', does: 'see and review what a generator does' },
    { line: 'pal run --agent my-agent -- my-agent --fix', does: 'an agent that has no hooks' },
    { line: 'pal run --worktree review -- claude', does: 'an agent in a folder of its own' },
  ],
  define: (self, act) =>
    self
      .usage('[--agent NAME] [--worktree MODE] [--json] -- COMMAND [ARGS...]')
      .argument('<command...>', 'the command and its arguments, after --')
      .option('--agent <name>', 'who is said to have done it', 'run')
      .addOption(
        new Option(
          '--worktree <mode>',
          'in a worktree, which flows back at once (auto) or when accepted (review)',
        ).choices(WORKTREE_MODES),
      )
      .action(
        act(async (face, words: readonly string[], { agent, worktree }: Options) => {
          const [program, ...args] = words as [string, ...string[]];
          const tracking = await (worktree === undefined
            ? track(face, agent, words)
            : begin(face, agent, words, worktree));
          const end = await runCommand({
            command: program,
            args,
            cwd: tracking.directory,
            environment: tracking.environment,
            stdout: face.format === 'json' ? 'stderr' : 'inherit',
          });
          const result = await tracking.finish(end);
          const json = {
            session: tracking.session,
            exitCode: end.exitCode,
            ...(end.signal === null ? {} : { signal: end.signal }),
            changes: result.changes,
            perhaps: result.perhaps,
            running: result.running,
            tracked: result.fault === null,
            ...(tracking.worktree === null ? {} : { worktree: tracking.worktree }),
            ...(result.fault === null ? {} : result.fault.toJSON()),
          };
          return {
            json,
            text: (style) => {
              const { session } = tracking;
              const standing = {
                pending: result.changes.length,
                conflicts: 0,
                ...(session === null ? {} : { session }),
              };
              const said = runText({ command: program, session, worktree: tracking.worktree, end, ...result }, style);
              return `${said}${nextText(standing, style)}`;
            },
            exit: end.exitCode,
            on: 'err',
          };
        }),
      ),
};

type Finished = {
  readonly changes: readonly ChangeJson[];
  readonly perhaps: readonly ChangeJson[];
  /** Whether something that it started goes on without it. */
  readonly running: boolean;
  readonly fault: Failure | null;
};
type Tracking = {
  readonly session: string | null;
  readonly worktree: NonNullable<SessionJson['worktree']> | null;
  /** Where the command runs. */
  readonly directory: string;
  /** What the command is started with: an agent in it is to know that it runs within this session. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly finish: (end: CommandEnd) => Promise<Finished>;
};

/** A failure of ours must not keep the command from running, nor change how it ends. */
async function track(face: Face, agent: string, words: readonly string[]): Promise<Tracking> {
  try {
    return await begin(face, agent, words);
  } catch (error) {
    const fault = asFailure(error);
    const { environment } = face.surroundings;
    const finish = async () => ({ ...NOTHING, fault });
    return { session: null, worktree: null, directory: face.directory, environment, finish };
  }
}

/** In a worktree it must not run elsewhere: then a failure ends it before it begins. */
async function begin(face: Face, agent: string, words: readonly string[], mode?: WorktreeMode): Promise<Tracking> {
  const id = `run-${randomBytes(6).toString('hex')}`;
  const { environment } = face.surroundings;
  const client = await clientInTime(face);
  const root = await withProgress('taking stock of the workspace', () => stockTaken(client));
  const about = { id, agent, title: words.join(' '), ...parentIn(environment), directory: face.directory };
  const starting = () => client.startSession({ body: mode === undefined ? about : { ...about, worktree: mode } });
  const started = said(await (mode === undefined ? starting() : withProgress('making the worktree', starting)));
  const worktree = mode === undefined ? null : (started.session.worktree ?? null);
  if (mode !== undefined && worktree === null) throw new Failure('not-made', 'the daemon made no worktree');
  const directory = worktree === null ? face.directory : placeIn(worktree.path, root, face.directory);
  const input = { command: words.map(quoted).join(' ') };
  said(await client.beginCall({ body: { session: id, callId: CALL, tool: CALL_TOOL, input, cwd: directory } }));
  return {
    session: id,
    worktree,
    directory,
    environment: {
      ...environmentWithin(environment, id),
      ...(worktree === null ? {} : inWorktree(worktree, directory)),
    },
    finish: (end) => finish(client, id, end, worktree?.path ?? root),
  };
}

/** The folder of the worktree that corresponds to where we were called, if it is there. */
function placeIn(path: string, root: string, directory: string): string {
  const real = realFolder(directory) ?? directory;
  const place = join(path, relative(root, real));
  return isInside(path, place) && realFolder(place) === place ? place : path;
}

function isInside(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder + sep);
}

/**
 * A workspace that was just opened is still being compared with what was known of it, and what changes meanwhile cannot
 * be told from what changed before. In a very large one the command starts before that is over. Answers where it is.
 */
async function stockTaken(client: Client): Promise<string> {
  for (const until = Date.now() + STOCK_PATIENCE_MS; ; await wait(POLL_MS)) {
    const { takingStock, workspace } = said(await client.status());
    if (!takingStock || Date.now() >= until) return workspace.root;
  }
}

async function finish(client: Client, session: string, end: CommandEnd, root: string): Promise<Finished> {
  try {
    const running = await stillRunning(session, root);
    const { changes, perhaps } = said(
      await client.endCall({
        body: { session, callId: CALL, ok: end.exitCode === 0, output: running ? RUNS_ON : undefined },
      }),
    );
    if (!running) said(await client.endSession({ params: { session } }));
    return { changes, perhaps, running, fault: null };
  } catch (error) {
    return { ...NOTHING, fault: asFailure(error) };
  }
}

const NOTHING = { changes: [], perhaps: [], running: false } as const;
/** As agents say of a command that they no longer wait for. */
const RUNS_ON = 'what it started is still running in the background';

/** As a shell would have it written, because that is how the command is read. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
