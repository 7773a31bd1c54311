/** What `bench/hooks.mjs` takes from here: the agents as the stories drive them. */
export { claudeDriver } from './claude.driver.fixture.js';
export { clineDriver } from './cline.driver.fixture.js';
export { codexDriver } from './codex.driver.fixture.js';
export { geminiDriver } from './gemini.driver.fixture.js';
export { opencodeDriver } from './opencode.driver.fixture.js';
export { programOf } from './programs.fixture.js';
export { Seat } from './seat.fixture.js';
