import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Act } from './act.js';
import { sceneOf } from './scene.js';
import type { Stage } from './stage.js';
import { tokensIn, type Writer, writerOf } from './token.js';

type Tool = { readonly move: string; readonly weight: number; readonly plan: (at: Place) => Act | null };

/** A session in front of one text file. */
type Place = {
  readonly stage: Stage;
  readonly session: string;
  readonly writer: Writer;
  readonly path: string;
  readonly lines: readonly string[];
};

const TOOLS: readonly Tool[] = [
  { move: 'edit', weight: 10, plan: (at) => edit(at, 1) },
  { move: 'several edits in one call', weight: 3, plan: (at) => edit(at, 3) },
  { move: 'write over', weight: 5, plan: writeOver },
  { move: 'write over from an old view', weight: 3, plan: writeFromOldView },
  { move: 'insert by line number', weight: 3, plan: insert },
  { move: 'apply a patch', weight: 3, plan: patch },
  { move: 'delete', weight: 1, plan: (at) => patchWhole(at, 'delete') },
  { move: 'rename', weight: 1, plan: (at) => patchWhole(at, 'rename') },
];

export function planTool(stage: Stage, session: string, writer: Writer): Act | null {
  const { chance } = stage;
  if (chance.in(0.15)) return writeNew(stage, session, writer);
  const path = textFile(stage);
  if (path === null) return writeNew(stage, session, writer);
  const lines = linesOf(stage.text(path));
  const { plan } = chance.weighed(TOOLS);
  return plan({ stage, session, writer, path, lines });
}

/** A file that tools can take as text: nothing in it that JSON would have to change. */
export function textFile(stage: Stage): string | null {
  const files = sceneOf(stage, '').files.filter((path) => {
    const bytes = stage.bytesOf(stage.now.files.get(path)!.id);
    return (
      bytes !== undefined &&
      bytes.length > 0 &&
      bytes.length < 200_000 &&
      /^[\t\n\r -~]*$/.test(bytes.toString('latin1'))
    );
  });
  return files.length === 0 ? null : stage.chance.pick(files);
}

export function planRead(stage: Stage, session: string, path: string, how: 'whole' | 'range'): Act {
  const lines = linesOf(stage.text(path));
  const from = how === 'whole' ? 1 : stage.chance.between(1, Math.max(1, lines.length));
  const count = how === 'whole' ? lines.length : stage.chance.between(1, 3);
  const again = how === 'range' && stage.views.hasSeen(session, path);
  return {
    column: 'agent, file tools',
    move: how === 'whole' ? 'read whole' : again ? 're-read a range after a change' : 'read a range',
    tool: 'Read',
    input: { file_path: path, ...(how === 'whole' ? {} : { offset: from, limit: count }) },
    shell: false,
    paths: [path],
    expected: 'allow',
    why: 'reads are never refused',
    run: async () => existsSync(join(stage.world.root, path)),
    shown: (done) => {
      if (!done || !existsSync(join(stage.world.root, path))) return;
      const bytes = readFileSync(join(stage.world.root, path));
      const there = linesOf(bytes.toString('latin1'));
      if (how === 'whole') stage.views.showWhole(session, path, stage.album.keep(bytes), there);
      else stage.views.showLines(session, path, stage.album.keep(bytes), from, there.slice(from - 1, from - 1 + count));
    },
  };
}

function writeNew(stage: Stage, session: string, writer: Writer): Act {
  const path = sceneOf(stage, writer).fresh('file');
  const text = stage.tokens
    .lines(writer, stage.chance.between(1, 6))
    .map((line) => `${line}\n`)
    .join('');
  return writing(
    { stage, session, writer, path, lines: [] },
    'write new',
    'Write',
    { file_path: path, content: text },
    () => text,
  );
}

