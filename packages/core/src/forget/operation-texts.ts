import type { CallInput, Operation } from '../operation.js';

/** Gives a text back, the same or another. */
type Rewrite = (text: string) => string;

/**
 * An operation with every text that people or agents wrote into it rewritten; the same operation when none of them
 * changes. Ids, paths and numbers are what happened and stay. Of a kind that is not known every text is rewritten: no view
 * reads it.
 */
export function withTexts(operation: Operation, rewrite: Rewrite): Operation {
  const rewritten = rewriteTexts(operation, rewrite);
  return JSON.stringify(rewritten) === JSON.stringify(operation) ? operation : rewritten;
}

function rewriteTexts(operation: Operation, rewrite: Rewrite): Operation {
  switch (operation.kind) {
    case 'session-started':
    case 'session-renamed':
      return { ...operation, title: rewrite(operation.title) };
    case 'prompted':
      return { ...operation, text: rewrite(operation.text) };
    case 'call-began':
      return { ...operation, input: withoutTexts(operation.input, rewrite) };
    case 'message-added':
      return { ...operation, body: withoutTexts(operation.body, rewrite) };
    case 'decided': {
      const { comment, rejections } = operation;
      return {
        ...operation,
        ...(comment === undefined ? {} : { comment: rewrite(comment) }),
        ...(rejections === undefined
          ? {}
          : { rejections: rejections.map((rejection) => ({ ...rejection, text: rewrite(rejection.text) })) }),
      };
    }
    case 'commented':
      return {
        ...operation,
        comments: operation.comments.map(({ text, excerpt, ...comment }) => ({
          ...comment,
          text: rewrite(text),
          ...(excerpt === undefined ? {} : { excerpt: rewrite(excerpt) }),
        })),
      };
    case 'checkpoint-saved':
      return operation.message === undefined ? operation : { ...operation, message: rewrite(operation.message) };
    case 'workspace-opened':
    case 'transcript-read':
    case 'session-ended':
    case 'session-deleted':
    case 'history-reduced':
    case 'task-imported':
    case 'call-ended':
    case 'shown':
    case 'context-cut':
    case 'changed':
    case 'attributed':
    case 'committed':
    case 'acknowledged':
    case 'resolved':
    case 'checkpoint-deleted':
    case 'checkpoint-pinned':
    case 'restored':
    case 'undone':
    case 'worktree-made':
    case 'worktree-removed':
    case 'worktree-synced':
    case 'flowed':
    case 'forgotten':
    case 'open-files-set':
    case 'found':
    case 'patches-cleared':
    case 'log-salvaged':
      return operation;
    default: {
      const { seq, at, kind, ...body }: Operation = operation satisfies never;
      return { ...(mapStrings(body, rewrite) as object), seq, at, kind } as Operation;
    }
  }
}

/** The texts inside of it, so that it stays JSON; null where it would not. */
export function withoutTexts(input: CallInput | null, rewrite: Rewrite): CallInput | null {
  if (input === null || 'content' in input) return input;
  // As it stands where nothing is quoted: a message comes back exactly as it was given.
  if (rewrite(input.json) === input.json) return input;
  const json = JSON.stringify(mapStrings(JSON.parse(input.json), rewrite));
  // What still shows is a number, or lies across two texts.
  return rewrite(json) === json ? { json } : null;
}

function mapStrings(value: unknown, rewrite: Rewrite): unknown {
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, rewrite));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rewrite(key), mapStrings(item, rewrite)]));
}
