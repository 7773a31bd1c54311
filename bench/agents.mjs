// The real agents, as the stories run them. Their fixtures are TypeScript; bundles of them stand near them for a moment.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export async function realAgents() {
  const folder = fileURLToPath(new URL('../test/agents', import.meta.url));
  const names = readdirSync(folder).filter((name) => /^(bench|\w+\.driver)\.fixture\.ts$/.test(name));
  // As deep as they are themselves, because they find the program by where they are.
  const dir = mkdtempSync(join(folder, '../bench-'));
  const input = Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), join(folder, name)]));
  const bundle = await rolldown({ input, platform: 'node' });
  try {
    await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
    const load = (name) => import(pathToFileURL(join(dir, `${name}.mjs`)).href);
    const drivers = await Promise.all(
      Object.keys(input)
        .filter((name) => name.includes('driver'))
        .map(load),
    );
    return { ...(await load('bench.fixture')), drivers: drivers.flatMap(Object.values).filter(({ agent }) => agent) };
  } finally {
    await bundle.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
