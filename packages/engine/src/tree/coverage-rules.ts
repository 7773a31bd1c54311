import { DEFAULT_TREE_LIMITS, type TreeLimits } from './limits.js';
import { DEFAULT_SCRATCH, type ScratchPatterns } from './scratch.js';

/** A folder that a package manager fills: by its name, or by its name and a file that must be in it. */
export type DependencyFolder = { readonly name: string; readonly holding?: string };

/** Everything that decides what of a workspace is covered. Plain data, so that threads can share it. */
export type CoverageRules = {
  /** Absolute and free of symlinks. */
  readonly root: string;
  /**
   * Paths that are covered whatever the ignore rules say: git's index, and what was recorded before, so that a new
   * ignore rule never looks like a deletion.
   */
  readonly tracked: ReadonlySet<string>;
  /** Paths that a tool named. */
  readonly included: ReadonlySet<string>;
  /** Ignored files that an earlier scan took; they keep their place, so that limits do not make files come and go. */
  readonly admitted: ReadonlySet<string>;
  /** Folders inside the workspace that hold our own data or the worktrees of sessions. */
  readonly ownFolders: readonly string[];
  readonly scratch: ScratchPatterns;
  readonly dependencyFolders: readonly DependencyFolder[];
  readonly buildFolders: readonly string[];
  readonly limits: TreeLimits;
};

/** Never entered, unless something in them is tracked or was named. `a/b` means `b` directly in `a`. */
const DEFAULT_DEPENDENCY_FOLDERS: readonly DependencyFolder[] = [
  ...words(`
    node_modules bower_components jspm_packages .pnpm-store .yarn/cache .yarn/unplugged
    __pycache__ .venv .tox .nox .eggs .mypy_cache .pytest_cache .ruff_cache
    .gradle .m2/repository .cargo/registry vendor/bundle Pods .terraform .dart_tool elm-stuff
  `).map((name): DependencyFolder => ({ name })),
  ...words('venv env .env virtualenv').map((name): DependencyFolder => ({ name, holding: 'pyvenv.cfg' })),
];

/** Left out when they are ignored; what a project keeps in an unignored `build` folder is its own work. */
const DEFAULT_BUILD_FOLDERS: readonly string[] = words(`
  dist build target out bin obj coverage htmlcov _build .build storybook-static .nyc_output
  .next .nuxt .output .svelte-kit .turbo .cache .parcel-cache .vite .angular .nx
  cmake-build-debug cmake-build-release DerivedData .stack-work dist-newstyle
`);

export function coverageRules(root: string, chosen: Partial<Omit<CoverageRules, 'root'>> = {}): CoverageRules {
  return {
    tracked: new Set(),
    included: new Set(),
    admitted: new Set(),
    ownFolders: [],
    scratch: DEFAULT_SCRATCH,
    dependencyFolders: DEFAULT_DEPENDENCY_FOLDERS,
    buildFolders: DEFAULT_BUILD_FOLDERS,
    limits: DEFAULT_TREE_LIMITS,
    ...chosen,
    root,
  };
}

/** One string crosses a thread border at the price of a copy; a hundred thousand of them do not. */
export type PackedRules = Omit<CoverageRules, 'tracked' | 'included' | 'admitted'> & {
  readonly tracked: string;
  readonly included: string;
  readonly admitted: string;
};

export function packRules(rules: CoverageRules): PackedRules {
  return {
    ...rules,
    tracked: joinPaths(rules.tracked),
    included: joinPaths(rules.included),
    admitted: joinPaths(rules.admitted),
  };
}

export function unpackRules(packed: PackedRules): CoverageRules {
  return {
    ...packed,
    tracked: new Set(splitPaths(packed.tracked)),
    included: new Set(splitPaths(packed.included)),
    admitted: new Set(splitPaths(packed.admitted)),
  };
}

/** NUL is the one character that no path holds. */
export function joinPaths(paths: Iterable<string>): string {
  return [...paths].join('\0');
}

export function splitPaths(joined: string): string[] {
  return joined === '' ? [] : joined.split('\0');
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
