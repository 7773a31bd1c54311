import {
  anthropicRequest,
  decodeUtf8,
  encodeUtf8,
  fileRecordsOf,
  formatTaskMetadata,
  HISTORY_ITEM_FILE,
  HISTORY_KINDS,
  type HistoryName,
  HUMAN_FILE,
  type JsonArrayText,
  joinJsonArray,
  LEGACY_FILE,
  type Message,
  MODEL_FILE,
  parseTaskMetadata,
  readMessage,
  readTaskHistory,
  type Seq,
  type SessionState,
  TASK_METADATA_FILE,
  type TaskDialect,
  type TaskFile,
  taskHumanJson,
  taskModelJson,
  withItems,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { KeptMessage } from '../conversation/message.js';
import type { Messages } from '../conversation/messages.js';
import type { LiveLog } from '../store/live-log.js';
import type { FolderFile } from './task-import.js';

export type TaskExportParts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly messages: Messages;
};

const NAMES: Readonly<Record<HistoryName, string>> = { model: MODEL_FILE, human: HUMAN_FILE };
const EMPTY_LIST: JsonArrayText = { before: '[', items: [], between: [], after: ']' };
/** What stands behind the name of a file that could not be read when it was taken over. */
const DAMAGED = '.damaged';

/**
 * The files of a task folder, as Roo or Cline read them. What was taken over and has not changed comes out byte for byte; a
 * history without a message has no file, because those programs take an empty list for what was said.
 */
export async function exportTask(
  session: SessionState,
  dialect: TaskDialect,
  parts: TaskExportParts,
): Promise<readonly FolderFile[]> {
  const taken = await takenFiles(session, parts);
  const files: FolderFile[] = [];
  const all = await parts.messages.read(session.id);
  for (const history of ['model', 'human'] as const) {
    const text = historyText(history, all, taken);
    if (text !== null) files.push({ name: NAMES[history], bytes: encodeUtf8(text) });
  }
  const metadata = taken.get(TASK_METADATA_FILE);
  files.push({ name: TASK_METADATA_FILE, bytes: metadataBytes(session, dialect, metadata, parts) });
  if (dialect === 'roo' && !taken.has(HISTORY_ITEM_FILE) && all.length > 0)
    files.push({ name: HISTORY_ITEM_FILE, bytes: encodeUtf8(historyItem(session, all, files, parts.root)) });
  for (const [name, { file, bytes }] of taken) {
    if (file.damaged !== undefined) files.push({ name: `${name}${DAMAGED}`, bytes });
    else if (file.history === undefined && name !== TASK_METADATA_FILE && name !== LEGACY_FILE)
      files.push({ name, bytes });
  }
  return files;
}

/** The contents of the legacy file that were taken over: only then may it go. */
export async function takenLegacy(session: SessionState, parts: TaskExportParts): Promise<Uint8Array | null> {
  const legacy = (await takenFiles(session, parts)).get(LEGACY_FILE);
  return legacy === undefined || legacy.file.damaged !== undefined ? null : legacy.bytes;
}

type Taken = { readonly file: TaskFile; readonly bytes: Uint8Array; readonly seq: Seq };

/** By name, as it was last taken over, as long as its bytes are there. */
async function takenFiles(
  session: SessionState,
  { live, content }: TaskExportParts,
): Promise<ReadonlyMap<string, Taken>> {
  const taken = new Map<string, Taken>();
  for (const seq of live.views.conversations.sessions.get(session.id)?.imported ?? []) {
    const operation = live.log.get(seq);
    if (operation?.kind !== 'task-imported') continue;
    for (const file of operation.taken) {
      const bytes = await content.get(file.content);
      if (bytes.ok) taken.set(file.name, { file, bytes: bytes.value, seq });
    }
  }
  return taken;
}

