import { describe, expect, test } from 'vitest';
import { predictShell } from './predict.js';

/** Writes as paths (`/**` for a tree), `~` for an open prediction, patterns with a `…` behind, all relative to /w. */
function writesOf(command: string): string {
  const { writes, patterns, closed, errors } = predictShell(command, '/w');
  const short = (path: string) => path.replace(/^\/w\//, '');
  return [
    ...writes.map(({ path, extent }) => short(path) + (extent === 'tree' ? '/**' : '')).sort(),
    ...patterns.map((prefix) => `${short(prefix)}…`).sort(),
    ...(closed ? [] : ['~']),
    ...(errors.length === 0 ? [] : ['!']),
  ].join(' ');
}

const WRITES: readonly (readonly [command: string, writes: string])[] = [
  ['', ''],
  ['ls -la', ''],
  ['echo hi > a', 'a'],
  ['echo hi >> a', 'a'],
  ['echo hi >| a', 'a'],
  ['echo hi &> a', 'a'],
  ['echo hi >& a', 'a'],
  ['echo hi > a 2>&1', 'a'],
  ['ls 2>/dev/null >/dev/stdout', ''],
  ['cat <> a', 'a'],
  ['> a', 'a'],
  ["cat > a <<'EOF'\n$(rm x)\nEOF", 'a'],
  ['cat > a <<EOF\n$(rm x)\nEOF', 'a x'],
  ['echo hi | tee a b', 'a b'],
  ['echo hi | tee -a "a b" >/dev/null', 'a b'],
  ["sed -i 's/a/b/' f", 'f'],
  ["sed -i.bak 's/a/b/' d/f", 'd/f d/f.bak'],
  ["sed -i '' 's/a/b/' f", 'f'],
  ["sed --in-place -e 's|a|b|g' -e '/x/d' f g", 'f g'],
  ["sed -n 's/a/b/w out' f", '~'],
  ["sed 's/a/b/e' f", '~'],
  ["sed '1w out' f", '~'],
  ["sed -n '/a/,/b/p' f", ''],
  ["sed 's/x/$(touch y)/' f", ''],
  ["perl -pi -e 's/a/b/g' f", 'f'],
  ['perl -i -pe \'s/a/system("x")/e\' f', 'f ~'],
  ['mv a b', 'a/** b/** b/a/**'],
  ['mv a b d/', 'a/** b/** d/a/** d/b/**'],
  ['mv -t d a', 'a/** d/a/**'],
  ['cp a b', 'b b/a'],
  ['cp a b d', 'd/a d/b'],
  ['cp -r a b', 'b/** b/a/**'],
  ['cp -r a/. b', 'b/**'],
  ['cp --target-directory=d x/a', 'd/a'],
  ['cp -T a b', 'b'],
  ['rm a b', 'a b'],
  ['rm -rf d', 'd/**'],
  ['rm -- -x', '-x'],
  ['touch a b', 'a b'],
  ['touch -d yesterday a', 'a'],
  ['truncate -s 0 a', 'a'],
  ['ln -s a b', 'b b/a'],
  ['ln -sf ../x/y', 'y'],
  ['install -m 755 a b', 'b b/a'],
  ['install -d d', ''],
  ['dd if=a of=b bs=1', 'b'],
  ['mkdir -p d/e', ''],
  ['chmod +x a', 'a'],
  ['chmod -x a', 'a'],
  ['chmod -R 644 d', 'd/**'],
  ['sort -o b a', 'b'],
  ['sort -k2 a', ''],
  ['uniq a b', 'b'],
  ['patch -p1 < x.patch', '~'],
  ['patch f < x.patch', 'f ~'],
  ["patch -p1 <<'EOF'\n--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-a\n+b\nEOF", 'd/f ~'],
  ['git status && git diff --stat', ''],
  ['git checkout -- a', 'a ~'],
  ['git restore a b', 'a b ~'],
  ['git mv a b', 'a b ~'],
  ['git stash', '~'],
  ['git apply x.patch', '~'],
  ['git commit -m x', '~'],
  ['cd d && rm a', 'd/a'],
  ['cd d; rm a', 'a d/a'],
  ['cd d || exit; rm a', 'a d/a'],
  ['cd d && cd e && rm a; rm b', 'b d/b d/e/a d/e/b'],
  ['(cd d && rm a); rm b', 'b d/a'],
  ['cd /x/y && rm a', '/x/y/a'],
  ['cd .. && rm a', '/a'],
  ['cd $X && rm a', '~'],
  ['cd d && rm ../a', 'a ~'],
  ['cd', ''],
  ['cd && rm a', '~'],
  ["bash -c 'rm a'", 'a'],
  ["bash -lc 'cd d && rm a'", 'd/a'],
  ['sh -c "rm a" x', 'a'],
  ["zsh -lc 'echo x > a'", 'a'],
  ['bash -c "rm $X"', '~'],
  ["bash <<'EOF'\nrm a\nEOF", 'a'],
  ['bash script.sh', '~'],
  ['echo rm a | bash', '~'],
  ['eval "rm a"', 'a'],
  ['eval "rm $X"', '~'],
  ['env A=1 rm a', 'a'],
  ['env PATH=/x rm a', 'a ~'],
  ['sudo -u bob rm a', 'a'],
  ['nohup rm a &', 'a'],
  ['time rm a', 'a'],
  ['timeout 5 rm a', 'a'],
  ['nice -n 5 rm a', 'a'],
  ['ls | xargs rm', '~'],
  ['ls | xargs -n 1 grep x', ''],
  ['find . -name x -delete', '~'],
  ["find . -name '*.ts' -exec grep -l x {} +", ''],
  ["find . -name '*.ts'", ''],
  ['for f in a b; do touch $f.txt; done', 'a.txt b.txt'],
  ['for d in a b; do for f in x y; do touch "$d/$f"; done; done', 'a/x a/y b/x b/y'],
  ['for d in a b; do (cd $d && touch x); done', 'a/x b/x'],
  ['for f in *.ts; do rm $f; done', '… ~'],
  ['f=a; rm $f', 'a'],
  ['f=a; [ -f b ] && f=b; rm $f', '… ~'],
  ['f="a b"; rm "$f"', 'a b'],
  ['f="a b"; rm $f', '… ~'],
  ['if [ -f a ]; then rm a; else touch b; fi', 'a b'],
  ['while read l; do echo $l > a; done < b', 'a'],
  ['case x in a) rm a;; *) rm b;; esac', 'a b'],
  ['f() { rm a; }; f', 'a'],
  ['f() { rm a; }', ''],
  ['f() { f; }; f', '~ !'],
  ['rm src/*.ts', 'src/… ~'],
  ['rm src/a*', 'src/a… ~'],
  ['rm ~/a', '… ~'],
  ['rm $(cat list)', '… ~'],
  ['touch {a,b}.txt x{1..3}', 'a.txt b.txt x1 x2 x3'],
  ['npm test', '~'],
  ['make && rm a', 'a ~'],
  ['python3 -c "open(1)"', '~'],
  ['node x.js > out', 'out ~'],
  ['curl -o a http://x', 'a ~'],
  ['./cat a', '~'],
  ['/bin/rm a', 'a'],
  ["\\rm 'a'", 'a'],
  ['echo `rm a`', 'a'],
  ['echo "$(rm a)" <(rm b)', 'a b'],
  ['[ a > b ]', 'b'],
  ['{ echo a; echo b; } > c', 'c'],
  ["awk '{print $1}' a", ''],
  ['awk \'{print > "b"}\' a', '~'],
  ['trap "rm /tmp/x" EXIT', '/tmp/x'],
  ['source x.sh', '~'],
  [
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Add File: d/b\n+z\n*** End Patch\nEOF",
    'a d/b',
  ],
  ['apply_patch "$P"', '~'],
  ['IFS=, ; rm a', 'a ~'],
  ['GIT_PAGER=cat git log', ''],
  ['print -l **/*(.)', '~'],
  ['cat =(ls)', '~ !'],
  ['set x (rm a)', '~ !'],
  ['for f (a b) rm $f', '~ !'],
  ['echo a >! b', '!… ~'],
  ['f=a.b; rm $f:r', '… ~'],
  ['set -x A 1; if test; rm a; end', 'a ~ !'],
  ['echo "unclosed', '~ !'],
  ['echo a > "', '~ !'],
];

describe('[CAP7] the files that a command will write', () => {
  for (const [command, writes] of WRITES) {
    test(`[CAP7] ${JSON.stringify(command)} writes ${writes === '' ? 'nothing' : writes}`, () =>
      expect(writesOf(command)).toBe(writes));
  }
});

/** Reads as `path[:from-to]`, `#` for numbered lines. */
function readsOf(command: string): string {
  return predictShell(command, '/w')
    .reads.map(({ path, lines, numbered }) => {
      const end = lines?.to === Number.MAX_SAFE_INTEGER ? '$' : lines?.to;
      return `${path.replace(/^\/w\//, '')}${lines === undefined ? '' : `:${lines.from}-${end}`}${numbered === true ? '#' : ''}`;
    })
    .join(' ');
}

const READS: readonly (readonly [command: string, reads: string])[] = [
  ['cat a', 'a'],
  ['cat a b', 'a b'],
  ['cat -n a', 'a#'],
  ['cat -A a', ''],
  ['cat < a', 'a'],
  ['cat a > b', ''],
  ['cat a | tee b', 'a'],
  ['cat a | grep x', ''],
  ['x=$(cat a)', ''],
  ["sed -n '10,20p' a", 'a:10-20'],
  ["sed -n '10,20p;30p' a", 'a:10-20 a:30-30'],
  ["sed -n '10,$p' a", 'a:10-$'],
  ["sed -n '10,20p' a b", ''],
  ["sed -n '/x/p' a", ''],
  ["sed '20q' a", 'a:1-20'],
  ["sed -n '1,5p;5q' a", 'a:1-5'],
  ['head -n 5 a', 'a:1-5'],
  ['head -5 a', 'a:1-5'],
  ['head a', 'a:1-10'],
  ['head -n -5 a', ''],
  ['head -c 5 a', ''],
  ['tail -n +10 a', 'a:10-$'],
  ['tail -n 10 a', ''],
  ['tail -n +10 a | head -n 5', 'a:10-14'],
  ['cat a | sed -n 3,4p', 'a:3-4'],
  ['cat a b | head -n 5', ''],
  ["nl -ba a | sed -n '10,20p'", 'a:10-20#'],
  ['nl a', ''],
  ['bat -r 5:9 a', 'a:5-9'],
  ['bat --style=plain a', 'a'],
  ['less a', 'a'],
  ["awk 'NR>=3 && NR<=5' a", 'a:3-5'],
  ['cd d && cat a', 'd/a'],
  ['cd d; cat a', 'd/a a'],
  ["bash -lc 'cat a'", 'a'],
  ['wc -l a && cat a', 'a'],
  ['for f in a b; do cat $f; done', 'a b'],
  ['{ cat a; } > b', ''],
  ['cat *.ts', ''],
  ['cat a 2>/dev/null || true', 'a'],
  ['cat a | xargs echo', ''],
];

describe('[FRE1] the files that a command prints', () => {
  for (const [command, reads] of READS) {
    test(`[FRE1] ${JSON.stringify(command)} prints ${reads === '' ? 'no file' : reads}`, () =>
      expect(readsOf(command)).toBe(reads));
  }
});

test('[CAP7] the text of a here-document is the effect of its command', () => {
  const { writes } = predictShell("cat > a <<'EOF'\n$x\nEOF", '/w');
  expect(writes).toEqual([
    { path: '/w/a', how: 'redirect', extent: 'file', effect: { kind: 'replace-all-content', text: '$x\n' } },
  ]);
  expect(predictShell('cat > a <<EOF\n$x\nEOF', '/w').writes[0]).not.toHaveProperty('effect');
  expect(predictShell("cat > a <<'EOF'\nx\nEOF\necho y >> a", '/w').writes[0]).not.toHaveProperty('effect');
});
