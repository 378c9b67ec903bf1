import { signedIn } from '../../lib/session/session.ts'

/** For password managers, which look for the name beside the passwords. */
export function UsernameHint() {
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      defaultValue={signedIn.get()?.user.username}
      hidden
    />
  )
}
