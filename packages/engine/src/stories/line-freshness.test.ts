import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/search.fixture.js';
import { judge, Mind, type Rewrite, type Token, textOf } from './line-oracle.fixture.js';
import { type Stage, stage } from './stage.fixture.js';

const RUNS = cases({ brief: 8, long: 60 });
/** No look comes by itself: only begins, ends and asked-for looks. */
const QUIET = { settings: { lookAfterMs: 600_000 } };

type Verb =
  | 'read'
  | 'read-range'
  | 'outside'
  | 'other-agent'
  | 'own-command'
  | 'edit'
  | 'edit-insert'
  | 'insert'
  | 'patch'
  | 'write'
  | 'shorter-write'
  | 'delete';
type Step = { readonly verb: Verb; readonly at: number; readonly size: number; readonly more: number };

const step = fc.record<Step>({
  verb: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Verb>('read') },
    { weight: 8, arbitrary: fc.constant<Verb>('read-range') },
    { weight: 5, arbitrary: fc.constant<Verb>('outside') },
    { weight: 1, arbitrary: fc.constant<Verb>('other-agent') },
    { weight: 2, arbitrary: fc.constant<Verb>('own-command') },
    { weight: 4, arbitrary: fc.constant<Verb>('edit') },
    { weight: 2, arbitrary: fc.constant<Verb>('edit-insert') },
    { weight: 2, arbitrary: fc.constant<Verb>('insert') },
    { weight: 2, arbitrary: fc.constant<Verb>('patch') },
    { weight: 6, arbitrary: fc.constant<Verb>('write') },
    { weight: 1, arbitrary: fc.constant<Verb>('shorter-write') },
    { weight: 1, arbitrary: fc.constant<Verb>('delete') },
  ),
  at: fc.nat(100),
  size: fc.nat(6),
  more: fc.nat(6),
});
const form = fc.record({
  lines: fc.nat(24),
  eol: fc.constantFrom('\n', '\r\n'),
  ended: fc.boolean(),
});
type Form = { readonly lines: number; readonly eol: string; readonly ended: boolean };

/** What the guard said against what really would have been lost. */
class Trial {
  readonly #on: Stage;
  readonly #path: string;
  readonly #form: Form;
  readonly #mind = new Mind();
  #file: Token[];
  readonly #taken = new Set<Token>();
  #tokens = 0;
  readonly counts = new Map<string, number>();

  constructor(on: Stage, path: string, form: Form) {
    this.#on = on;
    this.#path = path;
    this.#form = form;
    this.#file = this.#fresh(form.lines);
    this.#save(this.#file);
  }

