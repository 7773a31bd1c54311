// An engine in a process of its own, driven by lines of JSON, so that tests can end it at any moment.
import { createInterface } from 'node:readline';
import { openWorkspace } from '../../dist/index.js';

const [root, data] = process.argv.slice(2);
// Looks happen when the test asks for them, so that the same seed gives the same story.
const settings = { lookAfterMs: 3_600_000 };
const opened = await openWorkspace(root, {
  data,
  settings,
  environment: process.env,
  onFault: (error) => reply({ fault: String(error) }),
});
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const workspace = opened.value;
await workspace.stockTaken();
reply({ ready: true });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, verb, args } = JSON.parse(line);
  try {
    reply({ id, value: await workspace[verb](...args) });
  } catch (error) {
    reply({ id, error: String(error?.stack ?? error) });
  }
  if (verb === 'close') process.exit(0);
}

function reply(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
