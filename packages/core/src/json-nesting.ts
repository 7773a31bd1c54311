/** More than any tool's input has, and far below where reading or writing it would run out of stack. */
export const NESTING_LIMIT = 500;

/** Whether JSON text nests objects and lists deeper than anybody may, found without parsing it. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth > NESTING_LIMIT) return true;
        break;
      case ']':
      case '}':
        depth -= 1;
    }
  }
  return false;
}

/** The closing quote of the string that begins at `start`; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
