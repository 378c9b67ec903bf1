import {
  WebAuthnError,
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/** Why there is no passkey: the person stopped it, this device has one already, or none can be used at this address. */
export type NoPasskey = 'stopped' | 'already' | 'impossible'

function isRequest(options: object): options is PublicKeyCredentialRequestOptionsJSON {
  return 'challenge' in options && typeof options.challenge === 'string'
}

function isCreation(options: object): options is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(options) && 'rp' in options && 'user' in options && 'pubKeyCredParams' in options
}

/** Has the browser ask the person for one of their passkeys. */
export async function askPasskey(options: object): Promise<AuthenticationResponseJSON | NoPasskey> {
  if (!browserSupportsWebAuthn() || !isRequest(options)) return 'impossible'
  try {
    return await startAuthentication({ optionsJSON: options })
  } catch (error) {
    return reasonOf(error)
  }
}

/** Has the browser make a passkey. */
export async function makePasskey(options: object): Promise<RegistrationResponseJSON | NoPasskey> {
  if (!browserSupportsWebAuthn() || !isCreation(options)) return 'impossible'
  try {
    return await startRegistration({ optionsJSON: options })
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): NoPasskey {
  console.info('There was no passkey.', error)
  if (!(error instanceof WebAuthnError)) return 'stopped'
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'already'
  return error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID'
    ? 'impossible'
    : 'stopped'
}
