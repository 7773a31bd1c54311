import type { BeginAnswerJson, EndAnswerJson, NoteAnswerJson } from '@palimpsest/protocol';
import { EXIT } from '../face/failure.js';
import { beginText, noticeLines, noticesText } from '../print/call.js';
import { changesSummary } from '../print/changes.js';
import type { Style } from '../print/style.js';
import { parentIn } from '../surroundings/within.js';

/** A command with which an agent tells what it does: one JSON object in, one request, and what comes back. */
export type Saying = {
  readonly endpoint: 'beginCall' | 'endCall' | 'addNote';
  /** Adds what the surroundings know and the agent did not say. */
  readonly body: (given: Given, around: Around) => Given;
  readonly text: (answer: unknown, style: Style) => string;
  readonly exit?: (answer: unknown) => number;
};

type Given = Readonly<Record<string, unknown>>;
type Around = { readonly directory: string; readonly environment: Readonly<Record<string, string | undefined>> };

const begin: Saying = {
  endpoint: 'beginCall',
  body: (given, { directory, environment }) => ({ ...parentIn(environment), ...given, cwd: given.cwd ?? directory }),
  text: (answer) => beginText(answer as BeginAnswerJson),
  exit: (answer) => ((answer as BeginAnswerJson).decision === 'deny' ? EXIT.denied : EXIT.done),
};

const end: Saying = {
  endpoint: 'endCall',
  body: (given) => given,
  text(answer, style) {
    const { changes, perhaps, notices } = answer as EndAnswerJson;
    return [changesSummary(changes, style, perhaps), ...noticeLines(notices)].join('\n');
  },
};

const note: Saying = {
  endpoint: 'addNote',
  body: (given, { directory }) => ({ ...given, cwd: given.cwd ?? directory }),
  text: (answer) => noticesText((answer as NoteAnswerJson).notices),
};

/** By the words that call them. */
export const AGENT_SAYS = { 'tool begin': begin, 'tool end': end, note } as const;

export type SayingName = keyof typeof AGENT_SAYS;
