import { VERSION } from '@palimpsest/protocol/light';
import type { CommandFile, Said } from '../cli/command.js';
import type { DaemonEnd } from '../daemon/process.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import type { DaemonInfo } from '../link/discovery.js';

export const command: CommandFile = {
  summary: 'run the daemon in front of you, until Ctrl-C',
  section: 'Daemon',
  details: 'Commands start it by themselves, in the background; this is for looking at it, and for service managers.',
  examples: [
    { line: 'pal serve', does: 'run it here' },
    { line: 'pal serve --json', does: 'say where it listens in one line of JSON' },
  ],
  define: (self, act) => self.action(act(async (face) => ({ each: served(face) }))),
};

/** Says where it is once it can be reached, and ends when the daemon does. */
async function* served({ data }: Face): AsyncGenerator<Omit<Said, 'exit'>> {
  const { runDaemon } = await import('../daemon/process.js');
  let ready: (info: DaemonInfo) => void = () => undefined;
  const reachable = new Promise<DaemonInfo>((resolve) => {
    ready = resolve;
  });
  const ended: Promise<DaemonEnd> = runDaemon({
    dataDir: data,
    version: VERSION,
    idle: { daemonMs: Number.POSITIVE_INFINITY },
    onReady: ({ info }) => ready(info),
  });
  const first = await Promise.race([reachable, ended]);
  if (first === 'another-runs') {
    throw new Failure(
      'already-running',
      'another daemon serves this data directory',
      '`pal stop` stops it; `pal status` uses it',
    );
  }
  if (typeof first === 'object') {
    const { pid, port, version } = first;
    const json = { daemon: { pid, port, version } };
    yield {
      json,
      text: ({ paint }) =>
        `serving on ${paint.name(`http://127.0.0.1:${port}`)} (process ${pid}, version ${version}); Ctrl-C stops`,
    };
  }
  await ended;
}
