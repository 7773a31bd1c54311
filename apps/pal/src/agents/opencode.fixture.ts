/** What opencode gave a plugin, one payload per hook, as captured. */
export const OPENCODE_PAYLOADS = {
  'event-session.created': {
    input: {
      event: {
        id: 'evt_1e064573c001ogk3bWz895QBeb',
        type: 'session.created',
        properties: { sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l' },
      },
    },
    directory: '/repo',
  },
  'event-session.idle': {
    input: {
      event: {
        id: 'evt_1e064727d001OYWCLLcRIZFbKc',
        type: 'session.idle',
        properties: { sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l' },
      },
    },
    directory: '/repo',
  },
  'chat.message': {
    input: { sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l', model: { providerID: 'fake', modelID: 'fake-model' } },
    output: {
      message: {
        id: 'msg_1e06457fb001lvHZ68Qf6IqDJq',
        role: 'user',
        sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
        time: { created: 1794766034939 },
        agent: 'build',
        model: { providerID: 'fake', modelID: 'fake-model' },
      },
      parts: [
        {
          type: 'text',
          text: '"Fix the add function."',
          messageID: 'msg_1e06457fb001lvHZ68Qf6IqDJq',
          sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
          id: 'prt_1e0645807001LTJorNYi0mCoG4',
        },
      ],
    },
    directory: '/repo',
  },
  'tool.execute.before-edit': {
    input: { tool: 'edit', sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l', callID: 'call_ae3281b78cd8eeebc6' },
    output: { args: { filePath: '/repo/src/app.js', oldString: 'return a - b', newString: 'return a + b' } },
    directory: '/repo',
  },
  'tool.execute.before-bash': {
    input: { tool: 'bash', sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l', callID: 'call_d23e8731135c9b3fbf' },
    output: {
      args: {
        command: 'echo from-bash >> hello.txt && cat hello.txt; echo env=$PROBE_SHELL_ENV',
        description: 'append',
      },
    },
    directory: '/repo',
  },
  'tool.execute.before-apply_patch': {
    input: { tool: 'apply_patch', sessionID: 'ses_e1f8be744ffeXJWaQoYexNl3u8', callID: 'call_f14dad9f3af27adb5f' },
    output: {
      args: {
        patchText: '*** Begin Patch\n*** Update File: f1.txt\n@@\n-one\n+uno\n*** Add File: NEW.md\n+hi\n*** End Patch',
      },
    },
    directory: '/repo',
  },
  'tool.execute.after-read': {
    input: {
      tool: 'read',
      sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
      callID: 'call_d551a796568fc710d5',
      args: { filePath: '/repo/src/app.js' },
    },
    output: {
      title: 'src/app.js',
      output:
        '<path>/repo/src/app.js</path>\n<type>file</type>\n<content>\n1: export function add(a, b) {\n2:   return a - b\n3: }\n\n(End of file - total 3 lines)\n</content>',
    },
    directory: '/repo',
  },
  'tool.execute.after-edit': {
    input: {
      tool: 'edit',
      sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
      callID: 'call_ae3281b78cd8eeebc6',
      args: { filePath: '/repo/src/app.js', oldString: 'return a - b', newString: 'return a + b' },
    },
    output: { title: 'src/app.js', output: 'Edit applied successfully.' },
    directory: '/repo',
  },
  'tool.execute.after-bash': {
    input: {
      tool: 'bash',
      sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
      callID: 'call_d23e8731135c9b3fbf',
      args: {
        command: 'echo from-bash >> hello.txt && cat hello.txt; echo env=$PROBE_SHELL_ENV',
        description: 'append',
      },
    },
    output: {
      title: 'echo from-bash >> hello.txt && cat hello.txt; echo env=$PROBE_SHELL_ENV',
      output: 'hello world\nsecond line\nfrom-bash\nenv=1\n',
    },
    directory: '/repo',
  },
  'tool.execute.after-probe_ws_checkpoint': {
    input: {
      tool: 'probe_ws_checkpoint',
      sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l',
      callID: 'call_7e41c038497438fa38',
      args: { label: 'x' },
    },
    output: { content: [{ type: 'text', text: 'probe ws_checkpoint ok pid=18558 cwd=/repo args={"label":"x"}' }] },
    directory: '/repo',
  },
  'event-file.edited': {
    input: {
      event: { id: 'evt_1e0646b06001tXA1oRg9fLmas0', type: 'file.edited', properties: { file: '/repo/src/app.js' } },
    },
    directory: '/repo',
  },
  dispose: { input: { sessionID: 'ses_e1f9ba8c4ffeia146NGeQVEn3l' }, directory: '/repo' },
} as const;
