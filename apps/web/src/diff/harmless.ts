/**
 * Text of a file as it may be shown. What would change how the rest reads, or cannot be seen, becomes a mark that says what
 * it is: control characters, and those that turn the direction of writing or take up no room.
 */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function harmless(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === '\r' ? '␍' : `⟨${character.codePointAt(0)!.toString(16).padStart(2, '0')}⟩`,
  );
}
