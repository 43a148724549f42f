/** Returns whether the last digit of a number is that of Luhn's sum. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Returns whether an account number in capitals, without separators, has the check digits of ISO 7064. */
export function isIban(number: string): boolean {
  let rest = 0
  for (const letter of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Returns the length of the account numbers of a country, by its two letters in capitals. */
export const ibanLengthOf = (country: string): number | undefined => ibanLengths.get(country)

/** The countries of each length, of the registry of SWIFT. */
const countries: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FK FI FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
}

const ibanLengths: ReadonlyMap<string, number> = new Map(
  Object.entries(countries).flatMap(([length, codes]) => codes.split(' ').map((code) => [code, Number(length)])),
)
