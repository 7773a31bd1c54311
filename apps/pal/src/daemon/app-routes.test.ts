import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, ROUTES, WorkspaceStatus } from '@palimpsest/protocol';
import { afterAll, expect, test } from 'vitest';
import { parseInput } from '../face/face.js';
import { AUTHORITY, must, Stage, TOKEN } from './app.fixture.js';

const stage = new Stage();
afterAll(() => stage.close());

function makeWorkspace(files: Readonly<Record<string, string>> = {}) {
  const root = stage.makeRoot();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return { root, client: stage.client(root) };
}

test('[SRV1a] one edit, from its announcement to its patch', async () => {
  const { root, client } = makeWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
  must(await client.startSession({ body: { id: 's', agent: 'claude', title: 'work' } }));
  must(await client.addNote({ body: { kind: 'read', session: 's', path: 'a.txt', lines: [1, 3] } }));
  const input = { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' };
  expect(must(await client.beginCall({ body: { session: 's', callId: '1', tool: 'Edit', input } }))).toEqual({
    decision: 'allow',
    notices: [],
  });
  expect(must(await client.status()).openCalls).toEqual([{ session: 's', callId: '1', tool: 'Edit' }]);
  writeFileSync(join(root, 'a.txt'), 'one\nTWO\nthree\n');
  const { changes, known } = must(await client.endCall({ body: { session: 's', callId: '1', ok: true } }));
  expect([known, changes.length]).toEqual([true, 1]);
  const [change] = changes;
  expect(change).toMatchObject({
    session: 's',
    agent: 'claude',
    path: 'a.txt',
    kind: 'modify',
    evidence: 'exact',
    status: 'pending',
  });
  expect(must(await client.listChanges({ query: { call: '1' } })).changes).toEqual(changes);
  expect(must(await client.getChange({ params: { change: change!.id } })).hunks[0]).toMatchObject({
    oldStart: 2,
    newStart: 2,
    text: '-two\n+TWO\n',
  });
  expect(text(must(await client.getPatch({ params: { change: change!.id } })))).toContain(
    '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
  );
  expect(text(must(await client.getContent({ params: { content: change!.after!.content } })))).toBe(
    'one\nTWO\nthree\n',
  );
  const status = must(await client.status());
  expect(WorkspaceStatus.strict().parse(status)).toEqual(status);
  expect(status).toMatchObject({
    pending: { changes: 1, hunks: 1, files: 1 },
    sessions: [{ id: 's', pending: 1 }],
    stale: [],
  });
  const { operations, seq } = must(await client.listOperations({ query: { since: 1, limit: 2 } }));
  expect(operations.map((operation) => operation.seq)).toEqual([2, 3]);
  // Checkpoints save themselves a moment after the answer.
  expect(seq).toBeGreaterThanOrEqual(status.seq);
});

test('[SRV1a] a stale edit is denied over HTTP as well, and what is stale is listed', async () => {
  const { root, client } = makeWorkspace({ 'a.txt': 'one\n' });
  must(await client.addNote({ body: { kind: 'read', session: 's', path: 'a.txt' } }));
  writeFileSync(join(root, 'a.txt'), 'other\n');
  const input = { file_path: 'a.txt', content: 'mine\n' };
  const denied = must(await client.beginCall({ body: { session: 's', callId: '1', tool: 'Write', input } }));
  expect(denied).toMatchObject({ decision: 'deny', reason: expect.stringContaining('a.txt has changed') });
  expect(must(await client.listStale({ query: { session: 's' } })).files).toMatchObject([
    { session: 's', path: 'a.txt', state: 'stale' },
  ]);
  expect(must(await client.status()).stale).toEqual([{ session: 's', path: 'a.txt', state: 'stale' }]);
  const { notices, seq } = must(await client.getNotices({ params: { session: 's' } }));
  expect(notices).toMatchObject([{ kind: 'changed-outside', path: 'a.txt' }]);
  must(await client.acknowledge({ params: { session: 's' }, body: { upTo: seq } }));
  expect(must(await client.getNotices({ params: { session: 's' } })).notices).toEqual([]);
});

test('[SRV1a] a session is started, renamed, ended, deleted', async () => {
  const { client } = makeWorkspace();
  const { session } = must(await client.startSession({ body: { agent: 'a' } }));
  expect(
    must(await client.renameSession({ params: { session: session.id }, body: { title: 'new' } })).session.title,
  ).toBe('new');
  expect(must(await client.endSession({ params: { session: session.id } })).session).toMatchObject({
    state: 'ended',
    endedAt: expect.any(String),
  });
  expect(must(await client.listSessions()).sessions).toHaveLength(1);
  must(await client.deleteSession({ params: { session: session.id } }));
  expect(must(await client.listSessions()).sessions).toEqual([]);
  expect(await client.getSession({ params: { session: session.id } })).toMatchObject({
    ok: false,
    error: { exit: 4, error: { code: 'unknown-session' } },
  });
});

test('[CAP4h] of a session that is started within another the inner one is the author', async () => {
  const { root, client } = makeWorkspace({ a: '1\n' });
  must(await client.startSession({ body: { id: 'outer' } }));
  must(await client.startSession({ body: { id: 'inner', parent: 'outer' } }));
  for (const session of ['outer', 'inner'])
    must(await client.beginCall({ body: { session, callId: session, tool: 'Bash', input: { command: 'make' } } }));
  writeFileSync(join(root, 'a'), '2\n');
  const { changes } = must(await client.endCall({ body: { session: 'inner', callId: 'inner', ok: true } }));
  expect(changes).toMatchObject([{ path: 'a', session: 'inner' }]);
});

test('[SRV1b] every spelling of a folder is one workspace, and a folder inside belongs to it', async () => {
  const { root, client } = makeWorkspace();
  execFileSync('git', ['init', '-q', root]);
  mkdirSync(join(root, 'sub'));
  symlinkSync(root, join(stage.folder, 'link'));
  const id = must(await client.workspaceId());
  for (const spelled of [join(root, 'sub'), join(stage.folder, 'link'), join(stage.folder, 'link', 'sub', '..')]) {
    expect(must(await stage.client(spelled).workspaceId())).toBe(id);
  }
  const exact = must(await client.openWorkspace({ body: { root: join(root, 'sub'), exact: true } })).workspace;
  expect(exact.id).not.toBe(id);
});

test('[SRV1b] without git, a folder inside a known one belongs to it', async () => {
  const { root, client } = makeWorkspace();
  const id = must(await client.workspaceId());
  mkdirSync(join(root, 'deep', 'er'), { recursive: true });
  expect(must(await stage.client(join(root, 'deep', 'er')).workspaceId())).toBe(id);
});

test('[SRV5g] a workspace that cannot be opened fails alone, and is tried again', async () => {
  const good = makeWorkspace();
  const bad = makeWorkspace();
  must(await good.client.status());
  const id = must(await bad.client.workspaceId());
  await stage.workspaces.closeIdle((hosted) => hosted.workspace.id === id);
  rmSync(bad.root, { recursive: true });
  expect(await bad.client.status()).toMatchObject({ ok: false, error: { exit: 4, error: { code: 'not-a-folder' } } });
  must(await good.client.status());
  mkdirSync(bad.root);
  must(await bad.client.status());
});

test('[SRV5g] when our data is taken from under us, the answer says so', async () => {
  const own = new Stage();
  const root = own.makeRoot();
  const client = own.client(root);
  const call = { session: 's', callId: 'c', tool: 'Bash', input: { command: 'make' }, cwd: root, agent: 'a' };
  must(await client.beginCall({ body: call }));
  writeFileSync(join(root, 'made'), 'made\n');
  must(await client.endCall({ body: { session: 's', callId: 'c' } }));
  renameSync(own.dataDir, `${own.dataDir}-moved`);
  const answer = await client.reject({ body: { all: true } });
  expect(answer).toMatchObject({
    ok: false,
    error: { error: { code: 'io', message: expect.stringContaining(own.dataDir) } },
  });
  renameSync(`${own.dataDir}-moved`, own.dataDir);
  expect(must(await client.reject({ body: { all: true } })).written).toEqual(['made']);
  await own.close();
});

test('[SRV5m] a workspace that was moved away is refused, and is as it was when it is back', async () => {
  const own = new Stage();
  const root = own.makeRoot();
  const client = own.client(root);
  must(await client.startSession({ body: { id: 's', agent: 'a' } }));
  renameSync(root, `${root}-moved`);
  for (const answer of [
    await client.status(),
    await client.listChanges({ query: {} }),
    await client.listStale({ query: {} }),
  ])
    expect(answer).toMatchObject({ ok: false, error: { status: 404, error: { code: 'not-a-folder', root } } });
  renameSync(`${root}-moved`, root);
  expect(must(await client.listSessions()).sessions.map(({ id }) => id)).toEqual(['s']);
  await own.close();
});

test('[SEC4i] a request that is nested too deeply is refused, and so is what comes on standard input', async () => {
  const { client } = makeWorkspace();
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const begin = (levels: number) =>
    client.beginCall({ body: { session: 's', callId: `c${levels}`, tool: 'Edit', input: deep(levels) } });
  expect(await begin(2_000)).toMatchObject({ ok: false, error: { status: 400, error: { code: 'bad-input' } } });
  must(await begin(100));
  expect(() => parseInput(`{"input":${'['.repeat(100_000)}`)).toThrow('nested too deeply');
});

test('[SRV5h] a workspace that was closed opens again when it is asked for', async () => {
  const { client } = makeWorkspace();
  must(await client.startSession({ body: { id: 's', agent: 'a' } }));
  await stage.workspaces.closeIdle(() => true);
  expect(stage.workspaces.listOpen()).toEqual([]);
  expect(must(await client.getSession({ params: { session: 's' } })).session.agent).toBe('a');
});

test('[SRV5h] a workspace is not closed while somebody is with it', async () => {
  const { client } = makeWorkspace();
  const id = must(await client.workspaceId());
  const { leave } = must(await stage.workspaces.enter(id));
  await stage.workspaces.closeIdle(() => true);
  expect(stage.isOpen(id)).toBe(true);
  leave();
  await stage.workspaces.closeIdle(() => true);
  expect(stage.isOpen(id)).toBe(false);
});

test('[SRV5h] opening and closing at the same time leave one open workspace that works', async () => {
  const { client } = makeWorkspace();
  must(await client.workspaceId());
  for (let round = 0; round < 5; round++) {
    const [status] = await Promise.all([
      client.listSessions(),
      stage.workspaces.closeIdle(() => true),
      client.startSession({ body: { id: `s${round}` } }),
    ]);
    must(status);
  }
  expect(must(await client.listSessions()).sessions).toHaveLength(5);
});

test('[SRV1a] every route is described by an OpenAPI 3.1 document', async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, host: AUTHORITY };
  const response = await stage.app.request(`http://${AUTHORITY}/openapi.json`, { headers });
  const document = (await response.json()) as {
    readonly openapi: string;
    readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
    readonly components: { readonly schemas: object };
  };
  expect(document.openapi).toBe('3.1.0');
  for (const [name, { method, path }] of Object.entries(ENDPOINTS)) {
    expect(document.paths[path]?.[method]?.operationId).toBe(name);
  }
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Change', 'Hunk', 'Session', 'Status', 'Notice', 'Error']),
  );
  expect(Object.keys(ROUTES)).toHaveLength(
    Object.values(document.paths).flatMap((methods) => Object.keys(methods as object)).length,
  );
});

test('[SRV5d] a daemon that is stopping takes on nothing new, and says so', async () => {
  const { client } = makeWorkspace();
  must(await client.status());
  stage.life.stopping = true;
  expect(await client.status()).toMatchObject({ ok: false, error: { status: 503, error: { code: 'stopping' } } });
  expect(must(await client.health()).status).toBe('stopping');
  stage.life.stopping = false;
  must(await client.shutdown());
  expect(stage.life.stops).toBe(1);
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
