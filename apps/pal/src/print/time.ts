const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Beyond this a date says more than a number of days. */
const DAYS_LIMIT = 14;

/** How long ago, in the words a person would use; a moment in the future is a clock that disagrees, and says so. */
export function ago(at: string | number, now: number): string {
  const moment = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(moment)) return String(at);
  const passed = now - moment;
  if (passed < -MINUTE)
    return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC (ahead of this clock)`;
  if (passed < 10 * SECOND) return 'just now';
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)} s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  const days = Math.floor(passed / DAY);
  if (days <= DAYS_LIMIT) return days === 1 ? 'yesterday' : `${days} days ago`;
  return new Date(moment).toISOString().slice(0, 10);
}

/** The time of day, for lists where the order matters and the date is near. */
export function clock(at: string | number): string {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? String(at) : moment.toTimeString().slice(0, 8);
}
