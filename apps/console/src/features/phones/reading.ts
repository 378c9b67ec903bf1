import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { countryName } from '../../lib/countries.ts'

/** What can be made of a number while it is typed. */
export interface Reading {
  international: string
  national: string
  country: string | null
}

/** Reads a number as the server does: with its country's code, or within the country that is chosen. */
export function readingOf(text: string, country: string | null): Reading | null {
  const from = placeOf(country)
  const found = parsePhoneNumberFromString(text.replace(/^\s*00(?=[\s\d]*$)/, '+'), from)
  if (!found?.isPossible()) return null
  return {
    international: found.formatInternational(),
    national: found.formatNational(),
    country: found.country ?? null,
  }
}

function placeOf(country: string | null) {
  if (country === null) return {}
  if (isSupportedCountry(country)) return { defaultCountry: country }
  return { defaultCallingCode: country.replace('+', '') }
}

/** A text that stays left-to-right also among Arabic. */
const isolateLtr = (text: string) => `\u2066${text}\u2069`

/** Every country with its calling code, by name in the language shown now. */
export function countryChoices(): { value: string; label: string }[] {
  return getCountries()
    .map((code) => ({
      value: code,
      label: `${countryName(code)} (${isolateLtr(`+${getCountryCallingCode(code)}`)})`,
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
