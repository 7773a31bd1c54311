/** What Codex gave its hooks, one payload per event, as captured. */
export const CODEX_PAYLOADS = {
  'SessionStart-startup': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    cwd: '/repo',
    hook_event_name: 'SessionStart',
    source: 'startup',
  },
  'SessionStart-resume': {
    session_id: '01a1e063-1f3f-7bf2-8b3c-cd5b9229a200',
    cwd: '/repo',
    hook_event_name: 'SessionStart',
    source: 'resume',
  },
  'SessionStart-compact': {
    session_id: '01a1e063-1f3f-7bf2-8b3c-cd5b9229a200',
    cwd: '/repo',
    hook_event_name: 'SessionStart',
    source: 'compact',
  },
  UserPromptSubmit: {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Fix the add function.',
  },
  'PreToolUse-Bash': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'cat src/app.js' },
    tool_use_id: 'call_4c1992d2aa0fdd1fce',
  },
  'PreToolUse-apply_patch': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'PreToolUse',
    tool_name: 'apply_patch',
    tool_input: {
      command:
        '*** Begin Patch\n*** Update File: src/app.js\n@@\n export function add(a, b) {\n-  return a - b\n+  return a + b\n }\n*** Add File: NEW.md\n+# new file\n*** End Patch\n',
    },
    tool_use_id: 'call_7c199a1ccfa9665d31',
  },
  'PostToolUse-Bash': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'cat src/app.js' },
    tool_response: 'export function add(a, b) {\n  return a - b\n}\n',
    tool_use_id: 'call_4c1992d2aa0fdd1fce',
  },
  'PostToolUse-apply_patch': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'PostToolUse',
    tool_name: 'apply_patch',
    tool_input: {
      command:
        '*** Begin Patch\n*** Update File: src/app.js\n@@\n export function add(a, b) {\n-  return a - b\n+  return a + b\n }\n*** Add File: NEW.md\n+# new file\n*** End Patch\n',
    },
    tool_response:
      'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA NEW.md\nM src/app.js\n',
    tool_use_id: 'call_7c199a1ccfa9665d31',
  },
  'PostToolUse-mcp__probe__ws_checkpoint': {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'PostToolUse',
    tool_name: 'mcp__probe__ws_checkpoint',
    tool_input: { label: 'x' },
    tool_response: {
      content: [{ type: 'text', text: 'probe ws_checkpoint ok pid=10388 cwd=/repo args={"label":"x"}' }],
    },
    tool_use_id: 'call_2c62e4d16bddc38497',
  },
  'PreCompact-auto': {
    session_id: '01a1e063-1f3f-7bf2-8b3c-cd5b9229a200',
    turn_id: '01a1e063-1f5f-7730-a153-2a15a40f3402',
    cwd: '/repo',
    hook_event_name: 'PreCompact',
    trigger: 'auto',
  },
  Stop: {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    turn_id: '01a1e060-7479-7801-9a90-972e019b082a',
    cwd: '/repo',
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'All done.',
  },
  SessionEnd: {
    session_id: '01a1e060-73fe-7950-8538-5701e77ac666',
    cwd: '/repo',
    hook_event_name: 'SessionEnd',
    reason: 'other',
  },
} as const;
