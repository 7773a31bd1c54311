import { expect, test } from 'vitest';
import { isBuildOrTest } from './build-command.js';

const BUILDS = [
  ...[
    'npm test',
    'npm t',
    'npm run build',
    'npm run test:unit -- --watch=false',
    'pnpm build',
    'yarn lint',
    'npx vitest run',
  ],
  ...['cargo test --workspace', 'go build ./...', 'make -j8', 'CI=1 npx jest', 'cd app && npm test', './gradlew check'],
  ...[
    'python -m pytest -x',
    'python3 -m unittest',
    'tsc -b',
    'sudo make install',
    './scripts/run-tests.sh',
    'uv run pytest',
  ],
];
const OTHERS = [
  ...['npm install', 'npm run dev', 'git status', 'ls -la', 'cat test.txt', 'cargo run', 'go run .', 'node server.js'],
  ...['echo "npm test"', 'python manage.py migrate', 'rm -rf build', 'cd tests'],
];

test.each(BUILDS)('[CTX2d] %s builds or tests', (command) => expect(isBuildOrTest(command)).toBe(true));
test.each(OTHERS)('[CTX2d] %s does neither', (command) => expect(isBuildOrTest(command)).toBe(false));
