/** The lines of a content, for showing: without their ends, and with what cannot be read as text marked. */
export type FileText = {
  readonly lines: readonly string[];
  /** Whether the last line ends as lines do. */
  readonly endsOpen: boolean;
};

export const NO_TEXT: FileText = { lines: [], endsOpen: false };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function fileText(bytes: Uint8Array): FileText {
  if (bytes.length === 0) return NO_TEXT;
  const lines = decoder.decode(bytes).split('\n');
  const endsOpen = lines.at(-1) !== '';
  if (!endsOpen) lines.pop();
  return { lines, endsOpen };
}
