import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const ISSUES_LIMIT = 5;

/** For whoever wrote the input: what must be there, instead of what the schema expected. */
export function issuesInWords(issues: readonly Issue[]): string {
  return issues.slice(0, ISSUES_LIMIT).map(inWords).join('; ');
}

function inWords(issue: Issue): string {
  const name = nameOf(issue.path);
  const it = name === '' ? 'what was sent' : name;
  switch (issue.code) {
    case 'invalid_value':
      return `${it} must be ${either(issue.values.map((value) => (typeof value === 'string' ? value : String(value))))}`;
    case 'invalid_type':
      return `${it} must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'unrecognized_keys':
      return `${name === '' ? 'there' : name} has nothing called ${either(issue.keys)}`.replace(
        /^there has/,
        'there is',
      );
    case 'invalid_union':
      return `${it} has none of the forms that it can have`;
    case 'too_small':
      return `${it} must be ${bound(issue.origin, issue.minimum, 'least')}`;
    case 'too_big':
      return `${it} must be ${bound(issue.origin, issue.maximum, 'most')}`;
    case 'invalid_format':
      return `${it} is not written as ${FORMATS[issue.format] ?? issue.format}`;
    default:
      return name === '' ? issue.message : `${name}: ${issue.message}`;
  }
}

/** Amounts have a bound, texts and lists a length. */
function bound(origin: string, limit: number | bigint, which: 'least' | 'most'): string {
  const what = MEASURED[origin];
  if (what === undefined) return which === 'least' && Number(limit) === 0 ? '0 or more' : `at ${which} ${limit}`;
  if (which === 'least' && Number(limit) === 1) return `${TYPES[origin]} that is not empty`;
  return `${TYPES[origin]} of at ${which} ${limit} ${what}`;
}

const MEASURED: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const FORMATS: Readonly<Record<string, string>> = {
  base64: 'base64',
  datetime: 'a moment, such as 2026-01-31T12:00:00Z',
};

/** The parts of a request are ours to know; whoever sets a setting wrote only its name. */
function nameOf(path: readonly PropertyKey[]): string {
  return (path[0] === 'set' ? path.slice(1) : path).map(String).join('.');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
