import { anthropicBlocks } from './anthropic-content.js';
import { writtenBy } from './cline-prompt.js';
import { payloadOf, textAt } from './payload.js';
import { type DocumentReader, given, listOf, message, type TranscriptBlock, timeAt } from './transcript.js';

/** Cline writes its messages anew as a whole, in the form of the API of Anthropic. */
export const clineTranscript: DocumentReader = {
  form: 'document',
  read(document) {
    return listOf(payloadOf(document).messages).flatMap((value, index) => {
      const said = payloadOf(value);
      const blocks = anthropicBlocks(said.content).map(withoutMark);
      if (blocks.length === 0) return [];
      return [
        message({
          id: textAt(said, 'id') ?? `message-${index}`,
          role: said.role === 'assistant' ? 'assistant' : 'user',
          blocks,
          ...given({ at: timeAt(said, 'ts'), model: textAt(payloadOf(said.modelInfo), 'id') }),
        }),
      ];
    });
  },
};

function withoutMark(block: TranscriptBlock): TranscriptBlock {
  return block.type === 'text' ? { ...block, text: writtenBy(block.text) } : block;
}
