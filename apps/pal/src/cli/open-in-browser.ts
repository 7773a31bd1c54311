import { spawn } from 'node:child_process';
import type { Surroundings } from '../surroundings/surroundings.js';

/** Whether there is a browser to hand an address to, and it was handed over. Nobody waits for it. */
export function openInBrowser(url: string, { environment, platform }: Surroundings): boolean {
  const program = browserOf(environment, platform);
  if (program === null) return false;
  const [name, ...given] = program;
  const child = spawn(name!, [...given, url], { detached: true, stdio: 'ignore' });
  // A browser that is not there leaves the person with the address, which is printed in any case.
  child.on('error', () => undefined);
  child.unref();
  return true;
}

function browserOf(environment: Surroundings['environment'], platform: NodeJS.Platform): readonly string[] | null {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = environment;
  if (BROWSER !== undefined && BROWSER !== '') return [BROWSER];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const isScreen = (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== '' && SSH_CONNECTION === undefined;
  return isScreen ? ['xdg-open'] : null;
}
