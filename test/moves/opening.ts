import type { Stage } from './stage.js';
import { Violation } from './violation.js';

const STOCK_LIMIT_MS = 120_000;

/** Until everything was gone through once. */
export async function stockTaken(stage: Stage): Promise<void> {
  const end = Date.now() + STOCK_LIMIT_MS;
  for (;;) {
    const status = stage.good(await stage.desk.status(), 'status');
    if (status.takingStock !== true) return;
    if (Date.now() > end) throw new Violation(7, `stock is being taken for ${STOCK_LIMIT_MS} ms`);
  }
}
