import { createInterface } from 'node:readline';
import type { Client } from '@palimpsest/protocol';
import { authorText } from '../print/changes.js';
import { harmless, harmlessLines } from '../print/harmless.js';
import { output } from '../print/output.js';
import type { Paint } from '../print/paint.js';
import { ReviewDesk } from './desk.js';
import type { HunkPlace } from './hunk-place.js';
import { type Effect, keyOf } from './review-state.js';

const HELP = [
  'a  accept this hunk          A  accept the whole change',
  'r  reject this hunk          R  reject the whole change',
  'c WHY  reject this hunk, and tell the agent why',
  's  skip it for now           u  undo the last decision',
  'q  leave',
].join('\n');

/** The same questions one after the other, for a terminal that can do no more than lines, or for a script. */
export async function reviewByPrompts(client: Client, paint: Paint): Promise<void> {
  const desk = new ReviewDesk(client);
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const skipped = new Set<string>();
  for (;;) {
    const places = (await desk.look()).filter((place) => !skipped.has(keyOf(place)));
    const [place] = places;
    if (place === undefined) return;
    await output.out(`${hunkText(place, paint)}\naccept this? [a,r,c,s,u,A,R,q,?] (${places.length} left) `);
    const { done, value = '' } = await lines.next();
    if (done === true) {
      await output.out('\n');
      return;
    }
    const answer = value.trim();
    const effect = effectOf(answer, place);
    if (effect === 'skip') skipped.add(keyOf(place));
    else if (effect === 'help') await output.out(`${HELP}\n`);
    else if (effect.kind === 'quit') return;
    else await output.out(`${await doneOrAsked(desk, effect, lines)}\n`);
  }
}

type Lines = AsyncIterator<string>;

/** Does it, after asking where that takes something else along. */
async function doneOrAsked(desk: ReviewDesk, effect: Exclude<Effect, { kind: 'quit' }>, lines: Lines): Promise<string> {
  const { message, asks } = await desk.act(effect);
  if (asks?.kind !== 'sure' || asks.effect.kind === 'quit') return message;
  await output.out(`${harmless(asks.why)} do it? [y,n] `);
  const { value } = await lines.next();
  return value?.trim().toLowerCase() === 'y' ? (await desk.act(asks.effect)).message : 'left as it is';
}

function effectOf(answer: string, place: HunkPlace): Effect | 'skip' | 'help' {
  const [, letter = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(answer) ?? [];
  switch (letter) {
    case 'a':
    case 'A':
      return { kind: 'accept', part: letter === 'a' ? 'hunk' : 'change', place };
    case 'r':
    case 'R':
      return { kind: 'reject', part: letter === 'r' ? 'hunk' : 'change', place };
    case 'c':
      return rest === '' ? 'help' : { kind: 'reject', part: 'hunk', place, comment: rest };
    case 's':
      return 'skip';
    case 'u':
      return { kind: 'undo' };
    case 'q':
      return { kind: 'quit' };
    default:
      return 'help';
  }
}

function hunkText({ change, hunk, lines }: HunkPlace, paint: Paint): string {
  const where = hunk === null ? '' : `:${hunk.newStart}`;
  const head = `${paint.strong(`${harmless(change.path)}${where}`)} ${paint.quiet(`${authorText(change)} · ${change.id}`)}`;
  const body = lines.map((line) => {
    const text = harmlessLines(line);
    return line[0] === '+' ? paint.added(text) : line[0] === '-' ? paint.removed(text) : text;
  });
  return [head, ...body].join('\n');
}
