/** The names under which the console keeps things in local storage. A password is never among them. */
export const STORAGE = {
  isRemember: 'Auth::IsRemember',
  username: 'Auth::Username',
  token: 'Auth::Token::Data',
  user: 'Auth::User::Data',
  language: 'Lang::Data',
  i18n: 'Lang::I18n',
  i18ns: 'Lang::I18ns',
  returnPath: 'Nav::ReturnPath',
  lists: 'List::Data',
  importMappings: 'Import::Mappings',
} as const

/** How the names begin under which a tab keeps what it has under way, each with the feature after it. */
export const TAB_STORAGE = { bulk: 'weft.bulk.', import: 'weft.import.', comment: 'weft.comment.' } as const

/** A key that older consoles filled with a password; it is removed wherever it is found. */
const FORBIDDEN_KEY = 'Auth::Password'

/** Reads a text; a browser that forbids storage has none. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text, or removes it with null. Where the browser forbids storage nothing is kept and nothing breaks. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Private windows of some browsers refuse; the session then lives in memory only.
  }
}

/** Reads what this tab keeps, also after a reload. */
export function readOfTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text for this tab, or removes it with null; where the browser forbids storage nothing is kept. */
export function writeOfTab(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {
    // Whatever goes on goes on all the same, and is told when it ends.
  }
}

/** Reads stored JSON; what cannot be read counts as absent. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes a password that an older console may have left behind. */
export function forgetPasswords(): void {
  writeStored(FORBIDDEN_KEY, null)
}

/** Removes all that is kept about who signed in here; the language stays, which is the device's. */
export function forgetPerson(): void {
  for (const key of [
    STORAGE.isRemember,
    STORAGE.username,
    STORAGE.token,
    STORAGE.user,
    STORAGE.returnPath,
    STORAGE.lists,
    STORAGE.importMappings,
  ])
    writeStored(key, null)
  forgetWorkOfTab()
  forgetPasswords()
}

function forgetWorkOfTab(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (Object.values(TAB_STORAGE).some((beginning) => key.startsWith(beginning)))
        sessionStorage.removeItem(key)
  } catch {
    // No storage, so nothing was kept.
  }
}
