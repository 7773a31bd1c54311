import { spawn } from 'node:child_process';
import { harmless } from './harmless.js';
import { output } from './output.js';

export const WAYS = ['bell', 'desktop'] as const;

export type Notifier = (text: string) => void;

/**
 * How a person hears of something: from the process in front of them, since the daemon knows neither their terminal nor
 * their desktop.
 */
export function notifierFor(
  way: (typeof WAYS)[number] | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Notifier {
  switch (way) {
    case undefined:
      return () => undefined;
    case 'bell':
      return () => void output.err('\u0007');
    case 'desktop':
      return (text) => show(harmless(text), environment);
  }
}

/** Where there is no such program there is no notification, and that is no reason to stop watching. */
function show(text: string, environment: Readonly<Record<string, string | undefined>>): void {
  const [program, args] =
    process.platform === 'darwin'
      ? ['osascript', ['-e', `display notification ${JSON.stringify(text)} with title "Palimpsest"`]]
      : ['notify-send', ['Palimpsest', text]];
  const child = spawn(program as string, args as string[], { stdio: 'ignore', env: environment });
  child.on('error', () => undefined);
  child.unref();
}
