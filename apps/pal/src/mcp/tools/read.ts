import { z } from 'zod';
import { Failure } from '../../face/failure.js';
import { guarded, NoticeOutput, withNotices } from './guarded-call.js';
import { tool } from './tool.js';
import { locate, type Place, readPlace } from './workspace-file.js';

/** As much as a model reads with profit at once. What is left out is said, and not counted as seen. */
const LINES_LIMIT = 2_000;
const CHARS_LIMIT = 200_000;

export const readTool = tool({
  name: 'pal_read',
  title: 'Read a file',
  description:
    'Reads a text file of the workspace and remembers which lines you have seen, so that a later pal_edit or pal_write ' +
    'is refused if the file changes meanwhile. Use it if you have no file tools of your own that Palimpsest watches.',
  effect: 'notes',
  input: z.object({
    path: z.string().meta({ description: 'Relative to the root of the workspace, or absolute.' }),
    start_line: z.int().min(1).optional().meta({ description: 'The first line to read, from 1.' }),
    end_line: z.int().min(1).optional().meta({ description: 'The last line to read, included.' }),
  }),
  output: z.object({
    path: z.string(),
    content: z.string().meta({ description: 'Exactly what stands in the file.' }),
    startLine: z.number(),
    endLine: z.number(),
    totalLines: z.number(),
    notices: z.array(NoticeOutput),
  }),
  async run(asked, context) {
    const { path: written, start_line, end_line } = asked;
    const place = locate(await context.connection.root(), written);
    const ask = { from: start_line ?? 1, to: end_line ?? Number.MAX_SAFE_INTEGER };
    const foreseen = extract(place, await readPlace(place), ask);
    const lines = isWhole(foreseen) ? {} : { start_line: foreseen.startLine, ...endOf(foreseen) };
    const call = { tool: 'pal_read', action: 'Read', input: { path: place.path, ...lines }, asked } as const;
    const { value, notices } = await guarded(context, call, async () => {
      const shown = extract(place, await readPlace(place), ask);
      if (shown.totalLines === foreseen.totalLines && shown.endLine === foreseen.endLine) return shown;
      throw new Failure('moved', `${place.path} is being written right now`, 'read it again');
    });
    const { content, startLine, endLine, totalLines } = value;
    const part = isWhole(value) ? '' : `\n[lines ${startLine}–${endLine} of ${totalLines}; the rest was not read]`;
    return {
      text: withNotices(`${content}${part}`, notices),
      data: { path: place.path, content, startLine, endLine, totalLines, notices: [...notices] },
    };
  },
});

type Extract = {
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
};

function isWhole({ startLine, endLine, totalLines }: Extract): boolean {
  return startLine === 1 && endLine === totalLines;
}

/** Nothing is said of the end by one that reads up to it: it has seen that there is no more. */
function endOf({ endLine, totalLines }: Extract): { readonly end_line?: number } {
  return endLine === totalLines ? {} : { end_line: endLine };
}

function extract(
  { path }: Place,
  bytes: Uint8Array | null,
  ask: { readonly from: number; readonly to: number },
): Extract {
  if (bytes === null) throw new Failure('no-such-file', `there is no file ${path}`);
  const lines = textOf(path, bytes).split(/(?<=\n)/);
  const totalLines = bytes.length === 0 ? 0 : lines.length;
  if (ask.to < ask.from) throw new Failure('bad-input', 'end_line comes before start_line');
  if (ask.from > Math.max(totalLines, 1)) throw new Failure('bad-input', `${path} has only ${totalLines} lines`);
  const wanted = lines.slice(ask.from - 1, Math.min(ask.to, ask.from - 1 + LINES_LIMIT));
  const kept = wanted.slice(0, fitting(wanted));
  if (wanted.length > 0 && kept.length === 0)
    throw new Failure('too-large', `line ${ask.from} of ${path} is too long to be shown`);
  return {
    content: kept.join(''),
    startLine: ask.from,
    endLine: Math.min(ask.from - 1 + kept.length, totalLines),
    totalLines,
  };
}

function fitting(lines: readonly string[]): number {
  let chars = 0;
  const beyond = lines.findIndex((line) => {
    chars += line.length;
    return chars > CHARS_LIMIT;
  });
  return beyond < 0 ? lines.length : beyond;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Failure('not-text', `${path} is not text in UTF-8, and cannot be shown`);
  }
}