/** As it was written, with what came since in the same manner. Null where nothing was said. */
function historyText(
  history: HistoryName,
  all: readonly KeptMessage[],
  taken: ReadonlyMap<string, Taken>,
): string | null {
  const own = all.filter((message) => message.history === history && message.json !== null && message.summary !== true);
  const source = [...taken.values()].find(({ file }) => file.history === history);
  const text = source === undefined ? null : decodeUtf8(source.bytes);
  const read = source === undefined || text === null ? null : readTaskHistory(source.file.name, text);
  const frame = read?.ok === true ? read.value.text : EMPTY_LIST;
  // What a summary stands for is said too, and those programs would show it twice.
  const summaries = all.filter((one) => one.history === history && one.summary === true && one.source?.kind === 'task');
  const said = [...own, ...summaries].sort((a, b) => a.seq - b.seq);
  const items =
    said.length > 0 || history === 'model'
      ? said.flatMap((message, index) => itemsOf(history, message, index === 0))
      : all.filter((one) => one.history === 'model').flatMap((one, index) => itemsOf('human', one, index === 0));
  return items.length === 0 ? null : joinJsonArray(withItems(frame, items));
}

function itemsOf(history: HistoryName, message: KeptMessage, isFirst: boolean): readonly string[] {
  const { json, form } = message;
  if (json === null) return [];
  const isOfForm = history === 'human' ? form === 'roo-ui' : form === 'anthropic' || form === 'ai-sdk';
  if (isOfForm && message.history === history) return [json];
  const said = readMessage(form, JSON.parse(json));
  const at = message.saidAt ?? message.at;
  if (history === 'human') return taskHumanJson(said, at, isFirst);
  return [taskModelJson(said, contentOf(said), at)];
}

function contentOf(message: Message): readonly unknown[] {
  const [told] = anthropicRequest({ system: [], messages: [{ from: [], message }] }).messages;
  return (told as { readonly content: readonly unknown[] }).content;
}

function metadataBytes(
  session: SessionState,
  dialect: TaskDialect,
  taken: Taken | undefined,
  { live }: TaskExportParts,
): Uint8Array {
  const kinds = ['shown', ...HISTORY_KINDS] as const;
  const text = taken === undefined ? null : decodeUtf8(taken.bytes);
  const parsed = text === null ? null : parseTaskMetadata(text);
  if (taken === undefined || parsed?.ok !== true) {
    const records = fileRecordsOf(live.log.find({ kinds }), session.id);
    return encodeUtf8(formatTaskMetadata({ dialect, records, extra: {} }));
  }
  const isUntouched = live.log.find({ kinds, session: session.id, since: taken.seq, limit: 1 }).length === 0;
  if (isUntouched && parsed.value.dialect === dialect) return taken.bytes;
  const later = fileRecordsOf(live.log.find({ kinds, since: taken.seq }), session.id);
  const paths = new Set(later.map(({ path }) => path));
  const earlier = parsed.value.records.map((record) =>
    paths.has(record.path) ? { ...record, state: 'stale' as const } : record,
  );
  return encodeUtf8(formatTaskMetadata({ ...parsed.value, dialect, records: [...earlier, ...later] }));
}

/** What Roo lists a task by. */
function historyItem(
  session: SessionState,
  all: readonly KeptMessage[],
  files: readonly FolderFile[],
  workspace: string,
): string {
  const sum = (side: 'input' | 'output') => all.reduce((total, { usage }) => total + (usage?.[side] ?? 0), 0);
  const last = all.at(-1)!;
  const first = all.find(({ role, json }) => role === 'user' && json !== null);
  const asked = first === undefined ? null : readMessage(first.form, JSON.parse(first.json!));
  const text = asked?.blocks.find((block) => block.type === 'text');
  return JSON.stringify({
    id: session.id,
    number: 1,
    ts: last.saidAt ?? last.at,
    task: session.title !== '' ? session.title : (text?.text ?? session.id),
    tokensIn: sum('input'),
    tokensOut: sum('output'),
    totalCost: 0,
    size: files.reduce((total, { bytes }) => total + bytes.length, 0),
    workspace,
  });
}
