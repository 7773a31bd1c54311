import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient } from '@palimpsest/protocol/client';
import { VERSION } from '@palimpsest/protocol/light';
import { said } from '../face/client.js';
import { connect } from '../link/connect.js';
import { Connection } from './connection/connection.js';
import { type Roots, workingFolder } from './roots.js';
import { createServer } from './server.js';

export type StdioOptions = {
  /** Where we were started, or where -C points: absolute. */
  readonly directory: string;
  /** `given` by the user, who knows better than what the client offers. */
  readonly folder: 'given' | 'inherited';
  /** The folder with all of our data. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly complain: (error: Error) => void;
};

/** One message may hold a file twice, as old and new text; whatever is larger ends the connection. */
const MESSAGE_BYTES_LIMIT = 48 * 1024 * 1024;
/** The client is gone and waits for nothing any more. */
const FAREWELL_MS = 2_000;
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves the client on standard input and output until it closes its end. */
export async function serveMcpOnStdio(options: StdioOptions): Promise<void> {
  let server: McpServer | null = null;
  const connection = new Connection({
    reach: async () => said(await connect(connectOptions(options, 'if-needed'))).address,
    folder: () =>
      options.folder === 'given'
        ? Promise.resolve(options.directory)
        : workingFolder(options.directory, server === null ? null : rootsOf(server)),
  });
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES_LIMIT });
  // A client may look first which version we speak, and then begin anew; both are the same connection.
  const factory = () => {
    server = createServer(connection);
    return server;
  };
  const served = serveStdio(factory, { transport, onerror: options.complain });
  for (const signal of ENDING) process.once(signal, () => void served.close());
  await closed(transport);
  await sayFarewell(connection, options);
}

function rootsOf(server: McpServer): Roots {
  return {
    offered: server.server.getClientCapabilities()?.roots !== undefined,
    list: async (timeoutMs) => (await server.server.listRoots(undefined, { timeout: timeoutMs })).roots,
  };
}

/** The entry owns the transport's own callback, so the end is heard beside it. */
function closed(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
}

/** The session ends with its client. A daemon that is not running is not started for that. */
async function sayFarewell(connection: Connection, options: StdioOptions): Promise<void> {
  if (!connection.hasOwnSession) return;
  const found = await connect({ ...connectOptions(options, 'never'), timeoutMs: FAREWELL_MS });
  if (!found.ok) return;
  const client = createClient({ ...found.value.address, workspaceRoot: await connection.root() });
  await Promise.race([
    client.endSession({ params: { session: connection.id } }),
    new Promise((resolve) => setTimeout(resolve, FAREWELL_MS)),
  ]);
}

function connectOptions({ data, environment }: StdioOptions, start: 'if-needed' | 'never') {
  return { dataDir: data, version: VERSION, start, environment };
}
