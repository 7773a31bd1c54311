import type { Stage } from './stage.js';
import { MCP_WRITER, tokensIn } from './token.js';
import { textFile } from './tools.js';
import { must } from './violation.js';

/** An agent that knows only our own tools: reads, edits and writes through MCP, guarded like any other. */
export async function playMcp(stage: Stage): Promise<void> {
  if (stage.open.length > 0 || !stage.isFoundByFolder) return;
  const path = textFile(stage);
  if (path === null) return;
  const door = await stage.desk.mcp();
  stage.table.count('What is asked of us', 'over MCP');
  const read = await door.call('pal_read', { path });
  stage.say(`over MCP: pal_read ${path} = ${read.code || 'done'}`);
  must(read.ok, 7, () => `pal_read ${path}: ${JSON.stringify(read.value)}`);
  const content = String(read.value.content);
  must(content === stage.text(path), 3, () => `pal_read gave another text of ${path}`);
  const lines = content.split('\n');
  const old = stage.chance.pick(lines);
  if (tokensIn(old).length === 0 || content.split(old).length !== 2) return;
  const next = stage.tokens.line(MCP_WRITER);
  const whole = stage.chance.in(0.4);
  const text = content.replace(old, () => next);
  const done = whole
    ? await door.call('pal_write', { path, content: text })
    : await door.call('pal_edit', { path, old_string: old, new_string: next });
  stage.say(
    `over MCP: ${whole ? 'pal_write' : 'pal_edit'} ${path} ${JSON.stringify(old)} -> ${JSON.stringify(next)} = ${done.code || 'done'}`,
  );
  must(done.ok, 5, () => `an edit of what was just read is refused: ${JSON.stringify(done.value)}`);
  await stage.settle();
  must(stage.text(path) === text, 3, () => `${path} is not what was to be written`);
}
