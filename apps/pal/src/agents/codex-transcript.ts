import { outputText, type Payload, payloadOf, textAt } from './payload.js';
import {
  bounded,
  boundedInput,
  EMPTY_STATE,
  given,
  type LineReader,
  listOf,
  message,
  type TranscriptBlock,
  type TranscriptMessage,
  textBlock,
  timeAt,
} from './transcript.js';

/**
 * Codex writes down each item that went to the model or came from it; what it tells its own screens, `event_msg`, says the
 * same once more. The file of a forked thread begins where the fork does.
 */
export const codexTranscript: LineReader = {
  form: 'lines',
  begin: (turn) => ({ ...EMPTY_STATE, turn }),
  read(state, value, place) {
    const line = payloadOf(value);
    const payload = payloadOf(line.payload);
    if (line.type === 'turn_context') {
      return { state: { ...state, turn: textAt(payload, 'turn_id') ?? state.turn }, items: [] };
    }
    if (line.type !== 'response_item') return { state, items: [] };
    const said = saidIn(payload);
    if (said === null || said.blocks.length === 0) return { state, items: [] };
    const told = payloadOf(payload.internal_chat_message_metadata_passthrough);
    const turn = textAt(told, 'turn_id') ?? state.turn;
    const id = textAt(payload, 'id') ?? `line-${place}`;
    const item = message({ id, ...said, ...given({ at: timeAt(line, 'timestamp'), turn }) });
    return { state: { ...state, turn }, items: [item] };
  },
};

type Said = Pick<TranscriptMessage, 'role' | 'blocks'>;

function saidIn(payload: Payload): Said | null {
  switch (payload.type) {
    case 'message':
      return spoken(payload);
    case 'reasoning':
      return { role: 'assistant', blocks: reasoning(payload) };
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return { role: 'assistant', blocks: called(payload) };
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return { role: 'user', blocks: answered(payload) };
    default:
      return null;
  }
}

function spoken(payload: Payload): Said {
  const parts = listOf(payload.content).map(payloadOf);
  const blocks = parts.flatMap((part): readonly TranscriptBlock[] => {
    const text = textAt(part, 'text');
    return text === undefined ? [{ type: 'attachment', what: textAt(part, 'type') ?? 'unknown' }] : textBlock(text);
  });
  if (payload.role === 'assistant') return { role: 'assistant', blocks };
  return { role: payload.role === 'user' && isPersons(payload, blocks) ? 'user' : 'system', blocks };
}

/** What Codex says about its surroundings is said in the user's name too. */
function isPersons(payload: Payload, blocks: readonly TranscriptBlock[]): boolean {
  const { content_item_kinds: kinds } = payloadOf(payload.internal_chat_message_metadata_passthrough);
  if (Array.isArray(kinds)) return kinds.some((kind) => String(kind).startsWith('user.'));
  const [first] = blocks;
  return first?.type !== 'text' || !/^\s*<(environment_context|user_instructions|turn_aborted)>/.test(first.text);
}

function reasoning(payload: Payload): readonly TranscriptBlock[] {
  const text = outputText(payload.summary) ?? '';
  return text === '' ? [] : [{ type: 'reasoning', text: bounded(text) }];
}

function called(payload: Payload): readonly TranscriptBlock[] {
  const call = textAt(payload, 'call_id');
  if (call === undefined) return [];
  const [space, name] = [textAt(payload, 'namespace'), textAt(payload, 'name') ?? 'shell'];
  const input = payload.arguments ?? payload.input ?? payload.action;
  return [
    {
      type: 'tool-call',
      call,
      tool: space === undefined ? name : `${space}__${name}`,
      input: boundedInput(typeof input === 'string' ? parsed(input) : input),
    },
  ];
}

function answered(payload: Payload): readonly TranscriptBlock[] {
  const call = textAt(payload, 'call_id');
  if (call === undefined) return [];
  const text = outputText(payload.output) ?? '';
  return [{ type: 'tool-result', call, text: bounded(text), outcome: EXIT.test(text) ? 'failed' : 'ok' }];
}

/** Its tools say how they ended in the first lines of what they printed. */
const EXIT = /^(?:[^\n]*\n){0,4}?(?:Exit code:|Process exited with code) [1-9]/;

/** The arguments of a function are JSON, the input of a custom tool is whatever its grammar says. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
