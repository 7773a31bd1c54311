/** A value in a JSON text, with where it stands. Comments and commas after the last item are understood and left alone. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly start: number; readonly end: number; readonly value: unknown };
export type JsonMember = { readonly key: string; readonly start: number; readonly value: JsonNode };

/** Deeper than this is nobody's configuration. */
const DEPTH_LIMIT = 100;

/** Null for what is not JSON. */
export function parseJsonc(text: string): JsonNode | null {
  const parser = new Parser(text);
  try {
    return parser.document();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.items.map(plainValue);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]));
  }
}

export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key === key) : undefined;
}

/** Past spaces, line ends and comments. */
export function skipBlank(text: string, from: number): number {
  BLANK.lastIndex = from;
  return from + (BLANK.exec(text)?.[0].length ?? 0);
}

const BLANK = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#blank();
    const node = this.#value(0);
    this.#blank();
    if (this.#at < this.#text.length) throw new SyntaxError('more than one value');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > DEPTH_LIMIT) throw new SyntaxError('too deep');
    const start = this.#at;
    if (this.#take('{'))
      return { kind: 'object', start, members: this.#list('}', () => this.#member(depth)), end: this.#at };
    if (this.#take('['))
      return { kind: 'array', start, items: this.#list(']', () => this.#value(depth + 1)), end: this.#at };
    return { kind: 'scalar', start, value: this.#scalar(), end: this.#at };
  }

  #member(depth: number): JsonMember {
    const start = this.#at;
    const key = this.#scalar();
    if (typeof key !== 'string') throw new SyntaxError('a key must be text');
    this.#blank();
    if (!this.#take(':')) throw new SyntaxError('no colon');
    this.#blank();
    return { key, start, value: this.#value(depth + 1) };
  }

  #list<T>(closer: string, item: () => T): readonly T[] {
    const items: T[] = [];
    for (;;) {
      this.#blank();
      if (this.#take(closer)) return items;
      items.push(item());
      this.#blank();
      if (this.#take(closer)) return items;
      if (!this.#take(',')) throw new SyntaxError('no comma');
    }
  }

  #scalar(): unknown {
    SCALAR.lastIndex = this.#at;
    const found = SCALAR.exec(this.#text)?.[0];
    if (found === undefined) throw new SyntaxError('no value');
    this.#at += found.length;
    return JSON.parse(found);
  }

  #blank(): void {
    this.#at = skipBlank(this.#text, this.#at);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}
