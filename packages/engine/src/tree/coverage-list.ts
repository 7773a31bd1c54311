import { isWithin, trustPath, type WorkspacePath } from '@palimpsest/core';
import type { CoverageReport, Uncovered } from './coverage.js';

/** What a checkpoint does not hold, as it is stored with it. `beyond` counts what did not fit on the list. */
export type CoverageList = { readonly uncovered: readonly Uncovered[]; readonly beyond: number };

export const FULL_COVERAGE: CoverageList = { uncovered: [], beyond: 0 };

/** What a scan left out, the files that are noticed but too large to keep, and those that nobody could read in time. */
export function coverageList(
  report: CoverageReport,
  unkept: Iterable<WorkspacePath>,
  unread: ReadonlySet<WorkspacePath>,
): CoverageList {
  const listed = new Set<string>([...report.uncovered.map(({ path }) => path), ...unread]);
  const large = [...unkept].filter((path) => !listed.has(path)).sort();
  const added = [
    ...[...unread].sort().map((path): Uncovered => ({ path, reason: 'unread' })),
    ...large.map((path): Uncovered => ({ path, reason: 'too-large' })),
  ];
  const scanned = report.uncovered.filter(({ path }) => !unread.has(path as WorkspacePath));
  return { uncovered: [...added, ...scanned], beyond: report.beyond };
}

/** One line per path, readable with plain git; the name is JSON because it may hold anything. */
export function encodeCoverage({ uncovered, beyond }: CoverageList): Uint8Array {
  const lines = uncovered.map(({ path, reason }) => `${reason} ${JSON.stringify(path)}\n`);
  return Buffer.from(`${lines.join('')}${beyond === 0 ? '' : `beyond ${beyond}\n`}`, 'utf8');
}

export function decodeCoverage(bytes: Uint8Array): CoverageList {
  const uncovered: Uncovered[] = [];
  let beyond = 0;
  for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space < 0) continue;
    const [word, rest] = [line.slice(0, space), line.slice(space + 1)];
    if (word === 'beyond') beyond = Number(rest);
    else uncovered.push({ path: JSON.parse(rest) as string, reason: word as Uncovered['reason'] });
  }
  return { uncovered, beyond };
}

/** Whether a path is one that the list says was left out; a path that ends in `/` stands for all below it. */
export function isUncovered(list: CoverageList, path: WorkspacePath): boolean {
  return list.uncovered.some((left) =>
    left.path.endsWith('/') ? isWithin(path, trustPath(left.path.slice(0, -1))) : left.path === path,
  );
}
