/** Programs that build or test whatever their arguments are. */
const ALWAYS =
  /^(?:make|gmake|ninja|cmake|ctest|tsc|vue-tsc|jest|vitest|mocha|ava|pytest|py\.test|tox|nox|rspec|phpunit|gradle|gradlew|mvn|mvnw|bazel|buck2?|sbt|webpack|rollup|esbuild|eslint|biome|mypy|pyright|ruff|flake8|pylint|javac|gcc|g\+\+|clang|clang\+\+|rustc|swiftc|kotlinc|tap|playwright|cypress|karma)$/;
/** Those for which the next word tells; scripts of packages often have a name with a colon, as `test:unit`. */
const BY_ARGUMENT: Readonly<Record<string, RegExp>> = {
  npm: /^(?:t|tst|test|run|run-script|ci)$/,
  pnpm: /./,
  yarn: /./,
  bun: /^(?:test|run|build|x)$/,
  deno: /^(?:test|check|lint|task)$/,
  node: /^--test$/,
  cargo: /^(?:build|b|test|t|check|c|clippy|nextest|bench)$/,
  go: /^(?:build|test|vet|install)$/,
  dotnet: /^(?:build|test|publish)$/,
  swift: /^(?:build|test)$/,
  mix: /^(?:test|compile|credo|dialyzer)$/,
  rake: /./,
  python: /^-m$/,
  python3: /^-m$/,
  xcodebuild: /./,
  zig: /^(?:build|test)$/,
  flutter: /^(?:test|build|analyze)$/,
  rails: /^test$/,
};
const TELLING =
  /(?:^|[\s:_./-])(?:build|test|tests|spec|check|lint|typecheck|type-check|compile|verify|ci|unittest|pytest|tsc|jest|vitest|e2e)(?:$|[\s:_./-])/;

/** Whether a command line builds, checks or tests what is in the workspace: its failure says something about files. */
export function isBuildOrTest(command: string): boolean {
  return command.split(/&&|\|\||[;|\n]/).some(isOne);
}

function isOne(command: string): boolean {
  const words = command
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\w+=/.test(word));
  while (words.length > 1 && WRAPPERS.has(words[0]!)) words.shift();
  const [program = '', first = '', ...rest] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (ALWAYS.test(name)) return true;
  const fits = Object.hasOwn(BY_ARGUMENT, name) ? BY_ARGUMENT[name]! : null;
  if (fits === null) return TELLING.test(name);
  if (!fits.test(first)) return false;
  return /^(?:t|tst|test|build|b|c|check|clippy|vet|--test|nextest|analyze|lint|compile|install|publish|bench|credo|dialyzer)$/.test(
    first,
  )
    ? true
    : TELLING.test([first, ...rest].join(' '));
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'sudo',
  'time',
  'env',
  'nice',
  'npx',
  'bunx',
  'exec',
  'command',
  'timeout',
  'uv',
  'poetry',
  'run',
]);
