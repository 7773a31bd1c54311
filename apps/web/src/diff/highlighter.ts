import type { Ask, Told } from './highlight-worker.js';
import type { Colours } from './pieces.js';

/** Larger texts are shown without colours: nobody reads them for their syntax. */
const MOST_CHARACTERS = 1_000_000;

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, (lines: readonly Colours[]) => void>();

/** The colours of each line of a text, found in another thread. Empty where the language is not known. */
export function highlight(path: string, lines: readonly string[]): Promise<readonly Colours[]> {
  const language = languageOf(path);
  const text = lines.join('\n');
  if (language === '' || text.length > MOST_CHARACTERS) return Promise.resolve([]);
  worker ??= startWorker();
  last += 1;
  const ask: Ask = { id: last, language, text };
  worker.postMessage(ask);
  return new Promise((resolve) => waiting.set(ask.id, resolve));
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data: { id, lines } }: MessageEvent<Told>) => {
    waiting.get(id)?.(lines);
    waiting.delete(id);
  };
  // Without colours everything else works.
  started.onerror = () => {
    for (const resolve of waiting.values()) resolve([]);
    waiting.clear();
  };
  return started;
}

const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  'cmakelists.txt': 'cmake',
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  htm: 'html',
  svg: 'xml',
  yml: 'yaml',
};

function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  return BY_NAME[name] ?? BY_NAME[ending] ?? ending;
}
