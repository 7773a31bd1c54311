import { join } from 'node:path';
import type { Agent } from './agent.js';
import { pluginAnswer } from './answers.js';
import { clineDropped } from './cline-log.js';
import { writtenBy } from './cline-prompt.js';
import { clineTranscript } from './cline-transcript.js';
import { folderIn } from './folder.js';
import type { InSession, ToolCall } from './hook-event.js';
import { outputText, type Payload, payloadOf, textAt } from './payload.js';
import { pluginFile } from './plugin-file.js';

/** It ends the whole run at 3,000 ms; what it and a busy machine add of their own comes on top of ours. */
const WAITS = { deadlineMs: 1_800, limitMs: 3_000 } as const;

/**
 * Cline, by way of our plugin, which hands on what each hook was given, with `directory` for the workspace and, for the
 * beginning of a run, the `prompt`. No hook says that it exits, but the process that its plugins run in is told to end, and
 * says so for the sessions that it saw; where that process is killed, they stay active.
 */
export const cline: Agent = {
  name: 'cline',
  title: 'Cline',
  program: 'cline',
  home: folderIn({ otherwise: ['.cline'] }),
  local: ['.cline', '.clinerules'],
  wiring: ({ folder, pal }) => [pluginFile(join(folder, 'plugins', 'palimpsest.js'), 'cline.js', { pal, ...WAITS })],
  waits: WAITS,
  dropped: clineDropped,
  deciding: ['beforeTool', 'beforeRun'],
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  answer: pluginAnswer,
  mentions: 'left-out',
  transcript: { reader: clineTranscript, calls: 'as-hooks-do' },
  read(event, value) {
    const payload = payloadOf(value);
    const snapshot = payloadOf(payload.snapshot);
    const session = textAt(snapshot, 'conversationId');
    if (session === undefined) return null;
    const place = { session, cwd: textAt(payload, 'directory'), transcript: textAt(payload, 'transcript') };
    switch (event) {
      case 'beforeRun':
        return {
          ...place,
          kind: 'prompt',
          text: writtenBy(textAt(payload, 'prompt') ?? ''),
          turn: textAt(snapshot, 'runId'),
        };
      case 'beforeTool': {
        const call = callOf(payload, snapshot, place);
        return call && { ...call, kind: 'tool-begin', turn: textAt(snapshot, 'runId') };
      }
      case 'afterTool': {
        const call = callOf(payload, snapshot, place);
        if (call === null) return null;
        const result = payloadOf(payload.result);
        return { ...call, kind: 'tool-end', ok: result.isError !== true, output: outputText(result.output) };
      }
      case 'afterRun':
        return { ...place, kind: 'pause' };
      case 'shutdown':
        return { ...place, kind: 'session-end' };
      default:
        return null;
    }
  },
};

function callOf(payload: Payload, snapshot: Payload, place: InSession): ToolCall | null {
  const call = payloadOf(payload.toolCall);
  const callId = textAt(call, 'toolCallId');
  const tool = textAt(call, 'toolName');
  if (callId === undefined || tool === undefined) return null;
  const subagent = textAt(snapshot, 'parentAgentId') === undefined ? undefined : textAt(snapshot, 'agentId');
  return { ...place, callId, tool, input: payload.input ?? call.input, agentId: subagent };
}
