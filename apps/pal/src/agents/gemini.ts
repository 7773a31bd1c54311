import type { Agent } from './agent.js';
import { geminiAnswer } from './answers.js';
import { placeOf } from './claude-dialect.js';
import { folderIn } from './folder.js';
import { printedBy, shownBy } from './gemini-dialect.js';
import { geminiTranscript } from './gemini-transcript.js';
import type { InSession, ToolCall } from './hook-event.js';
import { hooksFile, PROGRAM_WAITS, programHook } from './hook-groups.js';
import { type Payload, payloadOf, textAt } from './payload.js';

/**
 * Gemini CLI. It has no ids of calls: equal calls are told apart by when they began. Its compaction event fires before
 * every request to the model, and so says nothing. Over ACP only the hooks of a turn run, and none of tools or sessions.
 */
export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  home: folderIn({ otherwise: ['.gemini'] }),
  local: ['.gemini'],
  wiring(wanted) {
    const run = programHook(wanted, 'milliseconds');
    const groups = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'].map(
      (event) => ({
        event,
        group: {
          ...(event.endsWith('Tool') ? { matcher: '.*' } : {}),
          hooks: [{ name: 'palimpsest', ...run(event) }],
        },
      }),
    );
    return [hooksFile(wanted, 'settings.json', groups)];
  },
  underAcp: 'in an editor, over ACP, it runs no tool hooks: name `pal acp -- gemini --acp` there in its place',
  projectVariable: 'GEMINI_PROJECT_DIR',
  waits: PROGRAM_WAITS,
  deciding: ['BeforeTool', 'BeforeAgent'],
  hears: new Set(['prompt', 'tool-end']),
  answer: geminiAnswer,
  mentions: 'shown',
  transcript: { reader: geminiTranscript, calls: 'by-order' },
  read(event, value) {
    const payload = payloadOf(value);
    const place = placeOf(payload);
    if (place === null) return null;
    switch (event) {
      case 'SessionStart':
        return { ...place, kind: 'session-start' };
      case 'SessionEnd':
        return { ...place, kind: 'session-end' };
      case 'BeforeAgent':
        return { ...place, kind: 'prompt', text: textAt(payload, 'prompt') ?? '' };
      case 'AfterAgent':
        return { ...place, kind: 'pause' };
      case 'BeforeTool': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin' };
      }
      case 'AfterTool': {
        const call = callOf(payload, place);
        if (call === null) return null;
        const response = payloadOf(payload.tool_response);
        const output = printedBy(response);
        const shown = call.tool === 'read_file' ? shownBy(response) : undefined;
        return { ...call, kind: 'tool-end', ok: response.error === undefined, output, shown };
      }
      default:
        return null;
    }
  },
};

function callOf(payload: Payload, place: InSession): ToolCall | null {
  const tool = textAt(payload, 'tool_name');
  if (tool === undefined) return null;
  const alike = JSON.stringify([tool, payload.tool_input ?? null]);
  return {
    ...place,
    callId: { alike, at: textAt(payload, 'timestamp') ?? '' },
    tool,
    input: payload.tool_input,
  };
}
