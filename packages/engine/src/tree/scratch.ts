/**
 * Scratch files come and go while tools work and are no content of the workspace. `*` stands for any characters of one
 * name and `?` for one.
 */
export type ScratchPatterns = {
  /** Matched against every segment of a path, so that a scratch folder takes all below it along. */
  readonly segments: readonly string[];
  /** Matched against the last segment only. */
  readonly names: readonly string[];
};

export const DEFAULT_SCRATCH: ScratchPatterns = {
  segments: ['.tmp*'],
  names: [
    '*.rej',
    '*.orig',
    '.grep_*.txt',
    '.file_index.txt',
    '.pytest_*.txt',
    '.diff_*.txt',
    '.compile_*.txt',
    // Vim, Kate, Emacs (lock, autosave), LibreOffice, JetBrains: what they write beside a file while it is open.
    '.*.swp',
    '.*.swo',
    '.*.swn',
    '.*.swx',
    '.*.swpx',
    '.*.kate-swp',
    '.#*',
    '#*#',
    '.~lock.*#',
    '*___jb_tmp___',
    '*___jb_old___',
    // Claude Code writes `NAME.tmp.PID.RANDOM` and gives it the name of the file when it is whole.
    '*.tmp.*.????????????',
  ],
};

/** Our own temporary files match the default list, and are left out whatever list is configured. */
export const OWN_TEMPORARY_PREFIX = '.tmp-pal-';

export type ScratchMatcher = {
  /** For a whole path. */
  matches(path: string): boolean;
  /** For one more segment below a folder that is not scratch itself. */
  matchesName(name: string): boolean;
  matchesFolderName(name: string): boolean;
};

export function scratchMatcher(patterns: ScratchPatterns): ScratchMatcher {
  const segments = [...patterns.segments, `${OWN_TEMPORARY_PREFIX}*`];
  const folder = anyOf(segments);
  const file = anyOf([...segments, ...patterns.names]);
  return {
    matchesName: (name) => file.test(name),
    matchesFolderName: (name) => folder.test(name),
    matches(path) {
      const names = path.split('/');
      const last = names.pop() ?? '';
      return file.test(last) || names.some((name) => folder.test(name));
    },
  };
}

function anyOf(globs: readonly string[]): RegExp {
  const sources = globs.map((glob) =>
    glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.'),
  );
  return new RegExp(`^(?:${sources.join('|')})$`, 's');
}
