/*
 * Test files share the modules that a worker has loaded, so a hook that a fixture registers while it is loaded would serve
 * only the first file that imports it. What fixtures have to clear away they say here, once; the setup of every file has it
 * done.
 */

type Clearing = () => unknown;

const clearings: Readonly<Record<'test' | 'file', Clearing[]>> = { test: [], file: [] };

/** `what` is done after each test, or after the last one of each file. */
export function afterwards(when: 'test' | 'file', what: Clearing): void {
  clearings[when].push(what);
}

export async function clearAway(when: 'test' | 'file'): Promise<void> {
  for (const clearing of clearings[when]) await clearing();
}
