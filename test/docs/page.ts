/** What a page asks of whoever plays it, in the order in which it stands there. */
export type Block = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'run'; readonly exit: number }
  /** What the last command printed, on both streams. */
  | { readonly kind: 'prints' }
  | { readonly kind: 'prints-json' }
  | { readonly kind: 'file'; readonly path: string }
  /** An example of something that no command takes: it only has to be JSON. */
  | { readonly kind: 'json' }
  | { readonly kind: 'skipped'; readonly why: string }
);

/**
 * The blocks of a Markdown page. The word after the fence says what a block is, and what follows on that line, which no
 * reader sees, says the rest:
 *
 *     ```sh                      typed by the reader; every command of it must succeed
 *     ```sh exit=5               the last one exits with 5
 *     ```sh skip="needs root"    cannot be run here, and why
 *     ```text                    what was printed
 *     ```json output             the same as JSON, see `expectation.ts`
 *     ```js file=agent.mjs       a file with this text
 *     ```json                    is JSON
 *
 * A comment of the form `<!-- setup` … `-->` is run, and not shown.
 */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = page.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const opened = /^(?<indent> *)(?:```(?<info>.*)|(?<setup><!-- setup)$)/.exec(lines[at]!)?.groups;
    if (opened === undefined) continue;
    const closing = opened.setup === undefined ? '```' : '-->';
    const end = lines.findIndex((line, index) => index > at && line.trim() === closing);
    if (end < 0) throw new Error(`line ${at + 1}: nothing closes this`);
    const text = lines
      .slice(at + 1, end)
      .map((line) => line.slice(opened.indent!.length))
      .join('\n');
    blocks.push(blockOf(opened.info ?? 'sh', { line: at + 1, text }));
    at = end;
  }
  return blocks;
}

function blockOf(info: string, place: { readonly line: number; readonly text: string }): Block {
  const [, language, rest] = /^(\S*)\s*(.*)$/.exec(info)!;
  const skip = /^skip="(.+)"$/.exec(rest!)?.[1];
  if (skip !== undefined) return { ...place, kind: 'skipped', why: skip };
  const file = /^file=(\S+)$/.exec(rest!)?.[1];
  if (file !== undefined) return { ...place, kind: 'file', path: file };
  const exit = /^exit=(\d+)$/.exec(rest!)?.[1];
  switch (`${language} ${exit === undefined ? rest : 'exit'}`.trim()) {
    case 'sh':
    case 'sh exit':
      return { ...place, kind: 'run', exit: Number(exit ?? 0) };
    case 'text':
      return { ...place, kind: 'prints' };
    case 'json output':
      return { ...place, kind: 'prints-json' };
    case 'json':
      return { ...place, kind: 'json' };
    default:
      throw new Error(`line ${place.line}: nobody knows how to try \`${info}\``);
  }
}

/** `pal …` in running text: what a reader may type although no block shows it. */
export function commandsInProse(page: string): readonly string[] {
  const prose = page.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
  return [...prose.matchAll(/`(pal(?:\s[^`]*)?)`/g)].map((match) => match[1]!.replace(/\s+/g, ' '));
}

/** Where a page leads to, within this repository. */
export function linksOf(page: string): readonly string[] {
  return [...page.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((match) => match[1]!);
}
