/**
 * What a page says is printed, compared with what was. `…` stands for anything: as a line for any number of lines, within
 * one for any characters. Times, sizes and numbers of processes may be others than on the page, and so may ids: the id of
 * the page then stands for the one that was printed, from there on to the end of the page.
 */
export class Expectation {
  readonly #real = new Map<string, string>();

  /** A command of the page, with the ids that there are in the place of those that it shows. */
  withRealIds(command: string): string {
    return command.replace(ID, (id) => this.#real.get(id) ?? id);
  }

  /** Null if it fits, and else what was expected. */
  misses(expected: string, printed: string): string | null {
    const { pattern, ids } = this.#patternOf(tidied(expected));
    const match = new RegExp(`^${pattern}$`).exec(tidied(printed));
    if (match === null) return this.withRealIds(expected);
    for (const [name, id] of ids) this.#real.set(id, match.groups![name]!);
    return null;
  }

  /** Objects may have more fields than the page shows; `"…"` stands for any value, and at the end of a list for any rest. */
  missesJson(expected: unknown, printed: unknown, where = ''): string | null {
    if (expected === ANYTHING) return null;
    if (typeof expected === 'string' && typeof printed === 'string') {
      return this.misses(expected, printed) === null ? null : `${where}: ${JSON.stringify(printed)}`;
    }
    if (Array.isArray(expected) && Array.isArray(printed)) {
      const isOpen = expected.at(-1) === ANYTHING;
      const wanted = isOpen ? expected.slice(0, -1) : expected;
      if (printed.length < wanted.length || (!isOpen && printed.length > wanted.length))
        return `${where}: ${printed.length}`;
      return first(wanted.map((each, index) => this.missesJson(each, printed[index], `${where}[${index}]`)));
    }
    if (isObject(expected) && isObject(printed)) {
      const fields = Object.entries(expected);
      return first(fields.map(([name, value]) => this.missesJson(value, printed[name], `${where}.${name}`)));
    }
    return expected === printed ? null : `${where}: ${JSON.stringify(printed)}`;
  }

  #patternOf(expected: string): { readonly pattern: string; readonly ids: ReadonlyMap<string, string> } {
    const ids = new Map<string, string>();
    const pattern = expected.replace(TOKEN, (token, ...rest) => {
      const kind = Object.entries(rest.at(-1) as Record<string, string | undefined>).find(
        ([, text]) => text !== undefined,
      );
      if (kind === undefined) return token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      if (kind[0] !== 'id') return ANY_OF[kind[0] as keyof typeof ANY_OF];
      const known = this.#real.get(token);
      if (known !== undefined) return known;
      const earlier = [...ids].find(([, id]) => id === token)?.[0];
      if (earlier !== undefined) return `\\k<${earlier}>`;
      const name = `id${ids.size}`;
      ids.set(name, token);
      return `(?<${name}>${ID_FORMS.find((form) => new RegExp(`^${form}$`).test(token))!})`;
    });
    return { pattern, ids };
  }
}

const ANYTHING = '…';
/** Operations (`c7` of `c7.1`), checkpoints, sessions of `pal run`, and whatever is named by a hash. */
const ID_FORMS = ['c\\d+', 'k\\d+', 'run-[0-9a-f]{12}', '[0-9a-f]{16,64}'];
const ID = new RegExp(`\\b(?:${ID_FORMS.join('|')})\\b`, 'g');
const ANY_OF = {
  lines: '(?:[^\\n]*\\n)*?(?:[^\\n]*)',
  anything: '[^\\n]*?',
  space: ' *',
  ago: '(?:just now|\\d+ \\w+ ago)',
  time: '[\\d:.TZ-]+',
  amount: '[\\d.]+ (?:B|KiB|MiB|GiB)',
  number: '(?:process|operation|seq) \\d+',
} as const;
const TOKEN = new RegExp(
  [
    '(?<lines>(?<=^|\\n)…(?=\\n|$))',
    '(?<anything>…)',
    '(?<space> +)',
    '(?<ago>just now|\\d+ (?:s|min|h) ago)',
    '(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|\\b\\d\\d:\\d\\d:\\d\\d\\b)',
    '(?<amount>\\b[\\d.]+ (?:B|KiB|MiB|GiB)\\b)',
    '(?<number>\\b(?:process|operation|seq) \\d+)',
    `(?<id>\\b(?:${ID_FORMS.join('|')})\\b)`,
    '[^\\w\\s]|\\w+|\\s',
  ].join('|'),
  'g',
);

function tidied(text: string): string {
  return text.replace(/[ \t]+$/gm, '').trim();
}

function first(misses: readonly (string | null)[]): string | null {
  return misses.find((miss) => miss !== null) ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
