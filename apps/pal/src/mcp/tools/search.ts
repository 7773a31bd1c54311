import { SearchHit } from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { hitsText } from '../../print/messages.js';
import { modelStyle } from '../../print/plain.js';
import { tool } from './tool.js';

export const searchTool = tool({
  name: 'pal_search',
  title: 'Find what was said',
  description:
    'What was asked, answered or done in this workspace, by its words, in earlier sessions too: all of the words must be ' +
    'there; "words between quotation marks" as they stand.',
  effect: 'looks',
  input: z.object({
    text: z.string().meta({ description: 'The words to look for.' }),
    session: z.string().optional().meta({ description: 'Only in this session.' }),
    limit: z.int().min(1).max(100).optional().meta({ description: 'So many hits at most; 20 without it.' }),
  }),
  output: z.object({ hits: z.array(SearchHit) }),
  async run(query, { connection }) {
    const answer = said(await (await connection.client()).search({ query }));
    return { text: hitsText(answer.hits, modelStyle()), data: answer };
  },
});
