import jsonc, { type JSONPath, type Node } from 'jsonc-parser';

/*
 * Changes to a JSON text that leave every other character of it as it is: its order, its indentation, its comments. A text
 * that is not JSON, or has something else where an object or a list is needed, gives null. The parser is a library; its
 * own edits are not used, because taking out the last item would take the spaces and comments after it along.
 */

/** The value of a JSON text with comments and commas after the last item; undefined for what is not that. */
export function jsonValue(text: string): unknown {
  const errors: jsonc.ParseError[] = [];
  const value: unknown = jsonc.parse(withoutMark(text), errors, OPTIONS);
  return errors.length > 0 ? undefined : value;
}

/** Adds an item at the end of the list at `path`, making the objects and the list on the way if they are not there. */
export function appendItem(text: string, path: readonly string[], item: unknown): string | null {
  const root = parse(text);
  return root === null ? null : appendBelow(text, root, path, item);
}

/** Adds a member to the top object. */
export function addMember(text: string, key: string, value: unknown): string | null {
  const root = parse(text);
  if (root?.type !== 'object' || memberOf(root, key) !== undefined) return null;
  return insert(text, root, value, key);
}

/** Takes the items that `isOurs` knows out of the list at `path`, and with the last of them the list and empty objects. */
export function removeItems(text: string, path: readonly string[], isOurs: (item: unknown) => boolean): string | null {
  const root = parse(text);
  if (root === null) return null;
  const list = jsonc.findNodeAtLocation(root, path as JSONPath);
  if (list?.type !== 'array') return text;
  const items = childrenOf(list);
  const at = items.findIndex((item) => isOurs(jsonc.getNodeValue(item)));
  if (at < 0) return text;
  const next = items.length === 1 ? removeEmptied(text, root, path) : cut(text, list, at);
  return removeItems(next, path, isOurs);
}

const OPTIONS = { allowTrailingComma: true } as const;

/** Null for what is not JSON. */
function parse(text: string): Node | null {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(withoutMark(text), errors, OPTIONS);
  return root === undefined || errors.length > 0 ? null : root;
}

/** A space in the place of a byte order mark is as long, so that every offset stays. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ');
}

function appendBelow(text: string, node: Node, path: readonly string[], item: unknown): string | null {
  const [key, ...rest] = path;
  if (key === undefined) return node.type === 'array' ? insert(text, node, item) : null;
  if (node.type !== 'object') return null;
  const value = memberOf(node, key);
  if (value !== undefined) return appendBelow(text, value, rest, item);
  return insert(
    text,
    node,
    rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [item]),
    key,
  );
}

function insert(text: string, into: Node, value: unknown, key?: string): string {
  const last = childrenOf(into).at(-1);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = indentOf(text);
  const label = key === undefined ? '' : `${JSON.stringify(key)}: `;
  if (last === undefined) {
    const outer = lineIndent(text, into.offset);
    const body = JSON.stringify(value, null, unit).replaceAll('\n', eol + outer + unit);
    return `${text.slice(0, into.offset + 1)}${eol}${outer}${unit}${label}${body}${eol}${outer}${text.slice(endOf(into) - 1)}`;
  }
  const { at, comma } = afterItem(text, last);
  if (!text.slice(into.offset, endOf(into)).includes('\n'))
    return `${text.slice(0, at)}${comma ? '' : ','} ${label}${JSON.stringify(value)}${text.slice(at)}`;
  const inner = lineIndent(text, last.offset);
  const body = JSON.stringify(value, null, unit).replaceAll('\n', eol + inner);
  return `${text.slice(0, at)}${comma ? '' : ','}${eol}${inner}${label}${body}${comma ? ',' : ''}${text.slice(at)}`;
}

/** The place after an item, and after the comma that may follow even the last one. */
function afterItem(text: string, item: Node): { readonly at: number; readonly comma: boolean } {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(endOf(item));
  return scanner.scan() === COMMA_TOKEN
    ? { at: scanner.getTokenOffset() + 1, comma: true }
    : { at: endOf(item), comma: false };
}

/** The library's name for it is a `const enum`, which cannot be used across packages. */
const COMMA_TOKEN = 5;

/** Takes out one item of a list, or one member of an object. */
function cut(text: string, container: Node, at: number): string {
  const items = childrenOf(container);
  const [before, item, after] = [items[at - 1], items[at]!, items[at + 1]];
  if (before !== undefined) {
    const { at: end, comma } = afterItem(text, item);
    // The comma before the item goes with it; one that followed it stays for what comes next.
    return text.slice(0, endOf(before)) + text.slice(comma && after === undefined ? end - 1 : endOf(item));
  }
  if (after !== undefined) return text.slice(0, item.offset) + text.slice(after.offset);
  return `${text.slice(0, container.offset + 1)}${text.slice(endOf(container) - 1)}`;
}

/** Removes the member at `path`, and whatever holds nothing but it. */
function removeEmptied(text: string, root: Node, path: readonly string[]): string {
  for (let depth = path.length; depth > 0; depth--) {
    const holder = jsonc.findNodeAtLocation(root, path.slice(0, depth - 1));
    if (holder?.type !== 'object') break;
    const members = childrenOf(holder);
    if (members.length === 1 && depth > 1) continue;
    const at = members.findIndex(({ children }) => children?.[0]?.value === path[depth - 1]);
    return cut(text, holder, at);
  }
  return text;
}

function memberOf(node: Node, key: string): Node | undefined {
  return jsonc.findNodeAtLocation(node, [key]);
}

function childrenOf({ children = [] }: Node): readonly Node[] {
  return children;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function lineIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}
