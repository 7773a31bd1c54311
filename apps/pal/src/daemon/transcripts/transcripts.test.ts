import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, readMessage } from '@palimpsest/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { missingIn } from '../../../../../packages/engine/src/stories/nothing-missing.fixture.js';
import { until } from '../../../../../test/patience.fixture.js';
import { AGENTS, type AgentName } from '../../agents/agents.js';
import { must, Stage } from '../app.fixture.js';
import { LINE_BYTES_LIMIT } from './read-lines.js';
import { Transcripts } from './transcripts.js';

let stage: Stage;
let root: string;
let file: string;
beforeEach(() => {
  stage = new Stage();
  root = stage.makeRoot();
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  file = join(stage.folder, 'transcript');
});
afterEach(() => stage.close());

function sample(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../agents/samples/${name}`, import.meta.url)), 'utf8');
}

async function workspace() {
  return must(await stage.workspaces.open(must(stage.workspaces.find(root, 'enclosing')))).workspace;
}

/** One event of an agent, after which everything has been read. */
async function heard(event: string, agent: AgentName = 'claude', transcripts = stage.transcripts): Promise<void> {
  const { id } = await workspace();
  const told = { agent: AGENTS[agent], session: 's', workspace: id, transcript: file };
  must(await (await workspace()).startSession({ id: 's', agent }));
  transcripts.hear(told, { occasion: event as 'prompt' });
  await transcripts.caughtUp(id, 's');
}

async function said(): Promise<readonly string[]> {
  const messages = must(await (await workspace()).conversations.messages('s'));
  return messages.map(({ form, json }) => {
    const { role, blocks } = readMessage(form, JSON.parse(json!));
    return `${role}: ${blocks.map((block) => ('text' in block ? block.text : 'call' in block ? block.call : '')).join(' ')}`;
  });
}

async function operations(): Promise<readonly Operation[]> {
  return (await workspace()).operations(0, 10_000);
}

async function readings() {
  return (await operations()).filter((operation) => operation.kind === 'transcript-read');
}

const line = (id: string, text: string) =>
  `${JSON.stringify({ type: 'user', uuid: id, promptId: 't', message: { role: 'user', content: text } })}\n`;

describe('a transcript', () => {
  test('[TRA1c] is read on from where it was, whatever the pieces it comes in, also by another process', async () => {
    const whole = Buffer.from(sample('claude.jsonl'));
    writeFileSync(file, '');
    for (let at = 0; at < whole.length; at += 1_777) {
      appendFileSync(file, whole.subarray(at, at + 1_777));
      // Every third time by somebody who knows nothing but the log.
      if (at % 3 === 0) {
        const fresh = new Transcripts(
          (id) => stage.workspaces.enter(id),
          (error) => expect(error).toBeNull(),
        );
        await heard('call', 'claude', fresh);
      } else await heard('call');
    }
    await heard('turn-end');
    const gradually = await said();
    expect(gradually).toHaveLength(21);
    expect(gradually.filter((text) => text.startsWith('user: ') && !text.includes('  '))).toContain(
      'user: First: fix the add function.',
    );
    const ids = (await operations()).flatMap((one) =>
      one.kind === 'message-added' && one.source?.kind === 'transcript' ? [one.source.message] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    // What is kept is all of it, byte for byte.
    const pieces = (await workspace()).transcripts.pieces('s');
    const kept = await Promise.all(
      pieces.map(async ({ content }) => must(await (await workspace()).content(content!))),
    );
    expect(Buffer.concat(kept).equals(whole)).toBe(true);
  });

  test('[TRA1c] of Gemini CLI comes to the same however it is cut', async () => {
    const whole = Buffer.from(sample('gemini.jsonl'));
    writeFileSync(file, whole);
    await heard('turn-end', 'gemini');
    const atOnce = await said();
    await stage.close();
    stage = new Stage();
    root = stage.makeRoot();
    file = join(stage.folder, 'transcript');
    writeFileSync(file, '');
    for (let at = 0; at < whole.length; at += 601) {
      appendFileSync(file, whole.subarray(at, at + 601));
      await heard('call', 'gemini');
    }
    await heard('turn-end', 'gemini');
    expect(await said()).toEqual(atOnce);
    expect(atOnce).toHaveLength(17);
  });

  test('[TRA1d] that was written anew, cut short or replaced is read from its beginning, and nothing twice', async () => {
    writeFileSync(file, line('a', 'one') + line('b', 'two'));
    await heard('turn-end');
    writeFileSync(file, line('a', 'one') + line('c', 'three'));
    await heard('turn-end');
    writeFileSync(file, line('d', 'four'));
    await heard('turn-end');
    writeFileSync(`${file}.new`, line('d', 'four') + line('e', 'five'));
    renameSync(`${file}.new`, file);
    await heard('turn-end');
    expect(await said()).toEqual(['user: one', 'user: two', 'user: three', 'user: four', 'user: five']);
    expect((await readings()).filter(({ anew }) => anew === true)).toHaveLength(3);
    // What it was before stays readable.
    const pieces = (await workspace()).transcripts.pieces('s');
    const texts = await Promise.all(
      pieces.map(async ({ content }) => Buffer.from(must(await (await workspace()).content(content!))).toString()),
    );
    expect(texts).toEqual([
      line('a', 'one') + line('b', 'two'),
      line('a', 'one') + line('c', 'three'),
      line('d', 'four'),
      line('d', 'four') + line('e', 'five'),
    ]);
  });

  test('[TRA1e] that is not there, or no file, is told in the status, until it can be read', async () => {
    const remarks = async () => must(await stage.client(root).status()).remarks.join('\n');
    await heard('turn-end');
    expect(await remarks()).toContain('what Claude Code wrote down of session s cannot be read: it is not there');
    execFileSync('mkfifo', [file]);
    await heard('turn-end');
    expect(await remarks()).toContain('it is not a file');
    rmSync(file);
    writeFileSync(file, line('a', 'one'));
    await heard('turn-end');
    expect(await remarks()).toBe('');
    expect(await said()).toEqual(['user: one']);
  });

  test('[TRA1e] with lines that are too long or no JSON is read around them', async () => {
    writeFileSync(file, `${line('a', 'one')}{"broken\n${line('x', 'x'.repeat(LINE_BYTES_LIMIT))}\n${line('b', 'two')}`);
    await heard('turn-end');
    expect(await said()).toEqual(['user: one', 'user: two']);
    expect((await readings()).at(-1)?.leftOut).toBe(2);
  });

  test('[TRA2a] [TRA2b] the hooks of an agent lead to it: at each prompt and call its length and last message', async () => {
    const client = stage.client(root);
    const hook = async (event: string, fields: object = {}) =>
      must(
        await client.takeHook({
          params: { agent: 'claude', event },
          body: {
            directory: root,
            payload: { session_id: 's', cwd: root, transcript_path: file, prompt_id: 't', ...fields },
          },
        }),
      );
    const { id } = await workspace();
    const tool = { tool_use_id: 'c', tool_name: 'Bash', tool_input: { command: 'true' } };
    await hook('UserPromptSubmit', { prompt: 'one' });
    await until(async () => (await readings()).length === 1);
    writeFileSync(file, line('a', 'one'));
    await hook('PreToolUse', tool);
    await hook('PostToolUse', { ...tool, tool_response: {} });
    await stage.transcripts.caughtUp(id, 's');
    await hook('Stop', {});
    await stage.transcripts.caughtUp(id, 's');
    // Written after the agent said that its turn is over, with no other event to come.
    appendFileSync(file, line('b', 'one'));
    await until(async () => (await said()).length === 2);
    const { length } = readFileSync(file);
    await until(async () => (await readings()).length === 4);
    expect((await readings()).map((one) => [one.occasion, one.turn, one.call, one.length, one.last])).toEqual([
      ['prompt', 't', undefined, 0, null],
      ['call', 't', 'c', length / 2, 'a'],
      ['turn-end', 't', undefined, length / 2, 'a'],
      ['turn-end', 't', undefined, length, 'b'],
    ]);
  });

  test('[TRA1c] a session that has ended is not begun again by what is read late, nor one that was deleted', async () => {
    writeFileSync(file, line('a', 'one'));
    await heard('turn-end');
    must(await (await workspace()).endSession('s'));
    appendFileSync(file, line('b', 'two'));
    const { id } = await workspace();
    stage.transcripts.hear(
      { agent: AGENTS.claude, session: 's', workspace: id, transcript: file },
      { occasion: 'session-end' },
    );
    await until(async () => (await said()).length === 2);
    expect((await workspace()).session('s')?.state).toBe('ended');
    must(await (await workspace()).deleteSession('s'));
    appendFileSync(file, line('c', 'three'));
    await stage.transcripts.caughtUp(id, 's');
    expect((await workspace()).session('s')).toBeNull();
  });

  test('[TRA2c] what was kept of it can be forgotten', async () => {
    writeFileSync(file, line('a', 'one') + line('b', 'the key is hunter2-hunter2-hunter2'));
    await heard('turn-end');
    must(await (await workspace()).forget({ text: 'hunter2-hunter2-hunter2', dryRun: false }));
    const pieces = (await workspace()).transcripts.pieces('s');
    for (const { content } of pieces)
      expect(Buffer.from(must(await (await workspace()).content(content!))).toString()).not.toContain('hunter2');
    expect(await said()).toEqual(['user: one', expect.not.stringContaining('hunter2')]);
    const { id } = await workspace();
    expect(missingIn(join(stage.dataDir, 'workspaces', id))).toEqual([]);
  });
});
