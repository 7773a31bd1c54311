import { unquoted } from './opencode-prompt.js';
import { type Payload, payloadOf, textAt } from './payload.js';
import {
  bounded,
  boundedInput,
  given,
  type MessageRow,
  message,
  type RowReader,
  type TranscriptBlock,
  type TranscriptItem,
  textBlock,
  timeAt,
} from './transcript.js';

/**
 * opencode has a row for each message and one for each part of it, and a call and its result are one part. A message of the
 * model is complete when its row says so; until then it is not taken.
 */
export const opencodeTranscript: RowReader = { form: 'rows', read: messagesOf };

function messagesOf({ id, data, parts }: MessageRow): readonly TranscriptItem[] {
  const said = payloadOf(data);
  const time = payloadOf(said.time);
  const told = parts.map(({ data: part }) => payloadOf(part));
  const at = timeAt(time, 'created');
  if (said.role === 'user') {
    const blocks = told.flatMap(promptBlock);
    return blocks.length === 0 ? [] : [message({ id, role: 'user', blocks, turn: id, ...given({ at }) })];
  }
  if (said.role !== 'assistant' || (time.completed === undefined && said.error === undefined)) return [];
  const turn = textAt(said, 'parentID');
  const blocks = told.flatMap(answerBlock);
  const results = told.flatMap(resultBlock);
  const facts = { at, turn, parent: turn, model: modelOf(said) };
  const summary = said.summary === true ? { summary: true as const } : {};
  return [
    ...(blocks.length === 0 ? [] : [message({ id, role: 'assistant', blocks, ...summary, ...given(facts) })]),
    ...(results.length === 0
      ? []
      : [
          message({
            id: `${id}_results`,
            parent: id,
            role: 'user',
            blocks: results,
            ...given({ at: timeAt(time, 'completed') ?? at, turn }),
          }),
        ]),
  ];
}

function modelOf(said: Payload): string | undefined {
  const [provider, model] = [textAt(said, 'providerID'), textAt(said, 'modelID')];
  return provider === undefined || model === undefined ? undefined : `${provider}/${model}`;
}

/** Parts that opencode made of mentioned files are nobody's words. */
function promptBlock(part: Payload): readonly TranscriptBlock[] {
  if (part.type === 'text') return part.synthetic === true ? [] : textBlock(unquoted(textAt(part, 'text') ?? ''));
  return part.type === 'file' ? [{ type: 'attachment', what: textAt(part, 'filename') ?? 'file' }] : [];
}

function answerBlock(part: Payload): readonly TranscriptBlock[] {
  if (part.type === 'text') return textBlock(textAt(part, 'text'));
  const text = textAt(part, 'text') ?? '';
  if (part.type === 'reasoning') return text === '' ? [] : [{ type: 'reasoning', text: bounded(text) }];
  const [call, tool] = [textAt(part, 'callID'), textAt(part, 'tool')];
  if (part.type !== 'tool' || call === undefined || tool === undefined) return [];
  return [{ type: 'tool-call', call, tool, input: boundedInput(payloadOf(part.state).input) }];
}

function resultBlock(part: Payload): readonly TranscriptBlock[] {
  const call = textAt(part, 'callID');
  const state = payloadOf(part.state);
  const isOver = state.status === 'completed' || state.status === 'error';
  if (part.type !== 'tool' || call === undefined || !isOver) return [];
  const text = textAt(state, state.status === 'error' ? 'error' : 'output') ?? '';
  return [{ type: 'tool-result', call, text: bounded(text), outcome: state.status === 'error' ? 'failed' : 'ok' }];
}
