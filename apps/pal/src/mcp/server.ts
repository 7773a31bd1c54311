import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { VERSION } from '@palimpsest/protocol/light';
import type { Connection } from './connection/connection.js';
import { dispatch } from './dispatch.js';
import { registerResources } from './resources.js';
import { annotationsOf } from './tools/tool.js';
import { TOOLS } from './tools.js';

export const SERVER_NAME = 'palimpsest';

const INSTRUCTIONS = `Palimpsest records every change of files in this workspace and knows which version of each file you have seen.
If a file tool is refused because a file is stale or was never read, read the file again, then repeat the edit.
Use pal_read, pal_edit and pal_write only if you have no file tools of your own; the other pal_ tools show what has changed and by whom.
Paths are relative to the root of the workspace.`;

/** The server for one connection; it has yet to be connected to a transport. */
export function createServer(connection: Connection): McpServer {
  const server = new McpServer(
    { name: SERVER_NAME, title: 'Palimpsest', version: VERSION },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: INSTRUCTIONS,
    },
  );
  for (const tool of TOOLS) {
    const { name, title, description, effect, input, output } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        ...(output === null ? {} : { outputSchema: output }),
        annotations: { title, ...annotationsOf(effect) },
      },
      (asked: Record<string, unknown>, { mcpReq }: ServerContext) => {
        connection.introduce(nameOfClient(server, mcpReq.envelope));
        return dispatch(tool, asked, { connection, meta: mcpReq._meta });
      },
    );
  }
  registerResources(server, connection);
  return server;
}

/** Newer clients say it with every request, older ones once. */
function nameOfClient(server: McpServer, envelope: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const told = envelope?.[CLIENT_INFO_META_KEY] as { readonly name?: unknown } | undefined;
  return typeof told?.name === 'string' ? told.name : server.server.getClientVersion()?.name;
}
