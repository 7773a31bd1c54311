import type { Agent } from './agent.js';
import { hookAnswer } from './answers.js';
import { callOf, placeOf, sessionEvent } from './claude-dialect.js';
import { folderIn } from './folder.js';
import { printedBy, shownBy } from './gemini-dialect.js';
import { hooksFile, matchingGroup, PROGRAM_WAITS, plainGroups, programHook } from './hook-groups.js';
import { payloadOf, textAt } from './payload.js';
import { qwenTranscript } from './qwen-transcript.js';

/**
 * Qwen Code. Its events are those of Claude Code, what its tools answer is that of Gemini CLI. It says that a prompt was
 * submitted after every tool too, with an empty one. A headless run does not say that it is over, so its session stays
 * active.
 */
export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  program: 'qwen',
  home: folderIn({ variable: 'QWEN_HOME', otherwise: ['.qwen'] }),
  local: ['.qwen'],
  wiring(wanted) {
    const run = programHook(wanted, 'milliseconds');
    const tool = (event: string) => matchingGroup(event, '.*', run(event));
    return [
      hooksFile(wanted, 'settings.json', [
        ...plainGroups(['SessionStart', 'UserPromptSubmit'], run),
        tool('PreToolUse'),
        tool('PostToolUse'),
        tool('PostToolUseFailure'),
        ...plainGroups(['SubagentStop', 'Stop', 'SessionEnd'], run),
      ]),
    ];
  },
  projectVariable: 'QWEN_PROJECT_DIR',
  waits: PROGRAM_WAITS,
  deciding: ['PreToolUse', 'UserPromptSubmit'],
  hears: new Set(['prompt', 'tool-end']),
  answer: hookAnswer,
  mentions: 'shown',
  transcript: { reader: qwenTranscript, calls: 'by-order' },
  read(event, value) {
    const payload = payloadOf(value);
    const place = placeOf(payload);
    if (place === null) return null;
    const turn = textAt(payload, 'prompt_id');
    switch (event) {
      case 'UserPromptSubmit': {
        // What was typed; `prompt` has the text of mentioned files in it as well.
        const text = textAt(payload, 'submitted_prompt') ?? textAt(payload, 'prompt') ?? '';
        return text === '' ? null : { ...place, kind: 'prompt', text, turn, model: textAt(payload, 'model') };
      }
      case 'PreToolUse': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin', turn };
      }
      case 'PostToolUse': {
        const call = callOf(payload, place);
        if (call === null) return null;
        const response = payloadOf(payload.tool_response);
        const shown = call.tool === 'read_file' ? shownBy(response) : undefined;
        return { ...call, kind: 'tool-end', ok: true, output: printedBy(response), shown };
      }
      case 'PostToolUseFailure': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-end', ok: false, output: textAt(payload, 'error') };
      }
      default:
        return sessionEvent(event, payload, place, turn);
    }
  },
};
