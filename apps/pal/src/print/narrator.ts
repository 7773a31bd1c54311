import { setTimeout as wait } from 'node:timers/promises';
import { diffText } from './diff.js';
import { harmless } from './harmless.js';
import type { Output } from './output.js';
import type { Style } from './style.js';
import { widthOf } from './width.js';

/** Time to read, on a terminal. Nobody waits for a pipe. */
export type Pace = { readonly afterSentenceMs: number; readonly afterActMs: number; readonly beforeStepMs: number };
export const AT_ONCE: Pace = { afterSentenceMs: 0, afterActMs: 0, beforeStepMs: 0 };
export const FOR_READING: Pace = { afterSentenceMs: 350, afterActMs: 250, beforeStepMs: 500 };

const MARGIN = '  ';
const WIDEST = 88;
const FACES = { agent: '◆ agent', human: '● human', pal: '▲ pal' } as const;

/** Tells the demo: titles, sentences, who does what, and what the commands print. */
export class Narrator {
  readonly #output: Output;
  readonly #style: Style;
  readonly #pace: Pace;
  #step = 0;
  #lastLine = '';

  constructor(output: Output, style: Style, pace: Pace) {
    this.#output = output;
    this.#style = style;
    this.#pace = pace;
  }

  get columns(): number {
    return Math.min(this.#style.width ?? WIDEST, WIDEST + MARGIN.length);
  }

  async open(title: string, lines: readonly string[]): Promise<void> {
    const { paint } = this.#style;
    const rule = '─'.repeat(Math.min(widthOf(title) + 2, this.columns - 2));
    const body = lines.flatMap((line) => this.#wrap(line)).map((line) => `${MARGIN}${paint.quiet(line)}`);
    await this.#print(['', `${MARGIN}${paint.strong(title)}`, `${MARGIN}${paint.name(rule)}`, ...body]);
  }

  async step(title: string, of: number): Promise<void> {
    await wait(this.#pace.beforeStepMs);
    const { paint } = this.#style;
    this.#step += 1;
    await this.#print(['', `${MARGIN}${paint.name(`${this.#step}/${of}`)}  ${paint.strong(title)}`, '']);
  }

  async say(text: string): Promise<void> {
    await this.#print(this.#wrap(text).map((line) => `${MARGIN}${line}`));
    await wait(this.#pace.afterSentenceMs);
  }

  async act(who: keyof typeof FACES, text: string): Promise<void> {
    const { paint } = this.#style;
    const colour = { agent: paint.name, human: paint.good, pal: paint.careful }[who];
    const [first, ...rest] = this.#wrap(harmless(text), FACE_WIDTH);
    const lines = [
      `${MARGIN}${colour(FACES[who].padEnd(FACE_WIDTH))}${first}`,
      ...rest.map((line) => `${MARGIN}${' '.repeat(FACE_WIDTH)}${line}`),
    ];
    await this.#print(lines);
    await wait(this.#pace.afterActMs);
  }

  async quote(text: string): Promise<void> {
    const { paint } = this.#style;
    const lines = text.split('\n').flatMap((line) => (DIFF_LINE.test(line) ? [line] : this.#wrap(line, 2)));
    await this.#print(['', ...lines.map((line) => `${MARGIN}${paint.careful('┃')} ${diffText(line, paint)}`), '']);
    await wait(this.#pace.afterSentenceMs);
  }

  /** `printed` is what a command of ours has printed, and so is harmless already. */
  async command(line: string, printed: string): Promise<void> {
    const { paint } = this.#style;
    const shown = printed.trimEnd().split('\n');
    await this.#print([
      '',
      `${MARGIN}${paint.quiet('$')} ${paint.strong(harmless(line))}`,
      ...shown.map((text) => `${MARGIN}${paint.quiet('│')} ${text}`.trimEnd()),
      '',
    ]);
    await wait(this.#pace.afterSentenceMs);
  }

  /** Parts ask for room above and below them; where two meet, one empty line is enough. */
  async #print(lines: readonly string[]): Promise<void> {
    const kept = lines.filter((line, at) => line !== '' || (at === 0 ? this.#lastLine : lines[at - 1]) !== '');
    if (kept.length === 0) return;
    this.#lastLine = kept.at(-1)!;
    await this.#output.out(`${kept.join('\n')}\n`);
  }

  #wrap(text: string, indent = 0): readonly string[] {
    const width = this.columns - MARGIN.length - indent;
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  }
}

const FACE_WIDTH = 10;
/** These are not reflowed. */
const DIFF_LINE = /^[ +\-@]/;
