import { BeginAnswer, BeginBody, EndAnswer, EndBody, NoteAnswer, NoteBody } from '../schemas/call.js';
import { route, WorkspaceParams } from './route.js';

export const callRoutes = {
  beginCall: route('beginCall', {
    summary: 'A tool call is about to run',
    params: WorkspaceParams,
    body: BeginBody,
    answer: BeginAnswer,
  }),
  endCall: route('endCall', {
    summary: 'A tool call has run; what it changed',
    params: WorkspaceParams,
    body: EndBody,
    answer: EndAnswer,
  }),
  addNote: route('addNote', {
    summary: 'What was shown or said without a tool call',
    params: WorkspaceParams,
    body: NoteBody,
    answer: NoteAnswer,
  }),
};
