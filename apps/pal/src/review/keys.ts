export const ESCAPE = '\u001b';

/** What a terminal sends for the keys that type nothing. */
const SEQUENCES: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'pageup',
  '\u001b[6~': 'pagedown',
  '\u001b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-d',
};

/** A sequence, or one character. */
const KEY = new RegExp(`${ESCAPE}(?:\\[[0-9;]*[A-Za-z~]|O[A-Z])|[^]`, 'gu');

/** The keys in what a terminal sent at once: several when somebody types fast or pastes. Unknown sequences are no key. */
export function keysIn(sent: string): readonly string[] {
  const parts = sent.match(KEY) ?? [];
  return parts.flatMap((part) => {
    const name = SEQUENCES[part];
    if (name !== undefined) return [name];
    return part < ' ' || part.startsWith('\u001b') ? [] : [part];
  });
}
