import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  type CheckpointSaved,
  type FileChange,
  filesAnywhere,
  type Operation,
  UNRECORDED_CONTENT,
} from '@palimpsest/core';
import { closedAfter, openDatabase } from '../log/sqlite.js';
import { DEFAULT_TREE_LIMITS } from '../tree/limits.js';

/*
 * What must hold for the data of a workspace after any run, asked of plain git and of the rows of the log alone, so that
 * a mistake of ours in reading cannot hide one in keeping. The workspace may be open or closed.
 */

const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * What is wrong with the store in this folder of a workspace's data: nothing, if all is well. Operations before
 * `historyFromMs` are settled and may have let go of their bytes.
 */
export function missingIn(data: string, { historyFromMs = 0 } = {}): readonly string[] {
  const { named, commits, excused } = namedIn(join(data, 'log.sqlite'), historyFromMs);
  const gitDir = join(data, 'content.git');
  const wanted = new Map([...named].filter(([id]) => !excused.has(id)));
  return [
    ...unreadable(gitDir, [...wanted.keys()]).map((id) => `${wanted.get(id)} names ${id}, which cannot be read`),
    ...brokenCheckpoints(gitDir, commits, excused),
    ...fsckFaults(gitDir, excused),
  ];
}

type Named = {
  /** Contents that must be readable, each with the first that names it. */
  readonly named: ReadonlyMap<string, string>;
  readonly commits: readonly string[];
  /** On record as not kept: forgotten, too large, or never known. */
  readonly excused: ReadonlySet<string>;
};

function namedIn(file: string, historyFromMs: number): Named {
  const named = new Map<string, string>();
  const excused = new Set<string>([UNRECORDED_CONTENT]);
  const saved = new Map<string, CheckpointSaved>();
  const name = (id: string, by: string) => named.has(id) || named.set(id, by);
  /** What was said goes with its session. */
  const saidIn = new Map<string, string[]>();
  const said = (session: string, id: string, by: string) => {
    if (!named.has(id)) saidIn.set(session, [...(saidIn.get(session) ?? []), id]);
    name(id, by);
  };
  let isOld = false;
  const ofFile = ({ path, before, after }: FileChange, by: string) => {
    for (const version of [before, after]) {
      if (version === null) continue;
      if (version.size > DEFAULT_TREE_LIMITS.keptFileBytes) excused.add(version.content);
      else if (!isOld) name(version.content, `${by} of ${path}`);
    }
  };
  closedAfter(openDatabase(file, { readOnly: true, timeout: 30_000 }), (database) => {
    for (const { seq, at, body } of database.prepare('SELECT seq, at, body FROM operation ORDER BY seq').all()) {
      const operation = JSON.parse(String(body)) as Operation;
      isOld = Number(at) < historyFromMs;
      const by = `operation ${seq} (${operation.kind})`;
      for (const change of filesAnywhere(operation)) ofFile(change, by);
      switch (operation.kind) {
        case 'attributed':
          for (const { file } of operation.changes) ofFile(file, by);
          break;
        case 'shown':
          if (!isOld) for (const { content } of operation.files) name(content, by);
          break;
        case 'call-began':
          if (!isOld && operation.input !== null && 'content' in operation.input) name(operation.input.content, by);
          break;
        case 'message-added':
          if (operation.body !== null && 'content' in operation.body)
            said(operation.session, operation.body.content, by);
          break;
        case 'session-deleted':
          for (const id of saidIn.get(operation.session) ?? []) named.delete(id);
          break;
        case 'transcript-read':
          for (const { content } of isOld ? [] : (operation.kept ?? [])) if (content !== null) name(content, by);
          break;
        case 'task-imported':
          for (const { content } of operation.taken) said(operation.session, content, by);
          break;
        case 'decided':
          for (const { base, ours, theirs } of isOld ? [] : operation.conflicts)
            for (const side of [base, ours, theirs]) if (side !== null) name(side, by);
          break;
        case 'checkpoint-saved':
          saved.set(operation.replaces ?? `k${seq}`, operation);
          break;
        case 'checkpoint-deleted':
          for (const id of operation.checkpoints) saved.delete(id);
          break;
        case 'forgotten':
          for (const id of operation.contents) excused.add(id);
          break;
        default:
      }
    }
    const live = database.prepare("SELECT value FROM meta WHERE key = 'live-files'").get()?.value === '1' ? 1 : 0;
    for (const { path, content, kept } of database.prepare(`SELECT path, content, kept FROM file_${live}`).all()) {
      if (kept === 0) excused.add(String(content));
      else name(String(content), `the known file ${path}`);
    }
  });
  for (const [id, { coverage }] of saved) if (coverage !== undefined) name(coverage, `checkpoint ${id}`);
  return { named, commits: [...new Set([...saved.values()].map(({ commit }) => commit))], excused };
}

function unreadable(gitDir: string, ids: readonly string[]): readonly string[] {
  const told = git(gitDir, ['cat-file', '--batch-check=%(objecttype)'], ids);
  return told.split('\n').flatMap((line) => line.match(/^([0-9a-f]{40}) missing$/)?.[1] ?? []);
}

/** A tree may name what was forgotten; anything else that it names must be there. */
function brokenCheckpoints(
  gitDir: string,
  commits: readonly string[],
  excused: ReadonlySet<string>,
): readonly string[] {
  const absent = unreadable(gitDir, commits);
  const present = commits.filter((commit) => !absent.includes(commit));
  const listed =
    present.length === 0 ? '' : git(gitDir, ['rev-list', '--objects', '--missing=print', '--stdin'], present);
  const missing = listed.split('\n').flatMap((line) => line.match(/^\?([0-9a-f]{40})/)?.[1] ?? []);
  return [
    ...absent.map((commit) => `the commit ${commit} of a checkpoint cannot be read`),
    ...missing.filter((id) => !excused.has(id)).map((id) => `a checkpoint names ${id}, which cannot be read`),
  ];
}

function fsckFaults(gitDir: string, excused: ReadonlySet<string>): readonly string[] {
  const { stdout, stderr } = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling', '--no-progress'], {
    env: environmentFor(gitDir),
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT_BYTES,
  });
  return (
    `${stdout}${stderr}`
      .split('\n')
      // The lender may be gone while something is on loan; what is missing because of it shows by itself.
      .filter((line) => line !== '' && !/^(notice:|broken link from|\s+to\s|error: .*alternate object path)/.test(line))
      .filter((line) => !excused.has(line.match(/^missing \w+ ([0-9a-f]{40})$/)?.[1] ?? ''))
      .map((line) => `git fsck: ${line}`)
  );
}

function git(gitDir: string, args: readonly string[], lines: readonly string[]): string {
  const input = lines.map((line) => `${line}\n`).join('');
  return execFileSync('git', args, {
    env: environmentFor(gitDir),
    input,
    stdio: 'pipe',
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT_BYTES,
  });
}

function environmentFor(gitDir: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: gitDir };
}
