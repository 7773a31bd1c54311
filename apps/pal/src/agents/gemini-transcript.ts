import { geminiBlocks } from './gemini-parts.js';
import { outputText, type Payload, payloadOf, textAt } from './payload.js';
import {
  bounded,
  boundedInput,
  EMPTY_STATE,
  given,
  type LineReader,
  type LineState,
  listOf,
  message,
  type TranscriptBlock,
  type TranscriptItem,
  type TranscriptMessage,
  timeAt,
} from './transcript.js';

/**
 * Gemini CLI writes a message of the model when it is said, and the same one again under the same id when its calls have
 * run; so the latest one is held until another begins. `$set` may say all messages anew, which it does when a session is
 * resumed, and `$rewindTo` takes all from one message on out of the conversation.
 */
export const geminiTranscript: LineReader = {
  form: 'lines',
  begin: (turn) => ({ ...EMPTY_STATE, turn }),
  read(state, value) {
    const line = payloadOf(value);
    if (line.$rewindTo !== undefined) {
      const to = textAt(line, '$rewindTo') ?? null;
      return { state: { ...state, held: [] }, items: [...released(state), { kind: 'rewound', to }] };
    }
    const set = payloadOf(line.$set);
    if (set.messages !== undefined) {
      const items: TranscriptItem[] = [];
      let at = state;
      for (const said of listOf(set.messages)) {
        const read = take(at, payloadOf(said));
        items.push(...read.items);
        at = read.state;
      }
      return { state: at, items };
    }
    return textAt(line, 'id') === undefined || line.type === undefined ? { state, items: [] } : take(state, line);
  },
};

function take(state: LineState, line: Payload): { state: LineState; items: readonly TranscriptItem[] } {
  const id = textAt(line, 'id');
  if (id === undefined) return { state, items: [] };
  const held = saidIn(id, line).filter(({ blocks }) => blocks.length > 0);
  if (held.length === 0) return { state, items: [] };
  return { state: { ...state, held }, items: state.held[0]?.id === id ? [] : released(state) };
}

function released({ held }: LineState): readonly TranscriptItem[] {
  return held.map(message);
}

/** What the model said with its calls, and what they answered. */
function saidIn(id: string, line: Payload): readonly TranscriptMessage[] {
  const facts = given({ at: timeAt(line, 'timestamp'), model: textAt(line, 'model') });
  if (line.type === 'gemini') {
    const calls = listOf(line.toolCalls).map(payloadOf);
    const blocks = [...thoughts(line.thoughts), ...geminiBlocks(line.content), ...calls.flatMap(callOf)];
    const results = calls.flatMap(resultOf);
    return [
      { id, role: 'assistant', blocks, ...facts },
      { id: `${id}_response`, parent: id, role: 'user', blocks: results, ...given({ at: facts.at }) },
    ];
  }
  // What was typed; the rest of the content is what hooks and mentions added. Results stand with their calls already.
  const blocks = geminiBlocks(line.displayContent ?? line.content).filter(({ type }) => type !== 'tool-result');
  return [{ id, role: line.type === 'user' && !isSetup(blocks) ? 'user' : 'system', blocks, ...facts }];
}

function isSetup([first]: readonly TranscriptBlock[]): boolean {
  return first?.type === 'text' && first.text.startsWith('<session_context>');
}

function thoughts(value: unknown): readonly TranscriptBlock[] {
  const told = listOf(value).map(payloadOf);
  const text = told.map((one) => [textAt(one, 'subject'), textAt(one, 'description')].filter(Boolean).join(': '));
  return text.length === 0 ? [] : [{ type: 'reasoning', text: bounded(text.join('\n')) }];
}

function callOf(call: Payload): readonly TranscriptBlock[] {
  const [id, tool] = [textAt(call, 'id'), textAt(call, 'name')];
  if (id === undefined || tool === undefined) return [];
  return [{ type: 'tool-call', call: id, tool, input: boundedInput(call.args) }];
}

function resultOf(call: Payload): readonly TranscriptBlock[] {
  const id = textAt(call, 'id');
  if (id === undefined || call.result === undefined) return [];
  const told = geminiBlocks(call.result).find((block) => block.type === 'tool-result');
  const text = told?.type === 'tool-result' ? told.text : bounded(outputText(call.resultDisplay) ?? '');
  return [{ type: 'tool-result', call: id, text, outcome: call.status === 'success' ? 'ok' : 'failed' }];
}