function edit(at: Place, most: number): Act | null {
  const { stage, writer, path, lines } = at;
  const chosen = new Set(Array.from({ length: stage.chance.between(1, most) }, () => stage.chance.pick(lines)));
  const edits = [...chosen]
    .filter((line) => lines.filter((other) => other === line).length === 1)
    .map((line) => ({ old_string: bare(line), new_string: stage.tokens.line(writer) }));
  const [first] = edits;
  if (first === undefined || edits.some(({ old_string }) => old_string === '' || isAmbiguous(at, old_string)))
    return null;
  const replace = (text: string) =>
    edits.reduce<string | null>((whole, { old_string, new_string }) => {
      if (whole?.includes(old_string) !== true) return null;
      return whole.replace(old_string, () => new_string);
    }, text);
  return edits.length === 1
    ? writing(at, 'edit', 'Edit', { file_path: path, ...first }, replace)
    : writing(at, 'several edits in one call', 'MultiEdit', { file_path: path, edits }, replace);
}

function isAmbiguous({ lines }: Place, text: string): boolean {
  return lines.join('').split(text).length !== 2;
}

function writeOver(at: Place): Act {
  const { stage, writer, path, lines } = at;
  const kept = lines.filter(() => stage.chance.in(0.8));
  kept.splice(stage.chance.below(kept.length + 1), 0, `${stage.tokens.line(writer)}\n`);
  const text = kept.join('');
  return writing(at, 'write over', 'Write', { file_path: path, content: text }, () => text);
}

function writeFromOldView(at: Place): Act | null {
  const { stage, writer, path } = at;
  const old = (stage.versions.get(path) ?? []).slice(0, -1);
  if (old.length === 0) return null;
  const bytes = stage.bytesOf(stage.chance.pick(old));
  if (bytes === undefined || bytes.some((byte) => byte > 126)) return null;
  const text = `${stage.tokens.line(writer)}\n${bytes.toString('latin1')}`;
  return writing(at, 'write over from an old view', 'Write', { file_path: path, content: text }, () => text);
}

function insert(at: Place): Act | null {
  const { stage, writer, path, lines } = at;
  if (lines.at(-1)?.endsWith('\n') !== true) return null;
  const after = stage.chance.between(0, lines.length);
  const text = `${stage.tokens.line(writer)}\n`;
  const act = writing(
    at,
    'insert by line number',
    'str_replace_based_edit_tool',
    { command: 'insert', path, insert_line: after, insert_text: text },
    (now) => {
      const there = linesOf(now);
      return after > there.length ? null : [...there.slice(0, after), text, ...there.slice(after)].join('');
    },
  );
  // The number is right while everything above it is what was seen, or a line beside it was seen under that number.
  const above = tokensIn(lines.slice(0, after).join(''));
  const unseen = stage.views.unseen(at.session, path, above);
  const isNumbered = stage.views.hasNumber(at.session, path, after, lines);
  return act.expected === 'either' && !stage.views.isBlurred(at.session, path) && unseen.length > 0 && !isNumbered
    ? { ...act, expected: 'deny', why: `lines above were never shown: ${unseen.join(' ')}` }
    : act;
}

function patch(at: Place): Act | null {
  const { stage, writer, path, lines } = at;
  const index = stage.chance.below(lines.length);
  const old = lines[index]!;
  if (old.includes('\r') || !old.endsWith('\n') || isAmbiguous(at, bare(old)) || path.includes('\n')) return null;
  const next = stage.tokens.line(writer);
  const text = `*** Begin Patch\n*** Update File: ${path}\n@@\n-${bare(old)}\n+${next}\n*** End Patch\n`;
  return writing(at, 'apply a patch', 'apply_patch', { command: text }, (now) =>
    now.includes(old) ? now.replace(old, () => `${next}\n`) : null,
  );
}

