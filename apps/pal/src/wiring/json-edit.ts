import { type JsonNode, memberOf, parseJsonc, skipBlank } from './jsonc.js';

/**
 * Changes to a JSON text that leave every other character of it as it is: its order, its indentation, its comments. A
 * text that is not JSON, or has something else where an object or a list is needed, gives null.
 */

/** Adds an item at the end of the list at `path`, making the objects and the list on the way if they are not there. */
export function appendItem(text: string, path: readonly string[], item: unknown): string | null {
  const root = parseJsonc(text);
  return root === null ? null : appendBelow(text, root, path, item);
}

/** Adds a member to the top object. */
export function addMember(text: string, key: string, value: unknown): string | null {
  const root = parseJsonc(text);
  if (root?.kind !== 'object' || memberOf(root, key) !== undefined) return null;
  return insert(text, root, root.members.length === 0 ? undefined : root.members.at(-1)!.value, value, key);
}

/** Takes the items that `isOurs` knows out of the list at `path`, and with the last of them the list and empty objects. */
export function removeItems(text: string, path: readonly string[], isOurs: (item: JsonNode) => boolean): string | null {
  const root = parseJsonc(text);
  if (root === null) return null;
  const list = nodeAt(root, path);
  if (list?.kind !== 'array') return text;
  const at = list.items.findIndex(isOurs);
  if (at < 0) return text;
  const next = list.items.length === 1 ? removeEmptied(text, root, path) : cut(text, list.items, at, list);
  return removeItems(next, path, isOurs);
}

function appendBelow(text: string, node: JsonNode, path: readonly string[], item: unknown): string | null {
  const [key, ...rest] = path;
  if (key === undefined) return node.kind === 'array' ? insert(text, node, node.items.at(-1), item) : null;
  if (node.kind !== 'object') return null;
  const member = memberOf(node, key);
  if (member !== undefined) return appendBelow(text, member.value, rest, item);
  const value = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [item]);
  return insert(text, node, node.members.at(-1)?.value, value, key);
}

function insert(text: string, into: JsonNode, last: JsonNode | undefined, value: unknown, key?: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = indentOf(text);
  const label = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const outer = lineIndent(text, into.start);
  const inline = last !== undefined && !text.slice(into.start, into.end).includes('\n');
  if (inline) {
    const { at, comma } = afterItem(text, last);
    return `${text.slice(0, at)}${comma ? '' : ','} ${label}${JSON.stringify(value)}${text.slice(at)}`;
  }
  const inner = last === undefined ? outer + unit : lineIndent(text, last.start);
  const body = JSON.stringify(value, null, unit).replaceAll('\n', eol + inner);
  if (last === undefined)
    return `${text.slice(0, into.start + 1)}${eol}${inner}${label}${body}${eol}${outer}${text.slice(into.end - 1)}`;
  const { at, comma } = afterItem(text, last);
  return `${text.slice(0, at)}${comma ? '' : ','}${eol}${inner}${label}${body}${comma ? ',' : ''}${text.slice(at)}`;
}

/** The place after an item, and after the comma that may follow even the last one. */
function afterItem(text: string, { end }: JsonNode): { readonly at: number; readonly comma: boolean } {
  const next = skipBlank(text, end);
  return text[next] === ',' ? { at: next + 1, comma: true } : { at: end, comma: false };
}

type Spanned = { readonly start: number; readonly end: number };

function cut(text: string, items: readonly Spanned[], at: number, container: Spanned): string {
  const [before, item, after] = [items[at - 1], items[at]!, items[at + 1]];
  if (before !== undefined) {
    const { at: end, comma } = afterItem(text, { kind: 'scalar', value: null, ...item });
    // The comma before the item goes with it; one that followed it stays for what comes next.
    return text.slice(0, before.end) + (comma && after === undefined ? text.slice(end - 1) : text.slice(item.end));
  }
  if (after !== undefined) return text.slice(0, item.start) + text.slice(after.start);
  return `${text.slice(0, container.start + 1)}${text.slice(container.end - 1)}`;
}

/** Removes the member at `path`, and whatever holds nothing but it. */
function removeEmptied(text: string, root: JsonNode, path: readonly string[]): string {
  for (let depth = path.length; depth > 0; depth--) {
    const holder = nodeAt(root, path.slice(0, depth - 1));
    if (holder?.kind !== 'object') break;
    if (holder.members.length === 1 && depth > 1) continue;
    const spans = holder.members.map(({ start, value }) => ({ start, end: value.end }));
    const at = holder.members.findIndex(({ key }) => key === path[depth - 1]);
    return cut(text, spans, at, holder);
  }
  return text;
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, key) => memberOf(node, key)?.value, root);
}

function lineIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}