  async take({ verb, at, size, more }: Step): Promise<void> {
    const place = at % (this.#file.length + 1);
    switch (verb) {
      case 'read':
        return this.#read({ file_path: this.#path }, 1, Number.POSITIVE_INFINITY, more);
      case 'read-range':
        return this.#read(
          { file_path: this.#path, offset: place + 1, limit: size + 1 },
          place + 1,
          place + 1 + size,
          more,
        );
      case 'outside':
        if (this.#change(place, size, more)) this.#mind.changedByOthers();
        return;
      case 'other-agent':
        return this.#otherAgent(place, size, more);
      case 'own-command':
        return this.#ownCommand(place, size, more);
      case 'edit':
        return this.#edit(at, () => []);
      case 'edit-insert':
        return this.#edit(at, (token) => [token]);
      case 'insert':
        return this.#insert(place);
      case 'patch':
        return this.#patch(at, more);
      case 'write':
        return this.#write(this.#believed(), at, more);
      case 'shorter-write':
        return this.#write(this.#believed().slice(0, size), at, more);
      case 'delete':
        return this.#delete();
    }
  }

  async #read(input: object, from: number, to: number, more: number): Promise<void> {
    const { callId } = await this.#agent.begin('Read', input);
    await this.#agent.end(callId, { ok: true });
    if (from <= this.#file.length || from === 1)
      this.#mind.look(this.#file, from, to, more % 2 ? 'replaced' : 'inserted');
  }

  /** The file without some of its lines and with others, of which nobody was told; false where it stays as it is. */
  #change(place: number, removed: number, added: number): boolean {
    const next = this.#file.toSpliced(place, removed % 4, ...this.#fresh(added % 4));
    if (sameTokens(next, this.#file)) return false;
    this.#save(next);
    this.#file = next;
    return true;
  }

  async #otherAgent(place: number, removed: number, added: number): Promise<void> {
    const other = this.#on.agent('T');
    const { callId } = await other.begin('Bash', { command: `tool ${this.#path}` });
    if (this.#change(place, removed, added)) this.#mind.changedByOthers();
    await other.end(callId, { ok: true });
  }

  /** What it took away itself may come back. */
  async #ownCommand(place: number, removed: number, added: number): Promise<void> {
    // Without its newline the last line is another line as soon as something follows it, or no longer does.
    if (!this.#form.ended) return;
    const { callId } = await this.#agent.begin('Bash', { command: `tool ${this.#path}` });
    const before = this.#file;
    if (this.#change(place, removed, added)) this.#mind.changedByCommand();
    for (const token of before) if (!this.#file.includes(token)) this.#taken.add(token);
    await this.#agent.end(callId, { ok: true });
  }

  /** By text that stands in the file once; what is left of the line is up to `rest`. */
  async #edit(at: number, rest: (token: Token) => readonly Token[]): Promise<void> {
    const known = this.#believed().filter((token) => this.#file.includes(token));
    // Now and then it makes a lucky guess at a line that it was never shown.
    const token = at % 10 === 0 ? this.#file[at % this.#file.length] : known[at % known.length];
    if (token === undefined) return;
    const own = this.#fresh(1);
    const kept = rest(token);
    const next = this.#file.flatMap((each) => (each === token ? [...kept, ...own] : [each]));
    const input = { file_path: this.#path, old_string: textOf(token), new_string: this.#joined([...kept, ...own]) };
    const allowed = await this.#ask('Edit', input, next, own, (mind) => splice(mind, token, [...kept, ...own]));
    if (allowed) expect(this.#mind.shown, `edited ${textOf(token)}`).toContain(token);
    else this.#justify('edit', this.#mind.shownSince.has(token) || (this.#undisturbed && this.#mind.shown.has(token)));
  }

  async #insert(place: number): Promise<void> {
    const own = this.#fresh(1);
    const next = this.#file.toSpliced(place, 0, ...own);
    const believed = [...this.#mind.numbered];
    const actual = [...this.#file];
    const input = {
      command: 'insert',
      path: this.#path,
      insert_line: place,
      insert_text: `${textOf(own[0]!)}${this.#form.eol}`,
    };
    const right = [place - 1, place].some(
      (index) => index >= 0 && index < actual.length && believed[index] === actual[index],
    );
    const wrong = [place - 1, place].every(
      (index) => believed[index] !== undefined && believed[index] !== null && believed[index] !== actual[index],
    );
    // A last line without its newline is not a line that another can follow; tools differ in what they do then.
    if (place === actual.length && !this.#form.ended) return;
    const allowed = await this.#ask('str_replace_based_edit_tool', input, next, own, (mind) =>
      mind.toSpliced(place, 0, ...own),
    );
    if (allowed && place > 0)
      expect(wrong, `inserted after line ${place} of ${actual.join()} with ${believed.join()} in mind`).toBe(false);
    if (!allowed) this.#justify('insert', this.#undisturbed && right);
  }

  async #patch(at: number, more: number): Promise<void> {
    const index = at % Math.max(this.#file.length, 1);
    const token = this.#file[index];
    if (token === undefined || !this.#form.ended || this.#form.eol !== '\n') return;
    const own = this.#fresh(more % 3);
    const above = index > 0 && more % 2 === 0 ? ` ${textOf(this.#file[index - 1]!)}\n` : '';
    const body = `${above}-${textOf(token)}\n${own.map((each) => `+${textOf(each)}\n`).join('')}`;
    const input = { input: `*** Begin Patch\n*** Update File: ${this.#path}\n@@\n${body}*** End Patch` };
    const next = this.#file.toSpliced(index, 1, ...own);
    const seen = this.#mind.shown.has(token);
    const since = this.#mind.shownSince.has(token);
    const allowed = await this.#ask('apply_patch', input, next, own, (mind) => splice(mind, token, own));
    if (allowed) expect(seen, `patched away ${textOf(token)}`).toBe(true);
    else this.#justify('patch', since || (this.#undisturbed && seen));
  }

  /** The whole file from what the agent has in mind, with something changed in it. */
  async #write(base: readonly Token[], at: number, more: number): Promise<void> {
    const own = this.#fresh(more % 3);
    const next = base.toSpliced(at % (base.length + 1), at % 2, ...own);
    const gone = this.#file.filter((token) => !next.includes(token));
    const harmless = gone.every((token) => this.#mind.shown.has(token));
    const { lost, revived } = judge(this.#mind, this.#file, next, new Set([...own, ...this.#taken]));
    const allowed = await this.#ask(
      'Write',
      { file_path: this.#path, content: this.#text(next) },
      next,
      own,
      () => next,
    );
    if (allowed) expect({ lost, revived }).toEqual({ lost: [], revived: [] });
    // Without its newline the last line is another line as soon as something follows it.
    else if (this.#form.ended) this.#justify('write', this.#undisturbed && harmless);
  }

  async #delete(): Promise<void> {
    const { decision, callId } = await this.#agent.begin('delete_file', { path: this.#path });
    if (decision !== 'deny') {
      await this.#agent.end(callId, { ok: false });
      expect(this.#file.filter((token) => !this.#mind.shown.has(token))).toEqual([]);
    } else this.#justify('delete', false);
  }

  /** Begins the call and, when it may, does it. */
  async #ask(
    tool: string,
    input: object,
    next: readonly Token[],
    own: readonly Token[],
    rewrite: Rewrite,
  ): Promise<boolean> {
    const { decision, callId } = await this.#agent.begin(tool, input);
    const verdict = `${tool} ${decision}`;
    this.counts.set(verdict, (this.counts.get(verdict) ?? 0) + 1);
    if (decision === 'deny') return false;
    this.#file = [...next];
    this.#save(next);
    await this.#agent.end(callId, { ok: true });
    this.#mind.wrote(rewrite, own);
    return true;
  }

  /** A refusal is wrong when the call rested on a true view: `sound`, or everything was shown since the last change. */
  #justify(what: string, sound: boolean): void {
    const wrong = this.#mind.started && (sound || this.#mind.knowsAllOf(this.#file));
    expect(wrong, `${what} was refused, although all that it rests on was shown`).toBe(false);
  }

  get #undisturbed(): boolean {
    return this.#mind.started && !this.#mind.outsideChange;
  }

  get #agent() {
    return this.#on.agent(`S ${this.#path}`);
  }

  #believed(): readonly Token[] {
    return this.#mind.belief.filter((token) => token !== null);
  }

  #fresh(count: number): Token[] {
    return Array.from({ length: count }, () => ++this.#tokens);
  }

  #joined(tokens: readonly Token[]): string {
    return tokens.map(textOf).join(this.#form.eol);
  }

  #text(tokens: readonly Token[]): string {
    return tokens.length === 0 ? '' : this.#joined(tokens) + (this.#form.ended ? this.#form.eol : '');
  }

  #save(tokens: readonly Token[]): void {
    this.#on.write(this.#path, this.#text(tokens));
  }
}

function splice(belief: readonly (Token | null)[], token: Token, by: readonly Token[]): readonly (Token | null)[] {
  return belief.flatMap((each): readonly (Token | null)[] => (each === token ? by : [each]));
}

function sameTokens(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

const moves = (text: string): Step[] =>
  text.split(' · ').map((move) => {
    const [verb, at, size, more] = move.split(' ');
    return { verb: verb as Verb, at: Number(at), size: Number(size), more: Number(more) };
  });
/** What earlier runs found. */
const FOUND: [Form, Step[]][] = [
  [{ lines: 20, eol: '\n', ended: false }, moves('read-range 32 0 0 · edit-insert 10 0 0')],
  [
    { lines: 2, eol: '\n', ended: true },
    moves(
      'outside 0 0 2 · read-range 0 1 0 · outside 0 6 5 · write 0 0 0 · other-agent 0 6 0 · read-range 45 0 0 · insert 21 0 0',
    ),
  ],
  [
    { lines: 0, eol: '\n', ended: true },
    moves('read-range 0 0 0 · other-agent 0 0 2 · read-range 0 1 0 · write 7 0 0'),
  ],
  [
    { lines: 10, eol: '\n', ended: true },
    moves('read 0 0 0 · outside 0 1 1 · read-range 34 0 0 · own-command 0 0 1 · insert 2 0 0'),
  ],
  [
    { lines: 0, eol: '\n', ended: false },
    moves('read-range 0 0 0 · write 0 0 0 · write 0 0 4 · outside 0 1 0 · write 0 0 0 · write 0 0 0'),
  ],
  [
    { lines: 2, eol: '\n', ended: false },
    moves('read 0 0 0 · outside 0 1 1 · read-range 0 1 0 · edit 0 0 0 · write 0 0 0'),
  ],
];

test('[FRE3f] nothing is written over that was not shown as it is, and nothing that was is refused', async () => {
  const on = await stage({ open: QUIET });
  let files = 0;
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(form, fc.array(step, { minLength: 4, maxLength: 24 }), async (shape, steps) => {
      files += 1;
      const trial = new Trial(on, `f${files}.txt`, shape);
      for (const each of steps) await trial.take(each);
      for (const [verdict, times] of trial.counts) counts.set(verdict, (counts.get(verdict) ?? 0) + times);
    }),
    { numRuns: RUNS, examples: FOUND },
  );
  // A run in which one of the answers never came would show nothing.
  for (const verdict of ['Write allow', 'Write deny', 'Edit allow', 'Edit deny'])
    expect(counts.get(verdict)).toBeGreaterThan(0);
}, 600_000);
