import { asPath, type Seq } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { memoryContent } from '../content/memory-content.fixture.js';
import { memoryLog } from '../log/memory-log.fixture.js';
import { FollowedFiles, Lineages } from './lineage.js';

const FILES = 40;

test('[REV3n] many files are followed back with one reading of the log, also further than was thought', async () => {
  const log = memoryLog();
  const content = memoryContent();
  const versions = await Promise.all(
    ['one\n', 'two\n', 'three\n', 'four\n'].map(async (text) => {
      const bytes = Buffer.from(text);
      return { content: await content.put(bytes), mode: '100644' as const, size: bytes.length };
    }),
  );
  const paths = Array.from({ length: FILES }, (_, index) => asPath(`file${index}`));
  const span = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 };
  for (let step = 0; step + 1 < versions.length; step++) {
    const [before, after] = [versions[step]!, versions[step + 1]!];
    const files = paths.map((path) => ({ path, before, after, binary: false, reversible: true, spans: [span] }));
    const author = { kind: 'human' } as const;
    log.append({ bodies: [{ kind: 'changed', author, evidence: 'inferred', files }], at: step });
  }
  let asked = 0;
  const counting = {
    ...log,
    last: log.last,
    find: (query: Parameters<typeof log.find>[0]) => {
      asked += 1;
      return log.find(query);
    },
  };
  const lineages = new Lineages(counting, content, new FollowedFiles(), null);
  lineages.prepare(FILES, log.last as Seq);
  for (const path of paths) expect((await lineages.of(path, 1)).steps).toHaveLength(versions.length - 1);
  expect(asked).toBe(0);
});
