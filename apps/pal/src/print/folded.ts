/** A text that goes on below itself where the terminal ends; where there is none it stays in one line. */
export function fitting(text: string, indent: number, width: number | null): string {
  if (width === null) return text;
  return folded(text, width - indent).join(`\n${' '.repeat(indent)}`);
}

/** A text in lines of at most so many characters, broken between words; a longer word stays whole. */
export function folded(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    for (const word of line.trim().split(/\s+/)) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