/** The file as a whole goes, or gets another name and one line. */
function patchWhole(at: Place, what: 'delete' | 'rename'): Act | null {
  const { stage, path, lines } = at;
  if (path.includes('\n') || path.startsWith(' ')) return null;
  const place = join(stage.world.root, path);
  if (what === 'delete') {
    const act = writing(
      at,
      'delete',
      'apply_patch',
      { command: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\n` },
      () => '',
    );
    return {
      ...act,
      run: async () => {
        if (!existsSync(place)) return false;
        rmSync(place);
        return true;
      },
      shown: () => undefined,
    };
  }
  const old = stage.chance.pick(lines);
  if (old.includes('\r') || !old.endsWith('\n') || isAmbiguous(at, bare(old))) return null;
  const to = sceneOf(stage, at.writer).fresh('file');
  if (to.includes('\n')) return null;
  const next = stage.tokens.line(at.writer);
  const text = `*** Begin Patch\n*** Update File: ${path}\n*** Move to: ${to}\n@@\n-${bare(old)}\n+${next}\n*** End Patch\n`;
  const act = writing(at, 'rename', 'apply_patch', { command: text }, (now) => now.replace(old, () => `${next}\n`));
  return {
    ...act,
    paths: [path, to],
    run: async (halfWay) => {
      if (!existsSync(place) || !readFileSync(place, 'latin1').includes(old)) return false;
      const target = join(stage.world.root, to);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(place, target);
      await halfWay();
      writeFileSync(
        target,
        readFileSync(target, 'latin1').replace(old, () => `${next}\n`),
        'latin1',
      );
      return true;
    },
    shown: () => undefined,
  };
}

/** A tool that gives a file another text, made from what is there when it runs. */
function writing(
  at: Place,
  move: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  next: (now: string) => string | null,
): Act {
  const { stage, session, path, lines } = at;
  const place = join(stage.world.root, path);
  const planned = next(lines.join('')) ?? '';
  const id = stage.now.files.get(path)?.id;
  const wasWhole = id !== undefined && stage.views.isWhole(session, path, id);
  let wroteOn = '';
  return {
    column: 'agent, file tools',
    move,
    tool,
    input,
    shell: false,
    paths: [path],
    ...expectation(at, id, planned),
    run: async (halfWay) => {
      const now = existsSync(place) ? readFileSync(place) : null;
      if (now === null && lines.length > 0 && tool !== 'Write') return false;
      const text = next(now?.toString('latin1') ?? '');
      if (text === null) return false;
      wroteOn = now === null ? '' : stage.album.keep(now);
      mkdirSync(dirname(place), { recursive: true });
      // As many tools do: first empty, then full.
      writeFileSync(place, '');
      await halfWay();
      writeFileSync(place, text, 'latin1');
      return true;
    },
    shown: (done) => {
      if (!done || !existsSync(place)) return;
      const bytes = readFileSync(place);
      const own = tokensIn(next(lines.join('')) ?? '').filter((token) => !tokensIn(lines.join('')).includes(token));
      const whole = (id === undefined || (wasWhole && wroteOn === id)) && bytes.toString('latin1') === planned;
      if (whole) stage.views.showWhole(session, path, stage.album.keep(bytes), linesOf(bytes.toString('latin1')));
      else stage.views.show(session, path, own);
    },
  };
}

/** What a session saw as a whole it may edit; what it removes it must have seen. */
function expectation(at: Place, id: string | undefined, planned: string): Pick<Act, 'expected' | 'why'> {
  const { stage, session, path, lines } = at;
  if (id === undefined) return { expected: 'allow', why: 'there is no such file' };
  if (stage.views.isWhole(session, path, id)) return { expected: 'allow', why: 'it was shown as it is' };
  if (stage.views.isBlurred(session, path)) return { expected: 'either', why: '' };
  const kept = new Set(tokensIn(planned));
  const removed = tokensIn(lines.join('')).filter((token) => !kept.has(token));
  const unseen = stage.views.unseen(session, path, removed);
  if (unseen.length > 0) return { expected: 'deny', why: `lines that go were never shown: ${unseen.join(' ')}` };
  if (!stage.views.hasSeen(session, path) && removed.some((token) => !writerOf(token).startsWith(session)))
    return { expected: 'deny', why: 'nothing of it was ever shown' };
  return { expected: 'either', why: '' };
}

export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '');
}
