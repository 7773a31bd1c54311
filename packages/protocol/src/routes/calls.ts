import {
  BeginAnswer,
  BeginBody,
  EndAnswer,
  EndBody,
  NoteAnswer,
  NoteBody,
  ReplaceAnswer,
  ReplaceBody,
} from '../schemas/call.js';
import { route } from './route.js';

export const callRoutes = {
  beginCall: route('beginCall', {
    summary: 'A tool call is about to run',
    body: BeginBody,
    answer: BeginAnswer,
  }),
  endCall: route('endCall', {
    summary: 'A tool call has run; what it changed',
    body: EndBody,
    answer: EndAnswer,
  }),
  replaceFile: route('replaceFile', {
    summary: 'One file written for a running call, if it is still what it was',
    body: ReplaceBody,
    answer: ReplaceAnswer,
  }),
  addNote: route('addNote', {
    summary: 'What was shown or said without a tool call',
    body: NoteBody,
    answer: NoteAnswer,
  }),
};
