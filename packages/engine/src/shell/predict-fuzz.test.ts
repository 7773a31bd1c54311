import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ends } from '../../../../test/patience.fixture.js';
import { cases } from '../../../../test/search.fixture.js';
import { predictShell } from './predict.js';
import { provenRead } from './proof.js';

const TOKENS = (
  `rm cp mv sed -i cat echo > >> < <<EOF <<< | || && ; & ( ) { } $( \` " ' \\ $x $\{x $\{x} $(( )) [[ ]] if then else fi for f in do done ` +
  'while case esac ;; function eval bash -c cd .. /dev/null * ? [a] {a,b} ~ # \n EOF a.txt d/ = x=1 >& &> >| <( >( ! time -- -n 1,2p'
)
  .split(' ')
  .concat([' ', ' ', ' ']);

test('[CAP7c] any tokens in any order give an answer', () => {
  const script = fc
    .array(fc.constantFrom(...TOKENS), { maxLength: 40 })
    .chain((words) => fc.constantFrom('', ' ').map((separator) => words.join(separator)));
  fc.assert(
    fc.property(script, (command) => {
      for (const { path } of predictShell(command, '/w').writes) expect(path.startsWith('/')).toBe(true);
    }),
    { numRuns: cases({ brief: 600, long: 3_000 }) },
  );
});

test('[CAP7c] any bytes give an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (command) => {
      expect(typeof predictShell(command, '/w').closed).toBe('boolean');
    }),
    { numRuns: cases({ brief: 200, long: 1_000 }) },
  );
});

test('[FRE1d] any output and any file give an answer', () => {
  const lines = fc.record({ from: fc.integer({ min: 1, max: 9 }), to: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), lines, (output, bytes, range) => {
      expect(typeof provenRead({ path: '/x', lines: range }, output, bytes)).toBe('boolean');
    }),
  );
});

const N = 100_000;
const LARGE: readonly (readonly [name: string, command: string])[] = [
  ['a long here-document', `cat > a <<'EOF'\n${'text $x `y` "z"\n'.repeat(N / 16)}EOF`],
  ['a long expanded here-document', `cat > a <<EOF\n${'text $x "z"\n'.repeat(N / 12)}EOF`],
  ['many commands', 'rm a;'.repeat(N / 5)],
  ['many words', `rm ${'a '.repeat(N / 2)}`],
  ['deep parentheses', '('.repeat(N)],
  ['deep substitutions', '$('.repeat(N / 2)],
  ['deep closed substitutions', `${'$(echo '.repeat(5000)}x${')'.repeat(5000)}`],
  ['deep backquotes', '`'.repeat(N)],
  ['deep double quotes', '"$('.repeat(N / 3)],
  ['deep braces', '{'.repeat(N)],
  ['deep arithmetic brackets', '$['.repeat(N / 2)],
  ['deep process substitutions', '<('.repeat(N / 2)],
  ['deep quoted backquotes', '"`'.repeat(N / 2)],
  ['deep ifs', 'if true; then '.repeat(N / 14)],
  ['deep arithmetic', `echo $((${'('.repeat(N)}`],
  ['deep parameters', `$\{x:-`.repeat(N / 5)],
  ['many pipes', 'cat a |'.repeat(N / 7)],
  ['many ands', 'cd a && '.repeat(N / 8)],
  ['very many ands', 'true && '.repeat(50_000)],
  ['nested loops', `${'for i in {1..60}; do '.repeat(8)}rm $i; ${'done; '.repeat(8)}`],
  ['many brace lists', `touch ${'{a,b}'.repeat(2000)}`],
  ['a function that calls itself twice', 'f() { f; f; }; f'],
  ['evals within evals', `eval ${'eval '.repeat(2000)}rm a`],
  ['a long sed script', `sed -i '${'s/a/b/;'.repeat(N / 7)}' f`],
  ['a sed address without an end', `sed -i '/${'\\/'.repeat(N / 2)}' f`],
  ['a long perl program', `perl -pi -e '${'s/a/b/;'.repeat(N / 7)}$' f`],
  ['random letters', Array.from({ length: N }, (_, i) => 'ab$({<;"\'\n'.charAt((i * 7919) % 10)).join('')],
];

for (const [name, command] of LARGE) {
  test(`[CAP7d] ${name} take a bounded time`, () => {
    expect(ends(() => predictShell(command, '/w'))).toBeDefined();
  });
}

test('[CAP7d] what is too long may write anything', () => {
  expect(predictShell('#'.repeat(600_000), '/w')).toMatchObject({ closed: false });
});
