import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { cases } from '../../../../test/search.fixture.js';
import { predictShell } from './predict.js';
import type { PredictedWrite } from './prediction.js';
import { provenRead } from './proof.js';

const RANDOM_RUNS = cases({ brief: 50, long: 150 });

let root = '';
let count = 0;
beforeAll(() => {
  root = newFolder();
});

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}${index % 7 === 0 ? ' ' : ''}`);

function freshFolder(): string {
  const folder = join(root, String(count++));
  mkdirSync(join(folder, 'd/e'), { recursive: true });
  mkdirSync(join(folder, 'empty'));
  const files = {
    'a.txt': `${LINES.join('\n')}\n`,
    'b.txt': 'b\nx\n',
    'd/c.txt': 'c',
    'd/e/f.txt': 'f\n',
    'a b.txt': 'spaced\n',
    '-dash': 'd\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** An own account of a folder: every file with its mode, and its bytes or where it points. */
function account(folder: string, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(folder, prefix))) {
    const path = join(prefix, name);
    const stat = lstatSync(join(folder, path));
    if (stat.isDirectory()) for (const [inner, state] of account(folder, path)) found.set(inner, state);
    else if (stat.isSymbolicLink()) found.set(path, `-> ${readlinkSync(join(folder, path))}`);
    else found.set(path, `${stat.mode} ${readFileSync(join(folder, path)).toString('base64')}`);
  }
  return found;
}

function changedIn(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}

/** Commands whose writes must be wholly foreseen. */
const CLOSED = [
  'echo hi > new.txt',
  'echo hi >> b.txt; echo ho >> b.txt',
  'echo hi >| b.txt 2> err.txt',
  'echo hi &> both.txt',
  'ls nothing > out.txt 2>&1',
  "cat > new.txt <<'EOF'\n$(rm b.txt)\nEOF",
  'cat > new.txt <<EOF\n$(rm b.txt; echo gone)\nEOF',
  'echo hi | tee one.txt d/two.txt | cat > three.txt',
  'echo more | tee -a b.txt',
  "sed -i 's/b/c/' b.txt",
  "sed -i.orig -e 's/b/c/' -e '/x/d' b.txt d/c.txt",
  "sed -i -n '2,3p' a.txt",
  "sed -i '1i top' b.txt",
  "perl -pi -e 's/b/c/g' b.txt",
  'mv a.txt moved.txt',
  'mv a.txt d',
  'mv d moved',
  'mv a.txt b.txt empty/',
  'mv -t empty a.txt "a b.txt"',
  'cp a.txt copy.txt',
  'cp a.txt d',
  'cp a.txt b.txt d/e',
  'cp -r d copy',
  'cp -r d empty',
  'cp -r d/. empty',
  'cp -a d/ other',
  'rm a.txt "a b.txt"',
  'rm -rf d',
  'rm -- -dash',
  'rm -f nothing || touch sorry.txt',
  'touch new.txt b.txt',
  'truncate -s 1 b.txt',
  'ln -s a.txt link',
  'ln -s ../a.txt d',
  'ln a.txt hard',
  'install -m 755 a.txt bin.sh',
  'install -D a.txt d',
  'dd if=a.txt of=dd.out bs=4 count=1 2>/dev/null',
  'mkdir -p x/y && touch x/y/z',
  'chmod +x a.txt',
  'chmod -R 600 d',
  'sort -r -o b.txt b.txt',
  'uniq b.txt uniq.txt',
  'cd d && touch new.txt && cd e && touch deeper.txt',
  'cd nowhere; touch here.txt',
  'cd d || cd e; touch x.txt',
  '(cd d && rm c.txt); touch after.txt',
  "bash -c 'echo $0 > inner.txt'",
  'sh -c \'cd d && rm c.txt\' ; bash -lc "touch l.txt"',
  "bash <<'EOF'\ntouch from-stdin.txt\nEOF",
  'eval "touch evaled.txt"',
  'env X=1 touch env.txt; nice -n 1 touch nice.txt; timeout 5 touch timeout.txt',
  'for f in one two; do echo $f > $f.out; done',
  'for d in d empty; do (cd $d && touch marker); done',
  'f=b.txt; rm "$f"; touch {p,q}.txt r{1..2}',
  'if [ -f a.txt ]; then rm a.txt; else touch b2.txt; fi',
  'while read -r l; do echo "$l" >> lines.txt; done < b.txt',
  'f() { touch "from-f.txt"; }; f',
  'echo "$(touch sub.txt)" > "quoted name.txt"',
  'cat <(touch proc.txt; echo x) > got.txt',
  'cat a.txt | head -n 3 > head.txt',
  '{ echo a; rm b.txt; } > group.txt',
  'ls | xargs -n 1 echo > x.out',
  "find . -name '*.txt' -exec wc -l {} + > counts.txt",
  "awk '{print $1}' a.txt > first.txt",
  '[ a > redirected ]',
  'true && echo y > yes.txt || echo n > no.txt',
  'git version; which ls; date > when.txt',
  'case x in x) rm a.txt;; *) rm b.txt;; esac',
  'touch late.txt & wait',
];

/** Commands that are not wholly foreseen: they must say so. */
const OPEN = [
  'rm *.txt',
  "find . -name 'c*' -delete",
  'for f in *.txt; do rm "$f"; done',
  'ls | xargs rm -f',
  'awk \'{print > "awk.out"}\' a.txt',
  "sed -n 'w sed.out' a.txt",
  `X=b; Y=$\{X}.txt; rm $\{Y%.txt}.txt`,
  'perl -e \'unlink "b.txt"\'',
  'printf "touch piped.txt" | bash',
  'cd d && rm ../b.txt',
  'cd "$OLDPWD" 2>/dev/null; cd d; cd -; touch somewhere.txt',
];

function runIn(folder: string, command: string): string {
  const done = spawnSync('bash', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' },
    timeout: 20_000,
  });
  return done.stdout.toString('utf8');
}

function foreseen(writes: readonly PredictedWrite[], path: string): boolean {
  return writes.some((write) => write.path === path || (write.extent === 'tree' && path.startsWith(`${write.path}/`)));
}

/** Scripts put together at random from parts that move, set, branch and write. */
const PARTS = [
  'touch n1',
  'echo x > n2',
  'rm -f a.txt',
  'mv b.txt d',
  'cp -r d copy',
  'cd d',
  'cd e',
  'cd nowhere',
  '! cd d',
  'cd d | cat',
  'eval "cd e"',
  'v=n3',
  'v=n4',
  'touch "$v"',
  'touch $v.x',
  'true',
  'false',
  'rm -rf empty',
  "sed -i 's/c/C/' c.txt",
  'g',
  'exit',
  'break',
];
const script = fc.letrec<{ script: string }>((tie) => ({
  script: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...PARTS),
    fc.tuple(tie('script'), fc.constantFrom(' && ', ' || ', '; ', ' | '), tie('script')).map((parts) => parts.join('')),
    tie('script').map((inner) => `( ${inner} )`),
    tie('script').map((inner) => `{ ${inner}; }`),
    tie('script').map((inner) => `for v in p q; do ${inner}; done`),
    tie('script').map((inner) => `g() { ${inner}; }`),
    fc.tuple(tie('script'), tie('script'), tie('script')).map(([a, b, c]) => `if ${a}; then ${b}; else ${c}; fi`),
    tie('script').map((inner) => `bash -c '${inner.replaceAll("'", '"')}'`),
    tie('script').map((inner) => `echo "$( ${inner} )" > n5`),
  ),
})).script;

test('[CAP7b] whatever the parts, a closed prediction holds all that changed', () => {
  let closedRuns = 0;
  fc.assert(
    fc.property(fc.array(script, { minLength: 1, maxLength: 4 }), (lines) => {
      const command = lines.join('\n');
      const folder = freshFolder();
      const { writes, closed } = predictShell(command, folder);
      if (!closed) return;
      const before = account(folder);
      runIn(folder, command);
      closedRuns += 1;
      expect(changedIn(before, account(folder)).filter((path) => !foreseen(writes, join(folder, path)))).toEqual([]);
    }),
    { numRuns: RANDOM_RUNS },
  );
  expect(closedRuns).toBeGreaterThan(RANDOM_RUNS / 10);
});

describe('what really changes on disk', () => {
  for (const command of CLOSED) {
    test(`[CAP7b] foreseen: ${JSON.stringify(command)}`, () => {
      const folder = freshFolder();
      const before = account(folder);
      const { writes, closed } = predictShell(command, folder);
      runIn(folder, command);
      const changed = changedIn(before, account(folder));
      expect(closed).toBe(true);
      expect(changed.filter((path) => !foreseen(writes, join(folder, path)))).toEqual([]);
      // Only a command that prints, or only reads, leaves nothing behind.
      expect(changed.length > 0 || writes.length > 0).toBe(true);
    });
  }
  for (const command of OPEN) {
    test(`[CAP7c] not foreseen: ${JSON.stringify(command)}`, () => {
      const folder = freshFolder();
      expect(predictShell(command, folder).closed).toBe(false);
    });
  }
});

const READS = [
  'cat a.txt',
  'cat a.txt b.txt',
  'cat -n a.txt',
  'cat d/c.txt; echo next',
  'cat b.txt d/c.txt',
  'echo before; cat "a b.txt"',
  "sed -n '10,20p' a.txt",
  "sed -n '1,3p;8p' a.txt",
  'head -n 5 a.txt b.txt',
  'head -7 a.txt',
  'tail -n +30 a.txt',
  'tail -n +10 a.txt | head -n 5',
  "nl -ba a.txt | sed -n '10,20p'",
  'cat < a.txt | sed 12q',
  'cd d && cat c.txt',
  "awk 'NR>=3 && NR<=5' a.txt",
  "bash -lc 'cat a.txt'",
];

describe('a read counts when its lines are in the output', () => {
  for (const command of READS) {
    test(`[FRE1d] ${JSON.stringify(command)}`, () => {
      const folder = freshFolder();
      const { reads } = predictShell(command, folder);
      const output = runIn(folder, command);
      expect(reads.length).toBeGreaterThan(0);
      for (const read of reads) {
        const bytes = readFileSync(read.path);
        expect(provenRead(read, output, bytes)).toBe(true);
        expect(provenRead(read, output.trimEnd(), bytes)).toBe(true);
        if (output.startsWith('line') && reads.length === 1) {
          const cut = output.slice(0, output.lastIndexOf('\n', output.length - 2));
          expect(provenRead(read, cut, bytes)).toBe(false);
        }
      }
    });
  }
});

test('[FRE1d] what the output does not hold was not shown', () => {
  const bytes = Buffer.from('one\ntwo\nthree\n');
  const whole = { path: '/x' };
  expect(provenRead(whole, 'one\ntwo\nthree\n', bytes)).toBe(true);
  expect(provenRead(whole, 'Output: one\ntwo\nthree', bytes)).toBe(true);
  expect(provenRead(whole, 'one\n... [1 line cut] ...\nthree\n', bytes)).toBe(false);
  expect(provenRead(whole, 'one\ntwo\nthree and more\n', bytes)).toBe(false);
  expect(provenRead(whole, 'cat: x: No such file or directory', bytes)).toBe(false);
  expect(provenRead({ ...whole, lines: { from: 2, to: 2 } }, 'xtwo\n', bytes)).toBe(false);
  expect(provenRead({ ...whole, lines: { from: 2, to: 9 } }, 'two\nthree\n', bytes)).toBe(true);
  expect(provenRead({ ...whole, lines: { from: 8, to: 9 } }, 'anything', bytes)).toBe(false);
  expect(provenRead({ ...whole, numbered: true }, '     1\tone\n     2\ttwo\n     3\tthree\n', bytes)).toBe(true);
  expect(provenRead({ ...whole, numbered: true }, '     1\tone\n     3\ttwo\n     4\tthree\n', bytes)).toBe(false);
  expect(provenRead(whole, '', Buffer.from(''))).toBe(true);
  expect(provenRead(whole, 'a\r\nb', Buffer.from('a\r\nb\r\n'))).toBe(true);
  expect(provenRead(whole, 'a', Buffer.from('a\n\n\n'))).toBe(true);
});
