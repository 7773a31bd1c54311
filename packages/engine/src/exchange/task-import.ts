import {
  type ContentId,
  type Damage,
  decodeUtf8,
  failed,
  HISTORY_ITEM_FILE,
  type HistoryName,
  LEGACY_FILE,
  type Outcome,
  ok,
  parseTaskMetadata,
  readTaskHistory,
  type SessionId,
  type SessionState,
  TASK_METADATA_FILE,
  type TaskDialect,
  type TaskFile,
  type TaskHistory,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { NewMessage } from '../conversation/message.js';
import type { Messages } from '../conversation/messages.js';
import type { LiveLog } from '../store/live-log.js';
import type { Imported } from './imported.js';

/** A file of a task folder, by its name and bytes. */
export type FolderFile = { readonly name: string; readonly bytes: Uint8Array };

/** What was taken over. Of a damaged file nothing was, but its bytes are kept. */
export type TaskImport = {
  readonly session: SessionId;
  readonly dialect: TaskDialect;
  readonly messages: Readonly<Record<HistoryName, number>>;
  /** Messages that were here already. */
  readonly known: number;
  readonly facts: number;
  readonly misplaced: readonly string[];
  readonly damaged: readonly { readonly name: string; readonly why: Damage }[];
};

export type TaskImportParts = {
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly messages: Messages;
  readonly importMetadata: (session: SessionState, text: string) => Outcome<Imported, Refusal>;
  readonly become: (session: SessionId, facts: { readonly title?: string; readonly agent?: string }) => void;
};

const TITLE_LENGTH = 72;
/** It becomes the name of a file again when the task is written: nothing that leads elsewhere. */
const PLAIN_NAME = /^(?!\.{1,2}$)[^/\\\0]{1,200}$/;
/** What an agent is called that nobody named. */
const UNKNOWN_AGENT = 'unknown';

type ReadFile = {
  readonly name: string;
  readonly content: ContentId;
  readonly text: string | null;
  readonly history: TaskHistory | null;
  readonly damage: Damage | null;
};

/** Takes a task folder of Roo or Cline over. Its bytes are in our store before anything is made of them. */
export async function importTask(
  session: SessionState,
  folder: readonly FolderFile[],
  parts: TaskImportParts,
): Promise<Outcome<TaskImport, Refusal>> {
  const { live, content, messages } = parts;
  const odd = folder.find(({ name }) => !PLAIN_NAME.test(name));
  if (odd !== undefined) return failed({ code: 'bad-input', why: `${JSON.stringify(odd.name)} is no name of a file` });
  const ids = await content.putMany(folder.map(({ bytes }) => bytes));
  const files = folder.map(({ name, bytes }, index) => readFolderFile(name, bytes, ids[index]!));
  const histories = chosenHistories(files);
  const plan = planMessages(session.id, histories, await keptTasks(session.id, messages));
  if (!plan.ok) return plan;
  const earlier = takenBefore(session.id, live);
  if (plan.value.fresh.length > 0) {
    const added = await messages.add(session.id, plan.value.fresh);
    if (!added.ok) return added;
  }
  const facts = importFacts(session, files, earlier, parts);
  const taken: readonly TaskFile[] = files.map(({ name, content: id, damage }) => {
    const history = histories.find((one) => one.name === name)?.history.history;
    const why = damage ?? facts.damaged.get(name) ?? null;
    return {
      name,
      content: id,
      ...(history === undefined ? {} : { history }),
      ...(why === null ? {} : { damaged: why }),
    };
  });
  const dialect = dialectOf(files);
  const isNew = taken.some(({ name, content: id }) => earlier.get(name) !== id);
  if (isNew) live.append([{ kind: 'task-imported', session: session.id, dialect, taken }]);
  if (session.agent === UNKNOWN_AGENT) parts.become(session.id, { agent: dialect });
  nameAfterTask(session, files, parts);
  return ok({
    session: session.id,
    dialect,
    messages: plan.value.counts,
    known: plan.value.known,
    facts: facts.taken,
    misplaced: facts.misplaced,
    damaged: taken.flatMap(({ name, damaged }) => (damaged === undefined ? [] : [{ name, why: damaged as Damage }])),
  });
}

function readFolderFile(name: string, bytes: Uint8Array, content: ContentId): ReadFile {
  const text = decodeUtf8(bytes);
  const read = text === null ? null : readTaskHistory(name, text);
  const isBroken = text === null && readTaskHistory(name, '') !== null;
  return {
    ...{ name, content, text },
    history: read?.ok === true ? read.value : null,
    damage: isBroken ? 'not JSON' : read?.ok === false ? read.error : null,
  };
}

type ChosenHistory = { readonly name: string; readonly history: TaskHistory };

/** The old file counts only where there is no new one that can be read. */
function chosenHistories(files: readonly ReadFile[]): readonly ChosenHistory[] {
  const readable = files.flatMap(({ name, history }) => (history === null ? [] : [{ name, history }]));
  return readable.filter(
    ({ name, history }) =>
      name !== LEGACY_FILE ||
      !readable.some((other) => other.name !== LEGACY_FILE && other.history.history === history.history),
  );
}

type Kept = Readonly<Record<HistoryName, readonly { readonly seq: number; readonly json: string | null }[]>>;

async function keptTasks(session: SessionId, messages: Messages): Promise<Kept> {
  const kept = (await messages.read(session)).filter(({ source }) => source?.kind === 'task');
  const of = (name: HistoryName) => kept.filter(({ history }) => history === name);
  return { model: of('model'), human: of('human') };
}

type MessagePlan = {
  readonly fresh: readonly NewMessage[];
  readonly counts: Readonly<Record<HistoryName, number>>;
  readonly known: number;
};

type FreshMessage = {
  readonly message: NewMessage;
  readonly source: { readonly file: string; readonly index: number };
  /** The messages of both histories in the order in which they were said. */
  readonly order: number;
  readonly modelIndex: number | null;
};

/** What is new in the files. A file that does not begin as what is kept is another conversation. */
function planMessages(
  session: SessionId,
  histories: readonly ChosenHistory[],
  kept: Kept,
): Outcome<MessagePlan, Refusal> {
  let known = 0;
  const fresh: FreshMessage[] = [];
  const model = histories.find(({ history }) => history.history === 'model')?.history ?? null;
  for (const { name, history } of histories) {
    const here = kept[history.history];
    const differs = here.findIndex(({ json }, index) => {
      const given = history.messages[index];
      return given !== undefined && given.json !== json;
    });
    if (differs >= 0)
      return failed({
        code: 'bad-input',
        why: `message ${differs + 1} of ${name} is not the one that session ${session} has; give it another id`,
      });
    known += Math.min(here.length, history.messages.length);
    let order = 0;
    history.messages.forEach(({ json, saidAt, summary, besideIndex }, index) => {
      // Times may go back; what stands later in the file came later.
      order = Math.max(order, saidAt ?? 0);
      if (index < here.length) return;
      const { form } = history;
      const modelIndex = history.history === 'human' ? (besideIndex ?? besideByTime(model, saidAt)) : null;
      const source = { kind: 'task', file: name, index } as const;
      const message = { history: history.history, form, json, summary, source };
      fresh.push({ order, modelIndex, source, message: saidAt === null ? message : { ...message, saidAt } });
    });
  }
  const isModels = ({ message }: FreshMessage) => message.history === 'model';
  fresh.sort((a, b) => a.order - b.order || Number(isModels(b)) - Number(isModels(a)));
  const nths = new Map(fresh.map(({ source }, nth) => [keyOf(source), nth]));
  const modelName = histories.find(({ history }) => history.history === 'model')?.name ?? '';
  const linked = fresh.map(({ modelIndex, message }): NewMessage => {
    if (modelIndex === null) return message;
    const seq = kept.model[modelIndex]?.seq;
    const nth = nths.get(keyOf({ file: modelName, index: modelIndex }));
    const beside = seq ?? (nth === undefined ? undefined : { nth });
    return beside === undefined ? message : { ...message, beside };
  });
  const count = (name: HistoryName) => linked.filter(({ history }) => history === name).length;
  return ok({ fresh: linked, counts: { model: count('model'), human: count('human') }, known });
}

function keyOf({ file, index }: { readonly file: string; readonly index: number }): string {
  return `${index} ${file}`;
}

/** The last message for the model that was there by then. */
function besideByTime(model: TaskHistory | null, saidAt: number | null): number | null {
  if (model === null || saidAt === null) return null;
  const index = model.messages.findLastIndex((message) => message.saidAt !== null && message.saidAt <= saidAt);
  return index < 0 ? null : index;
}

/** By name, the content that was last taken over. */
function takenBefore(session: SessionId, live: LiveLog): ReadonlyMap<string, ContentId> {
  const taken = new Map<string, ContentId>();
  for (const seq of live.views.conversations.sessions.get(session)?.imported ?? []) {
    const operation = live.log.get(seq);
    if (operation?.kind === 'task-imported') for (const { name, content } of operation.taken) taken.set(name, content);
  }
  return taken;
}

type Facts = { readonly taken: number; readonly misplaced: readonly string[]; readonly damaged: Map<string, Damage> };

function importFacts(
  session: SessionState,
  files: readonly ReadFile[],
  earlier: ReadonlyMap<string, ContentId>,
  { importMetadata }: TaskImportParts,
): Facts {
  const metadata = files.find(({ name }) => name === TASK_METADATA_FILE);
  if (metadata === undefined || earlier.get(TASK_METADATA_FILE) === metadata.content)
    return { taken: 0, misplaced: [], damaged: new Map() };
  const done = metadata.text === null ? null : importMetadata(session, metadata.text);
  if (done?.ok !== true) return { taken: 0, misplaced: [], damaged: new Map([[TASK_METADATA_FILE, 'not JSON']]) };
  return { taken: done.value.taken, misplaced: done.value.misplaced, damaged: new Map() };
}

function dialectOf(files: readonly ReadFile[]): TaskDialect {
  const metadata = files.find(({ name }) => name === TASK_METADATA_FILE)?.text ?? null;
  const parsed = metadata === null ? null : parseTaskMetadata(metadata);
  if (files.some(({ name }) => name === HISTORY_ITEM_FILE)) return 'roo';
  if (parsed?.ok === true && parsed.value.records.length > 0) return parsed.value.dialect;
  const isClines = files.some(({ text }) => text?.includes('"conversationHistoryIndex"') === true);
  return isClines || (parsed?.ok === true && parsed.value.dialect === 'cline') ? 'cline' : 'roo';
}

/** A session without a title gets the one that the program shows for it. */
function nameAfterTask(session: SessionState, files: readonly ReadFile[], { become }: TaskImportParts): void {
  if (session.title !== '') return;
  const item = parsed(files.find(({ name }) => name === HISTORY_ITEM_FILE)?.text ?? null);
  const task = typeof item === 'object' && item !== null && 'task' in item ? item.task : null;
  if (typeof task !== 'string') return;
  const line = task.trim().split('\n')[0]!.trim();
  if (line !== '') become(session.id, { title: line.slice(0, TITLE_LENGTH) });
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
