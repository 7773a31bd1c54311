/** `opencode run` puts a prompt with spaces in it between quotation marks, with those inside of it escaped. */
export function unquoted(text: string): string {
  const inner = /^"(?<inner>(?:[^"]|(?<=\\)")*)"$/.exec(text)?.groups?.inner;
  return inner?.includes(' ') === true ? inner.replaceAll('\\"', '"') : text;
}
