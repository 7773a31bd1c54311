import { anthropicBlocks } from './anthropic-content.js';
import { writtenBy } from './cline-prompt.js';
import { payloadOf, textAt } from './payload.js';
import { type DocumentReader, given, listOf, message, type TranscriptBlock, timeAt } from './transcript.js';

/** Cline writes its messages anew as a whole, in the form of the API of Anthropic. */
export const clineTranscript: DocumentReader = {
  form: 'document',
  records: (document) => listOf(payloadOf(document).messages),
  read(record, index) {
    const said = payloadOf(record);
    const blocks = anthropicBlocks(said.content).map(withoutMark);
    if (blocks.length === 0) return [];
    const id = textAt(said, 'id') ?? `message-${index}`;
    const facts = given({ at: timeAt(said, 'ts'), model: textAt(payloadOf(said.modelInfo), 'id') });
    return [message({ id, role: said.role === 'assistant' ? 'assistant' : 'user', blocks, ...facts })];
  },
};

function withoutMark(block: TranscriptBlock): TranscriptBlock {
  return block.type === 'text' ? { ...block, text: writtenBy(block.text) } : block;
}
