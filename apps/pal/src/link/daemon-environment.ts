/** What a daemon needs to find git and its own folders; everything else of one terminal is not for all of them. */
const PASSED_ON: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP)$/,
  /^XDG_\w+$/,
  // Not the session that the one who starts it happens to run within: the daemon outlives that.
  /^PALIMPSEST_(?!SESSION$|WITHIN$)\w+$/,
  // Windows cannot start a process or find a home without these.
  /^(SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|ProgramData)$/i,
];

export function daemonEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && PASSED_ON.some((pattern) => pattern.test(name))) passed[name] = value;
  }
  return passed;
}
