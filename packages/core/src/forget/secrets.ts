/** What stands in the place of a text that was forgotten. */
const FORGOTTEN_MARK = '[forgotten]';

/** A shorter text would be found everywhere. */
export const SHORTEST_SECRET = 4;

/** Forms are looked up by their first characters: by this many where they have them. */
const LONG_START = 8;

/**
 * Texts that are to be found wherever they are quoted: as they are, and as JSON writes them, once and twice. However many
 * there are, looking through a text costs by its length.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  /** By how they begin: the lengths there are. Of fifty thousand lines that begin alike few differ in length. */
  readonly #lengths = new Map<string, Set<number>>();
  /** Which first characters are worth a closer look. */
  readonly #first = new Set<number>();

  constructor(texts: Iterable<string>) {
    for (const text of texts) for (const form of formsOf(text)) this.#add(form);
  }

  isIn(text: string): boolean {
    for (let at = 0; at < text.length; at++) if (this.#lengthAt(text, at) > 0) return true;
    return false;
  }

  /** The same string when nothing of them is in it. */
  without(text: string): string {
    let [kept, from] = ['', 0];
    for (let at = 0; at < text.length; ) {
      const length = this.#lengthAt(text, at);
      if (length === 0) at += 1;
      else {
        kept += text.slice(from, at) + FORGOTTEN_MARK;
        at += length;
        from = at;
      }
    }
    return from === 0 ? text : kept + text.slice(from);
  }

  #add(form: string): void {
    if (form.length < SHORTEST_SECRET) return;
    const start = form.slice(0, form.length < LONG_START ? SHORTEST_SECRET : LONG_START);
    const lengths = this.#lengths.get(start);
    if (lengths === undefined) this.#lengths.set(start, new Set([form.length]));
    else lengths.add(form.length);
    this.#forms.add(form);
    this.#first.add(form.charCodeAt(0));
  }

  /** The length of the longest of them that stands there; 0 for none. */
  #lengthAt(text: string, at: number): number {
    if (!this.#first.has(text.charCodeAt(at))) return 0;
    let longest = 0;
    for (const start of [LONG_START, SHORTEST_SECRET]) {
      for (const length of this.#lengths.get(text.slice(at, at + start)) ?? [])
        if (length > longest && this.#forms.has(text.slice(at, at + length))) longest = length;
    }
    return longest;
  }
}

/** How a text may be written where it is quoted as text. */
export function formsOf(text: string): readonly string[] {
  const once = inJson(text);
  const lines = text.includes('\n') ? [text.replaceAll(/\r?\n/g, '\r\n'), text.replaceAll('\r\n', '\n')] : [];
  return [...new Set([text, ...lines, once, inJson(once)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
