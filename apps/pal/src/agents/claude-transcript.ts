import { anthropicBlocks } from './anthropic-content.js';
import { type Payload, payloadOf, textAt } from './payload.js';
import { EMPTY_STATE, given, type LineReader, message, type TranscriptItem, timeAt } from './transcript.js';

/**
 * Claude Code writes one line for each block of what the model says, and one for each result of a tool; they hang together
 * by `parentUuid`. Only a line of the user names the turn. What it tells itself, in lines of other types, is not said by
 * anybody and stays in the kept bytes.
 */
export const claudeTranscript: LineReader = {
  form: 'lines',
  begin: (turn) => ({ ...EMPTY_STATE, turn }),
  read(state, value) {
    const line = payloadOf(value);
    if (line.type !== 'user' && line.type !== 'assistant') return { state, items: [] };
    const turn = textAt(line, 'promptId') ?? state.turn;
    return { state: { ...state, turn }, items: messageOf(line, turn) };
  },
};

function messageOf(line: Payload, turn: string | null): readonly TranscriptItem[] {
  const id = textAt(line, 'uuid');
  const said = payloadOf(line.message);
  const blocks = anthropicBlocks(said.content);
  if (id === undefined || blocks.length === 0) return [];
  const summary = line.isCompactSummary === true;
  // What it puts into the user's mouth.
  const role = line.type === 'assistant' ? 'assistant' : line.isMeta === true ? 'system' : 'user';
  return [
    message({
      id,
      role,
      blocks,
      ...given({
        parent: textAt(line, 'parentUuid'),
        at: timeAt(line, 'timestamp'),
        turn,
        model: textAt(said, 'model'),
        agentId: textAt(line, 'agentId'),
      }),
      ...(summary ? { summary } : {}),
    }),
  ];
}
