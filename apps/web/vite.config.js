import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const modules = new Set();

/** Whose code the page has in it, for the list of licences. */
const listed = () => ({
  name: 'listed',
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) modules.add(id.split('?')[0]);
    writeFileSync(`${here}modules.json`, JSON.stringify([...modules]));
  },
});

export default defineConfig({
  root: here,
  base: './',
  plugins: [listed()],
  worker: { format: 'es', plugins: () => [listed()] },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
});
