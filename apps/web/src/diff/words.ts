/** The parts of two lines that differ, each as ranges of UTF-16 offsets. */
export type WordMarks = { readonly old: readonly Range[]; readonly new: readonly Range[] };
export type Range = readonly [from: number, to: number];

/** Lines beyond this are marked as a whole, by their colour; looking at each word would hold up the browser. */
const MOST_WORDS = 160;
/** Where less than this part of a line stays, marks say nothing that the colour of the line does not. */
const LEAST_COMMON = 0.3;

export function wordMarks(oldLine: string, newLine: string): WordMarks | null {
  const [oldWords, newWords] = [wordsOf(oldLine), wordsOf(newLine)];
  if (oldWords.length > MOST_WORDS || newWords.length > MOST_WORDS) return null;
  const [oldKept, newKept] = commonWords(oldWords, newWords);
  const common = oldWords.reduce((sum, word, index) => sum + (oldKept[index] ? word.trim().length : 0), 0);
  const longest = Math.max(oldLine.trim().length, newLine.trim().length);
  if (longest === 0 || common / longest < LEAST_COMMON) return null;
  return { old: rangesOf(oldWords, oldKept), new: rangesOf(newWords, newKept) };
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Which words of each belong to a longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): readonly [boolean[], boolean[]] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const [inA, inB] = [a.map(() => false), b.map(() => false)];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA[i] = true;
      inB[j] = true;
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

/** Neighbours make one range, and so do two with nothing but blanks between them. */
function rangesOf(words: readonly string[], kept: readonly boolean[]): readonly Range[] {
  const ranges: [number, number][] = [];
  let at = 0;
  let blanksSince = false;
  for (const [index, word] of words.entries()) {
    const end = at + word.length;
    const last = ranges.at(-1);
    if (!kept[index]) {
      if (last !== undefined && (last[1] === at || blanksSince)) last[1] = end;
      else ranges.push([at, end]);
      blanksSince = true;
    } else if (word.trim() !== '') blanksSince = false;
    at = end;
  }
  return ranges;
}
