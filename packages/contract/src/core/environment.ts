/** Names of variables that tell a program where it runs, and that hold no secret. */
const SURROUNDINGS =
  /^(PATH|PATHEXT|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|FONTCONFIG_\w+|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|PLAYWRIGHT_BROWSERS_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PROGRAMFILES.*|PROGRAMDATA|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH)$/i

/** The part of an environment that a program started by another may have. Everything else, secrets above all, stays behind. */
export function surroundingsOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && SURROUNDINGS.test(name)) known[name] = value
  return known
}
