#!/usr/bin/env node
// Written so that any Node can read it, however old: the first thing that a person on an old one hears is which is needed.
var needed = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) require('./start.js');
else {
  process.stderr.write(
    [
      ['pal: Node', needed.join('.'), 'or newer is needed, and this is', process.versions.node].join(' '),
      ['  \u2192 https://nodejs.org has it; what was started is', process.execPath].join(' '),
      '',
    ].join('\n'),
  );
  process.exit(1);
}
