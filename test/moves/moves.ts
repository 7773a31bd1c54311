/**
 * The moves of real days, by column, as the table of moves lists them. A move that no test can make says why; every other
 * one has to come in a long run.
 */
export const MOVES = {
  'agent, file tools': listed(
    'read whole · read a range · re-read a range after a change · edit · several edits in one call · write new · write over · write over from an old view · insert by line number · apply a patch · delete · rename',
  ),
  'agent, shell': listed(
    'one file · many files · a new folder with 2 files · a new folder with 3 files · a new folder with 50 files · nested new folders · remove a folder · move a folder · swap two folders · rename · delete · rename with an edit · rename with chmod · copy · sed -i · append · formatter over everything · generator · unpack an archive · git checkout · git stash · git stash pop · git commit · git commit --amend · git rebase · git merge · git reset · git clean · git worktree add · a server that goes on writing · background that writes after the end · a command that fails half-way',
  ),
  'human, editor': listed(
    'save in place · atomic save · truncate, pause, write · save the same bytes · change and change back · save from an old buffer · undo in the editor · create · delete · rename · a save during our own write · an announced save',
  ),
  'human, terminal': listed(
    'a shell move · a git move · npm install · editing an ignored file · making and removing a folder · ignore rules that go and come back',
  ),
  others: listed(
    'a second agent in the same files · a subagent · a watcher that rewrites what is saved · a sync client that touches times · a build writing ignored files',
  ),
  'On what': {
    ...listed(
      'LF · CRLF · mixed · BOM · no final newline · empty · one line of 1 MB · 80,000 lines · binary · invalid UTF-8 · equal contents in two files · executable · symlink to file · symlink to folder · symlink outside · symlink to nowhere · FIFO · socket · name with space · name with quote · name with newline · name with leading dash · name in NFC · name in NFD · name with escapes · name of 255 bytes · ignored · untracked · tracked · in a nested repository · in a submodule · larger than the limit',
    ),
    unreadable: 'the tests run as root, to whom nothing is unreadable',
    'read-only folder': 'the tests run as root, to whom nothing is read-only',
  },
  When: {
    ...listed(
      'right after the workspace was opened · while stock is being taken · just before begin · between begin and the tool · while the tool runs · a file half written · between the tool and end · end late · end twice · end never · begin late · two calls overlapping · two calls nested · two calls crossing · during our own reject · during our own restore · during our own gc · daemon down · daemon stopped (SIGSTOP) · daemon killed in mid-call · daemon killed with several calls open · daemon killed between calls · daemon killed during our own reject · daemon killed during our own restore · after a restart · after the files changed while nothing ran',
    ),
    'during our own forget': 'forgetting writes nothing into the workspace; its own stories race it',
    'machine at load 20': 'the load is what else the machine does; run several of these at once',
    'clock of the file system coarser than the writes':
      'every run: the writes of one step fall into one tick of the clock',
    'replaced by a newer daemon': 'there is one version of the program; lifecycle.test.ts replaces it',
  },
  'What is asked of us': listed(
    'accept a hunk · accept a change · accept a file · accept a folder · accept a call · accept a session · accept all · reject a hunk · reject a change · reject a file · reject a folder · reject a call · reject a session · reject all · reject one of several candidates · reject with the file cascade · reject half of a rename · a conflict · undo · redo · undo of undo · undo after other things · resolve ours · resolve theirs · resolve with a text · checkpoint · restore exact · restore keep-mine · restore paths · restore of a moment before a folder existed · blame · diff · stale · forget · gc · over HTTP · over command line · over MCP · twice · from two at once · decided on an older state · notices · end a session',
  ),
  'Around it': {
    ...listed(
      'git with commits · git without commits · no git · a folder inside a repository · a linked worktree · submodules · autocrlf and filters · a hostile config · LFS pointers · sparse · 3 files · 300 files · data inside the workspace',
    ),
    'data on another disk': 'needs a second disk',
    'data full': 'test/daemon/disk-full.test.ts has a disk that can be filled',
    'data read-only': 'the tests run as root, to whom nothing is read-only',
    '30,000 files': 'a photograph of so many after every step takes all the time; the stories of opening have them',
    'inotify exhausted': 'a limit of the whole machine, shared with everything else on it; watch/ has its own tests',
    'HOME moved': '',
    'workspace moved': '',
    'workspace deleted': '',
    'workspace replaced by a link': '',
    'worktree made, synced, finished, removed': 'not built yet',
    'conversation forked and restored': 'not built yet',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type Column = keyof typeof MOVES;

function listed(moves: string): Readonly<Record<string, string>> {
  return Object.fromEntries(moves.split(' · ').map((move) => [move, '']));
}
