import { z } from 'zod';
import { Failure } from '../../face/failure.js';
import { changesSummary } from '../../print/changes.js';
import { modelStyle } from '../../print/plain.js';
import { guarded, MadeChange, madeChange, NoticeOutput, withNotices } from './guarded-call.js';
import { tool } from './tool.js';
import { FILE_BYTES_LIMIT, locate, readPlace } from './workspace-file.js';

export const writeTool = tool({
  name: 'pal_write',
  title: 'Write a file',
  description:
    'Makes a new file in the workspace, with the folders above it, or replaces the whole content of one that you have ' +
    'read. It is refused, and nothing is written, if the file has changed since you saw it or if you never saw it.',
  effect: 'replaces',
  input: z.object({
    path: z.string().meta({ description: 'Relative to the root of the workspace, or absolute.' }),
    content: z.string().meta({ description: 'The whole content, taken literally.' }),
  }),
  output: z.object({ path: z.string(), changes: z.array(MadeChange), notices: z.array(NoticeOutput) }),
  async run(asked, context) {
    const { path: written, content } = asked;
    const { connection } = context;
    const place = locate(await connection.root(), written);
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > FILE_BYTES_LIMIT)
      throw new Failure('too-large', `content is too large: the limit is ${FILE_BYTES_LIMIT} bytes`);
    // Read before the guard looks: what is replaced below must be nothing younger than what the guard approved.
    const before = await readPlace(place);
    const call = { tool: 'pal_write', action: 'Write', input: { path: place.path, content }, asked } as const;
    const done = await guarded(context, call, () => connection.replace({ path: place.path, before, next: bytes }));
    return {
      text: withNotices(`wrote ${place.path}; ${changesSummary(done.changes, modelStyle())}`, done.notices),
      data: { path: place.path, changes: done.changes.map(madeChange), notices: [...done.notices] },
    };
  },
});
