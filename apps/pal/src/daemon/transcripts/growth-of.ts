import type { TranscriptReader } from '../../agents/transcript.js';
import { FileGrowth } from './file-growth.js';
import type { Growth } from './growth.js';
import { DocumentGrowth, RowGrowth } from './record-growth.js';

export function growthOf(reader: TranscriptReader, path: string, session: string): Growth {
  switch (reader.form) {
    case 'lines':
      return new FileGrowth(path, reader);
    case 'document':
      return new DocumentGrowth(path, reader);
    case 'rows':
      return new RowGrowth(path, session, reader);
  }
}
