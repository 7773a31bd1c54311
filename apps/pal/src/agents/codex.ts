import type { Agent } from './agent.js';
import { hookAnswer } from './answers.js';
import { callOf, placeOf, sessionEvent } from './claude-dialect.js';
import { codexTranscript } from './codex-transcript.js';
import { readCodexTrust } from './codex-trust.js';
import { folderIn } from './folder.js';
import type { ToolCall } from './hook-event.js';
import { hooksFile, matchingGroup, plainGroups, programHook } from './hook-groups.js';
import { outputText, payloadOf, textAt } from './payload.js';

/**
 * Codex. Its shell tool tells no exit code, so an end says nothing of success; a patch that failed, and a patch applied
 * through the shell, have no end at all.
 */
export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  home: folderIn({ variable: 'CODEX_HOME', otherwise: ['.codex'] }),
  local: ['.codex'],
  wiring(wanted) {
    const run = programHook(wanted);
    return [
      hooksFile(wanted, 'hooks.json', [
        ...plainGroups(['SessionStart', 'UserPromptSubmit'], run),
        matchingGroup('PreToolUse', '*', run('PreToolUse')),
        matchingGroup('PostToolUse', '*', run('PostToolUse')),
        ...plainGroups(['Stop', 'SessionEnd'], run),
      ]),
    ];
  },
  afterwards:
    'Codex runs a new hook only after you approve it: start `codex` and type /hooks. Until then it skips ours silently.',
  approval: readCodexTrust,
  // It cuts the last event of a session short at 3 s, whatever it is told. At a load of 30 a script takes 0.8 s longer than
  // it means to.
  waits: { deadlineMs: 2_000, limitMs: 3_000 },
  deciding: ['PreToolUse', 'UserPromptSubmit'],
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  answer: hookAnswer,
  mentions: 'left-out',
  transcript: { reader: codexTranscript, calls: 'as-hooks-do' },
  read(event, value) {
    const payload = payloadOf(value);
    const place = placeOf(payload);
    if (place === null) return null;
    const turn = textAt(payload, 'turn_id');
    switch (event) {
      case 'PreToolUse': {
        const call = understood(callOf(payload, place));
        return call && { ...call, kind: 'tool-begin', turn };
      }
      case 'PostToolUse': {
        const call = understood(callOf(payload, place));
        return call && { ...call, kind: 'tool-end', output: outputText(payload.tool_response) };
      }
      default:
        return sessionEvent(event, payload, place, turn);
    }
  },
};

/**
 * Codex understands a command that does nothing but hand a patch to `apply_patch` as that tool, and runs no shell. So do
 * we: a patch is guarded where a command is only warned.
 */
function understood(call: ToolCall | null): ToolCall | null {
  if (call?.tool !== 'Bash') return call;
  const command = textAt(payloadOf(call.input), 'command');
  const patch = command === undefined ? undefined : PATCH_IN_SHELL.exec(command)?.groups?.patch;
  return patch === undefined ? call : { ...call, tool: 'apply_patch', input: { command: patch } };
}

const PATCH_IN_SHELL =
  /^\s*apply_?patch\s*<<-?\s*(?<quote>['"]?)(?<word>\w+)\k<quote>[^\S\n]*\n(?<patch>\*\*\* Begin Patch\n[\s\S]*?)\n\k<word>\s*$/;
