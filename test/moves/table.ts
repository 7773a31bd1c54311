import { type Column, MOVES } from './moves.js';

/** Which move came how often. */
export class Table {
  readonly #counts = new Map<string, number>();

  count(column: Column, move: string): void {
    const key = `${column}\0${move}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  add(other: Table): void {
    for (const [key, count] of other.#counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  of(column: Column, move: string): number {
    return this.#counts.get(`${column}\0${move}`) ?? 0;
  }

  /** Every move of the list, those that never came too, and why some cannot. */
  lines(): readonly string[] {
    const lines: string[] = [];
    for (const [column, moves] of Object.entries(MOVES) as [Column, (typeof MOVES)[Column]][]) {
      lines.push('', `## ${column}`);
      for (const [move, why] of Object.entries(moves)) {
        const count = this.of(column, move);
        lines.push(`${String(count).padStart(8)}  ${move}${why === '' || count > 0 ? '' : `  (${why})`}`);
      }
    }
    for (const key of [...this.#counts.keys()].sort()) {
      const [column, move] = key.split('\0') as [Column, string];
      if (!Object.hasOwn(MOVES[column], move))
        lines.push(`${this.#counts.get(key)}  ${column}: ${move} (not in the list)`);
    }
    return lines;
  }
}
