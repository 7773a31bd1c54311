import type { ReviewEntry } from '@palimpsest/core';

/**
 * Knows what a text must be without diffing or merging: every line ever written is different from all others, so who
 * wrote and who removed it is plain. A line must be there if its writer counts and none of its removers does.
 */
export class Oracle {
  readonly #events: Event[] = [];
  readonly #writer = new Map<string, Event>();
  readonly #removers = new Map<string, Event[]>();
  readonly #seen = new Map<string, (readonly string[])[]>();
  readonly #undo: (() => () => void)[] = [];
  readonly #again: (() => void)[] = [];

  /** Somebody made `path` go from one text to another. `change` is null for a person. */
  edit(path: string, before: string | null, after: string | null, change: string | null): void {
    const old = linesOf(before);
    const next = linesOf(after);
    const kept = new Set(next.filter((line) => old.includes(line)));
    runs(old, next, kept).forEach(({ removed, written }, index) => {
      const hunk = change === null ? null : `${change}.${index + 1}`;
      const event: Event = { path, change, hunk, on: true, open: change !== null, written, removed, exists: null };
      this.#events.push(event);
      for (const line of written) this.#writer.set(line, event);
      for (const line of removed) this.#removers.set(line, [...(this.#removers.get(line) ?? []), event]);
    });
    if ((before === null) !== (after === null)) {
      const exists = after !== null;
      this.#events.push({
        path,
        change,
        hunk: null,
        on: true,
        open: change !== null,
        written: [],
        removed: [],
        exists,
      });
    }
    this.see(path, after);
  }

  see(path: string, text: string | null): void {
    this.#seen.set(path, [...(this.#seen.get(path) ?? []), linesOf(text)]);
  }

  /** Hunks or changes, by id; `state` of those that are open becomes settled. */
  decide(verdict: 'accept' | 'reject', ids: readonly string[]): void {
    const named = new Set(ids);
    const concerned = this.#events.filter(
      (event) => event.open && (named.has(event.change ?? '') || named.has(event.hunk ?? '')),
    );
    const whole = concerned.filter((event) => event.exists === null || named.has(event.change ?? ''));
    this.#do(() => {
      const before = whole.map(({ on, open }) => ({ on, open }));
      for (const event of whole) {
        event.open = false;
        if (verdict === 'reject') event.on = false;
      }
      return () => {
        for (const [index, event] of whole.entries()) Object.assign(event, before[index]);
      };
    });
  }

  /** A decision that the oracle need not know more of than that it can be undone. */
  settle(change: string): void {
    const concerned = this.#events.filter((event) => event.change === change && event.open);
    this.#do(() => {
      for (const event of concerned) event.open = false;
      return () => {
        for (const event of concerned) event.open = true;
      };
    });
  }

  /** A decision that wrote like a person: its events count while it stands. */
  settleByEdit(change: string, path: string, before: string | null, after: string | null): void {
    const first = this.#events.length;
    this.edit(path, before, after, null);
    const made = this.#events.slice(first);
    const concerned = this.#events.filter((event) => event.change === change && event.open);
    this.#do(() => {
      for (const event of made) event.on = true;
      for (const event of concerned) event.open = false;
      return () => {
        for (const event of made) event.on = false;
        for (const event of concerned) event.open = true;
      };
    });
  }

  /** A decision that changed nothing the oracle knows of, such as one that found conflicts only. */
  decideNothing(): void {
    this.#do(() => () => undefined);
  }

  undo(): void {
    const back = this.#undo.pop();
    if (back === undefined) throw new Error('the oracle has nothing to undo');
    this.#again.push(back());
  }

  redo(): void {
    const again = this.#again.pop();
    if (again === undefined) throw new Error('the oracle has nothing to redo');
    again();
  }

  #do(act: () => () => void): void {
    this.#again.length = 0;
    this.#perform(act);
  }

  #perform(act: () => () => void): void {
    const back = act();
    this.#undo.push(() => {
      back();
      return () => this.#perform(act);
    });
  }

  get decisions(): number {
    return this.#undo.length;
  }

  get undone(): number {
    return this.#again.length;
  }

  isThere(path: string): boolean {
    return this.#events.findLast((event) => event.path === path && event.on && event.exists !== null)?.exists ?? true;
  }

  /** What is wrong with a text, or null: a line too many or too few, or out of an order that was seen before. */
  complaint(path: string, initial: readonly string[], text: string | null): string | null {
    if ((text !== null) !== this.isThere(path)) return `${path} is ${text === null ? 'gone' : 'there'}`;
    if (text === null) return null;
    const lines = linesOf(text);
    const all = [...initial, ...this.#events.filter((event) => event.path === path).flatMap(({ written }) => written)];
    const expected = new Set(all.filter((line) => this.#isExpected(line)));
    for (const line of lines) if (!expected.delete(line)) return `${line} should not be there, or not twice`;
    if (expected.size > 0) return `missing: ${[...expected].join(' ')}`;
    const at = new Map(lines.map((line, index) => [line, index]));
    for (const earlier of this.#seen.get(path) ?? []) {
      const places = earlier.flatMap((line) => at.get(line) ?? []);
      const wrong = places.findIndex((place, index) => index > 0 && place < places[index - 1]!);
      if (wrong >= 0) return `${lines[places[wrong]!]} and ${lines[places[wrong - 1]!]} changed places`;
    }
    return null;
  }

  #isExpected(line: string): boolean {
    return (this.#writer.get(line)?.on ?? true) && !(this.#removers.get(line) ?? []).some((event) => event.on);
  }

  /** Open changes that removed a line which one of these wrote: they cannot stand without it. */
  dependents(ids: readonly string[]): readonly string[] {
    const named = new Set(ids);
    const written = new Set(
      this.#events
        .filter((event) => event.on && event.open && (named.has(event.change ?? '') || named.has(event.hunk ?? '')))
        .flatMap((event) => event.written),
    );
    const found = this.#events.filter(
      ({ change, hunk, on, open, removed }) =>
        change !== null && on && open && !named.has(hunk ?? '') && removed.some((line) => written.has(line)),
    );
    return [...new Set(found.map(({ change }) => change!))].filter((change) => !named.has(change));
  }

  /** Whether the engine's hunks are the oracle's, and as open. */
  compare(entries: readonly ReviewEntry[]): string | null {
    for (const entry of entries) {
      for (const hunk of entry.hunks) {
        const event = this.#events.find((candidate) => candidate.hunk === hunk.id);
        if (event === undefined) return `no event ${hunk.id}`;
        const open = hunk.status === 'pending' || hunk.status === 'conflict';
        if (open !== event.open) return `${hunk.id} is ${hunk.status}, expected ${event.open ? 'open' : 'settled'}`;
        const complaint = this.#misplaced(entry, hunk, event);
        if (complaint !== null) return complaint;
      }
    }
    return null;
  }

  #misplaced(entry: ReviewEntry, hunk: ReviewEntry['hunks'][number], event: Event): string | null {
    const now = this.#seen.get(entry.path)?.at(-1) ?? [];
    const expected = event.written.filter((line) => this.#isExpected(line) && now.includes(line));
    const said = hunk.now.flatMap(({ from, to }) => now.slice(from - 1, to));
    return said.join() === expected.join() ? null : `${hunk.id} is at ${said.join()}, expected ${expected.join()}`;
  }
}

type Event = {
  readonly path: string;
  readonly change: string | null;
  readonly hunk: string | null;
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Set for the coming and going of the file itself. */
  readonly exists: boolean | null;
  on: boolean;
  open: boolean;
};

export function linesOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.trimEnd().split('\n');
}

/** The stretches between lines that both texts have. */
function runs(old: readonly string[], next: readonly string[], kept: ReadonlySet<string>) {
  const cut = (lines: readonly string[]) => {
    const parts: string[][] = [[]];
    for (const line of lines) {
      if (kept.has(line)) parts.push([]);
      else parts.at(-1)!.push(line);
    }
    return parts;
  };
  const [removed, written] = [cut(old), cut(next)];
  return removed
    .map((lines, index) => ({ removed: lines, written: written[index]! }))
    .filter((run) => run.removed.length + run.written.length > 0);
}
