import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/min'

/** A number as it is kept. */
export interface KnownNumber {
  /** E.164. */
  phoneNumber: string
  /** The calling code with its plus. */
  countryCode: string
}

/** What is wrong with a number, by the field that it concerns. */
export interface NumberProblem {
  path: 'phoneNumber' | 'countryCode'
  code: 'format' | 'not_same'
}

/**
 * Reads a number as people write it: with its country's code, or as it is dialled within the country that is named by
 * `+44`, `44` or `GB`. Digits may be of any script. Its length is what is checked: which numbers are given out changes faster
 * than any table of them.
 */
export function readNumber(
  text: string,
  country: string | null | undefined,
): { number: KnownNumber } | { problem: NumberProblem } {
  const place = country ? placeOf(country) : {}
  if (!place) return { problem: { path: 'countryCode', code: 'format' } }
  const found = parsePhoneNumberFromString(text.replace(/^\s*00(?=[\s\d]*$)/, '+'), place)
  if (!found?.isPossible()) return { problem: { path: 'phoneNumber', code: 'format' } }
  const countryCode = `+${found.countryCallingCode}`
  if (!isOf(found, place)) return { problem: { path: 'countryCode', code: 'not_same' } }
  return { number: { phoneNumber: found.number, countryCode } }
}

type Place = Parameters<typeof parsePhoneNumberFromString>[1] & object

function placeOf(country: string): Exclude<Place, string> | undefined {
  const letters = country.toUpperCase()
  if (isSupportedCountry(letters)) return { defaultCountry: letters }
  return /^\+?[1-9]\d{0,3}$/.test(country) ? { defaultCallingCode: country.replace('+', '') } : undefined
}

function isOf(found: PhoneNumber, place: Exclude<Place, string>): boolean {
  if (place.defaultCallingCode) return found.countryCallingCode === place.defaultCallingCode
  return !place.defaultCountry || found.getPossibleCountries().includes(place.defaultCountry)
}

/** How a kept number is shown: its country where it has one, and as it is written there. */
export function shownNumber(phoneNumber: string): { country: string | null; national: string } {
  const found = parsePhoneNumberFromString(phoneNumber)
  return { country: found?.country ?? null, national: found?.formatNational() ?? phoneNumber }
}
