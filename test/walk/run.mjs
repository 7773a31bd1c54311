// Loads the TypeScript beside it through Vite, which the tests use too.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./walk.ts', import.meta.url)));
process.exitCode = await module.main(process.argv.slice(2));
