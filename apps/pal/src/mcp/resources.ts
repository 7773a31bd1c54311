import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { said } from '../face/client.js';
import { authorText, linesText, pathsText } from '../print/changes.js';
import { checkpointText, differencesText } from '../print/checkpoints.js';
import { modelStyle } from '../print/plain.js';
import type { Connection } from './connection/connection.js';
import { diffOf } from './tools/diff.js';

/** The newest ones; a client that wants another can name it. */
const LISTED = 100;

const DIFF_TYPE = 'text/x-diff';

export function registerResources(server: McpServer, connection: Connection): void {
  registerChanges(server, connection);
  registerCheckpoints(server, connection);
}

function registerChanges(server: McpServer, connection: Connection): void {
  const changes = new ResourceTemplate('palimpsest://changes/{id}', { list: () => listChanges(connection) });
  const about = {
    title: 'Change',
    description: 'One change of one file as a unified diff.',
    mimeType: DIFF_TYPE,
  };
  server.registerResource('change', changes, about, async (uri, { id }) => {
    const client = await connection.client();
    const found = await client.getChange({ params: { change: String(id) } });
    if (!found.ok && found.error.status === 404) throw new ResourceNotFoundError(uri.href);
    const text = await diffOf(client, said(found).change);
    return { contents: [{ uri: uri.href, mimeType: DIFF_TYPE, text }] };
  });
}

function registerCheckpoints(server: McpServer, connection: Connection): void {
  const template = new ResourceTemplate('palimpsest://checkpoints/{id}', { list: () => listCheckpoints(connection) });
  const about = {
    title: 'Checkpoint',
    description: 'One checkpoint, and which files have changed since.',
    mimeType: 'text/plain',
  };
  server.registerResource('checkpoint', template, about, async (uri, { id }) => {
    const client = await connection.client();
    const since = await client.diffCheckpoints({ params: { checkpoint: String(id) }, query: {} });
    if (!since.ok && since.error.status === 404) throw new ResourceNotFoundError(uri.href);
    const text = `since ${String(id)}:\n${differencesText(said(since).files, modelStyle())}\n`;
    return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] };
  });
}

async function listCheckpoints(connection: Connection) {
  const { checkpoints } = said(await (await connection.client()).listCheckpoints({ query: {} }));
  return {
    resources: checkpoints
      .slice(-LISTED)
      .toReversed()
      .map((checkpoint) => ({
        uri: `palimpsest://checkpoints/${encodeURIComponent(checkpoint.id)}`,
        name: checkpoint.id,
        title: checkpointText(checkpoint.reason, checkpoint, modelStyle()),
        description: `saved ${checkpoint.at}`,
        mimeType: 'text/plain',
      })),
  };
}

async function listChanges(connection: Connection) {
  const { changes } = said(await (await connection.client()).listChanges({ query: { status: 'all', limit: LISTED } }));
  return {
    resources: changes.toReversed().map((change) => ({
      uri: `palimpsest://changes/${encodeURIComponent(change.id)}`,
      name: change.id,
      title: `${change.kind} ${pathsText(change)}`,
      description: `${linesText(change)} by ${authorText(change)}, ${change.status}`,
      mimeType: DIFF_TYPE,
    })),
  };
}
