import { toColumn } from './column.js';
import type { LogQuery } from './log.js';
import type { SqlValue } from './sqlite.js';

type Sql = { readonly text: string; readonly values: readonly SqlValue[] };

/**
 * One condition drives, through its index, in the order of `seq`, so a limit ends the search early; the others filter.
 * The index is named because SQLite, knowing no statistics, would at times rather sort all matches of another.
 */
export function findSql(query: LogQuery): Sql {
  const order = `ORDER BY seq ${query.newestFirst === true ? 'DESC' : 'ASC'} LIMIT ?`;
  const parts = branchesOf(query);
  return {
    text: `${parts.map((part) => part.text).join(' UNION ALL ')} ${order}`,
    values: [...parts.flatMap((part) => part.values), query.limit ?? -1],
  };
}

/** Several kinds alone are searched kind by kind; SQLite merges such branches by `seq` as it goes. */
function branchesOf(query: LogQuery): readonly Sql[] {
  const narrow = query.path !== undefined || query.call !== undefined || query.session !== undefined;
  if (narrow || query.kinds === undefined) return [branch(query, query.kinds)];
  const kinds = [...new Set(query.kinds)];
  return kinds.length === 0 ? [branch(query, [])] : kinds.map((kind) => branch(query, [kind]));
}

function branch(query: LogQuery, kinds: readonly string[] | undefined): Sql {
  const seq = query.path === undefined ? 'operation.seq' : 'touched.seq';
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, value: SqlValue) => {
    conditions.push(condition);
    values.push(value);
  };
  if (query.path !== undefined) add('touched.path = ?', toColumn(query.path));
  if (query.call !== undefined) add('operation.call = ?', toColumn(query.call));
  if (query.session !== undefined) add('operation.session = ?', toColumn(query.session));
  if (kinds?.length === 1) add('operation.kind = ?', toColumn(kinds[0] as string));
  else if (kinds !== undefined) add('operation.kind IN (SELECT value FROM json_each(?))', JSON.stringify(kinds));
  if (query.since !== undefined) add(`${seq} > ?`, query.since);
  if (query.before !== undefined) add(`${seq} < ?`, query.before);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return { text: `SELECT ${seq} AS seq, operation.at, operation.body FROM ${sourceOf(query, kinds)} ${where}`, values };
}

function sourceOf(query: LogQuery, kinds: readonly string[] | undefined): string {
  if (query.path !== undefined) return 'touched CROSS JOIN operation ON operation.seq = touched.seq';
  if (query.call !== undefined) return 'operation INDEXED BY operation_call';
  if (query.session !== undefined) return 'operation INDEXED BY operation_session';
  return kinds?.length === 1 ? 'operation INDEXED BY operation_kind' : 'operation NOT INDEXED';
}
