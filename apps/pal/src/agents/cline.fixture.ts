/** What Cline gave a plugin, as captured, with what ours adds: the directory and the prompt. */
export const CLINE_PAYLOADS = {
  beforeRun: {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    prompt: '<user_input mode="act">Fix the add function.</user_input>',
    directory: '/repo',
  },
  'beforeTool-editor': {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    toolCall: {
      type: 'tool-call',
      toolCallId: 'call_1d25d2cbce4bf7df16',
      toolName: 'editor',
      input: { path: '/repo/hello.txt', old_text: 'hello', new_text: 'DENYSKIP' },
    },
    input: { path: '/repo/hello.txt', old_text: 'hello', new_text: 'DENYSKIP' },
    directory: '/repo',
  },
  'afterTool-editor': {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    toolCall: {
      type: 'tool-call',
      toolCallId: 'call_1d25d2cbce4bf7df16',
      toolName: 'editor',
      input: { path: '/repo/hello.txt', old_text: 'hello', new_text: 'DENYSKIP' },
    },
    input: { path: '/repo/hello.txt', old_text: 'hello', new_text: 'DENYSKIP' },
    result: { output: { error: 'stale: hello.txt changed since you read it' }, isError: true },
    directory: '/repo',
  },
  'afterTool-read_files': {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    toolCall: { type: 'tool-call', toolCallId: 'call_7a3ac4d47b1d6b7db1', toolName: 'read_files' },
    input: { files: [{ path: '/repo/src/app.js' }] },
    result: {
      output: [
        {
          query: '/repo/src/app.js',
          result: '1 | export function add(a, b) {\n2 |   return a - b\n3 | }',
          success: true,
        },
      ],
    },
    directory: '/repo',
  },
  'afterTool-run_commands': {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    toolCall: { type: 'tool-call', toolCallId: 'call_464fc13fafaa9106c3', toolName: 'run_commands' },
    input: { commands: ['echo from-bash >> hello.txt && cat hello.txt'] },
    result: {
      output: [
        {
          query: 'echo from-bash >> hello.txt && cat hello.txt',
          result: 'hello world\nsecond line\nfrom-bash\n',
          success: true,
        },
      ],
    },
    directory: '/repo',
  },
  afterRun: {
    snapshot: {
      agentId: 'agent_1794767641984_hoocfz',
      conversationId: 'conv_1794767642581_lpvi0zv',
      runId: 'run_ixvu7GJH',
      status: 'running',
      iteration: 1,
    },
    directory: '/repo',
  },
  shutdown: {
    snapshot: { agentId: 'agent_1794767641984_hoocfz', conversationId: 'conv_1794767642581_lpvi0zv' },
    directory: '/repo',
  },
} as const;
