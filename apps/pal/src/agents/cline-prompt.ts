/** What the person wrote, without the mark that says in which mode. */
export function writtenBy(text: string): string {
  return /^\s*<user_input(?:\s[^>]*)?>(?<written>[\s\S]*)<\/user_input>\s*$/.exec(text)?.groups?.written ?? text;
}
