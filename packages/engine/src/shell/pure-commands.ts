/**
 * Commands that write no file of a workspace whatever their arguments are. One that has an option for output is not here.
 */
const PURE = new Set(
  (
    'cat tac head tail more ls dir vdir grep egrep fgrep zgrep ag echo printf wc nl rev fold fmt column expand unexpand cut tr ' +
    'paste join comm diff cmp od hexdump strings base64 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum ' +
    'stat du df realpath readlink basename dirname pwd true false : test [ expr seq date cal whoami id groups uname ' +
    'hostname printenv tty tput clear sleep ps pgrep kill uptime free nproc arch lscpu jq bat batcat mkdir rmdir ' +
    'chown chgrp type which whereis hash wait jobs disown exit return break continue shift umask times ulimit set shopt ' +
    'numfmt factor yes look lsof locale getconf command-not-found'
  ).split(' '),
);

/** Builtins that write nothing but may set variables in ways that are not followed. */
const SETTERS = new Set('read mapfile readarray getopts let unset'.split(' '));

/** `/bin/ls` is `ls`; a command from any other folder is its own. */
export function plainName(name: string): string {
  return /^(?:\/usr)?\/bin\/([^/]+)$/.exec(name)?.[1] ?? name;
}

export function isPure(name: string): boolean {
  return PURE.has(plainName(name));
}

export function isSetter(name: string): boolean {
  return SETTERS.has(name);
}

/** Variables that change what other commands are or do. */
export function isDangerousVariable(name: string): boolean {
  return /^(PATH|IFS|CDPATH|HOME|ENV|PWD|OLDPWD|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|PROMPT_COMMAND|PS4|PAGER|TMPDIR|POSIXLY_CORRECT|(BASH|LD|DYLD|GIT|LESS|PERL|PYTHON|NODE|RUBY|AWK|GREP|RIPGREP|BAT|FPATH|ZDOTDIR)_?.*)$/.test(
    name,
  );
}
