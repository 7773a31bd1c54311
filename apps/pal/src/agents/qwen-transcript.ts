import { geminiBlocks } from './gemini-parts.js';
import { payloadOf, textAt } from './payload.js';
import { EMPTY_STATE, given, type LineReader, message, type TranscriptBlock, timeAt } from './transcript.js';

/** Qwen Code's lines hang together as those of Claude Code do, and what they say is written as Gemini's API has it. */
export const qwenTranscript: LineReader = {
  form: 'lines',
  begin: (turn) => ({ ...EMPTY_STATE, turn }),
  read(state, value) {
    const line = payloadOf(value);
    const id = textAt(line, 'uuid');
    const { parts } = payloadOf(line.message);
    if (id === undefined || parts === undefined || !ROLES.has(String(line.type))) return { state, items: [] };
    const blocks = geminiBlocks(parts).filter((block) => !isAdded(block));
    if (blocks.length === 0) return { state, items: [] };
    const role = line.type === 'assistant' ? 'assistant' : 'user';
    const facts = { parent: textAt(line, 'parentUuid'), at: timeAt(line, 'timestamp'), model: textAt(line, 'model') };
    return { state, items: [message({ id, role, blocks, ...given(facts) })] };
  },
};

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'tool_result']);

/** What a hook of ours had to say with the prompt is not said by the person. */
function isAdded(block: TranscriptBlock): boolean {
  return block.type === 'text' && block.text.startsWith('<qwen:user-prompt-submit-context>');
}
