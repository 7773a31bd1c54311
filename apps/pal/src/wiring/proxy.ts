/**
 * The variable that names a proxy through which an agent's requests to this machine would go, if there is one. Such a
 * proxy cannot reach us, and would see what it is asked to pass on.
 */
export function proxyInTheWay(environment: Readonly<Record<string, string | undefined>>): string | null {
  const named = (name: string) => [name, name.toUpperCase()].find((key) => (environment[key] ?? '') !== '');
  const exempt = environment[named('no_proxy') ?? '']?.split(/[\s,]+/) ?? [];
  if (exempt.some((host) => host === '127.0.0.1' || host === '*')) return null;
  return named('http_proxy') ?? named('https_proxy') ?? named('all_proxy') ?? null;
}
