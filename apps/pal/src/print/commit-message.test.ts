import type { LineAuthorJson } from '@palimpsest/protocol';
import { expect, test } from 'vitest';
import { commitMessage } from './commit-message.js';

const FORGED = '\n\nSigned-off-by: Evil <e@x>';

/** One new file, staged, with one line by this author. */
function messageOf(path: string, author: LineAuthorJson) {
  const stretches = [{ from: 1, to: 1, change: 'c1.1', at: null, author }];
  const file = { path, kind: 'create', binary: false, added: 1, removed: 0, stretches, whole: null } as const;
  return commitMessage([{ of: 'staged', commit: null, base: null, committedBy: null, files: [file] }]);
}

test.each([undefined, 'Do it.'])('[ATT5] [SEC4g] no name makes a line of its own, or a trailer: asked %j', (prompt) => {
  const author = { kind: 'agent', session: 's', agent: `agent${FORGED}`, tool: `tool${FORGED}`, prompt } as const;
  const { message, files } = messageOf(`file${FORGED}`, author);
  expect(message).not.toMatch(/^Signed-off-by/m);
  expect(message).toContain('\n- file␊␊Signed-off-by: Evil <e@x>: new, +1, agent␊␊Signed-off-by');
  // Programs get the name as it is.
  expect(files[0]!.path).toBe(`file${FORGED}`);
});
