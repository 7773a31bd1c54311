import type { Environment } from '../surroundings/surroundings.js';
import type { Approval } from './agent.js';

const PATIENCE_MS = 6_000;
/** More than it ever says; beyond this it is something else. */
const OUTPUT_CHARS_LIMIT = 4 * 1024 * 1024;
const LIST_ID = 2;

/** Asks Codex itself: only it knows which hooks the user has approved. Nothing is changed by asking; null when it cannot be asked. */
export async function readCodexTrust(
  program: string,
  workspace: string,
  environment: Environment,
): Promise<Approval | null> {
  // Hooks, which start often, have this file in their bundle and never need it.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, ['app-server'], {
      cwd: workspace,
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const finish = (trust: Approval | null) => {
      clearTimeout(timer);
      child.kill();
      resolve(trust);
    };
    const timer = setTimeout(() => finish(null), PATIENCE_MS);
    let text = '';
    child.on('error', () => finish(null));
    child.on('close', () => finish(null));
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const trust = text.length > OUTPUT_CHARS_LIMIT ? null : trustIn(text);
      if (trust !== undefined) finish(trust);
    });
    const clientInfo = { name: 'palimpsest', title: 'Palimpsest', version: '1' };
    const messages = [
      { id: 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: LIST_ID, method: 'hooks/list', params: { cwds: [workspace] } },
    ];
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  });
}

type Listed = {
  readonly id?: number;
  readonly result?: { readonly data?: readonly { readonly hooks?: readonly ListedHook[] }[] };
};
type ListedHook = { readonly command?: string | null; readonly trustStatus?: string };

/** Undefined as long as the answer has not come. */
export function trustIn(text: string): Approval | null | undefined {
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines) {
    const message = parsed(line);
    if (message?.id !== LIST_ID) continue;
    if (message.result?.data === undefined) return null;
    const ours = message.result.data
      .flatMap(({ hooks = [] }) => hooks)
      .filter(({ command }) => OUR_COMMAND.test(command ?? ''));
    return { ours: ours.length, approved: ours.filter(({ trustStatus }) => APPROVED.has(trustStatus ?? '')).length };
  }
  return undefined;
}

const OUR_COMMAND = /\bpal(?:\.js)?['"]? hook codex \w+/;
const APPROVED: ReadonlySet<string> = new Set(['trusted', 'managed']);

function parsed(line: string): Listed | null {
  try {
    return JSON.parse(line) as Listed;
  } catch {
    return null; // A line of its log.
  }
}
