/** The countries that the API knows. */
const countries: ReadonlySet<string> = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
)

/** Languages that it calls by another name than everyone. */
const languages: Readonly<Record<string, string>> = { ja: 'jp', zh: 'zh-hans', pt: 'pt-pt' }

/** `us-en` as the API has it; a country that it does not know is all of them. */
export function braveRegion(region: string, languageName: 'search_lang' | 'lang'): Readonly<Record<string, string>> {
  const [country, tongue] = region.split('-')
  if (!country || !tongue || region === 'wt-wt') return { country: 'ALL' }
  const code = country === 'uk' ? 'GB' : country.toUpperCase()
  return {
    country: countries.has(code) ? code : 'ALL',
    [languageName]: dialect(tongue, code) ?? languages[tongue] ?? tongue,
  }
}

function dialect(tongue: string, country: string): string | undefined {
  if (tongue === 'pt' && country === 'BR') return 'pt-br'
  if (tongue === 'zh' && (country === 'TW' || country === 'HK')) return 'zh-hant'
  return tongue === 'en' && country === 'GB' ? 'en-gb' : undefined
}
