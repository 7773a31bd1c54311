import { readdirSync } from 'node:fs';
import { AGENT_NAMES } from '../../apps/pal/src/agents/agents.js';
import type { Driver } from './driver.fixture.js';

/** Every driver that stands in this folder, in the order of the agents. */
export async function allDrivers(): Promise<readonly Driver[]> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.driver.fixture.ts'));
  const drivers = await Promise.all(files.map(driverIn));
  return AGENT_NAMES.map((name) => {
    const driver = drivers.find(({ agent }) => agent === name);
    if (driver === undefined) throw new Error(`${name} has no driver in test/agents`);
    return driver;
  });
}

async function driverIn(file: string): Promise<Driver> {
  const exported = Object.values((await import(`./${file}`)) as Readonly<Record<string, unknown>>);
  return exported.find((value): value is Driver => typeof value === 'object' && value !== null && 'agent' in value)!;
}
