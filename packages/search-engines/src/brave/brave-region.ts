/** The countries that the API accepts. */
const countries: ReadonlySet<string> = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
)

/** The languages that the API accepts. */
const languages: ReadonlySet<string> = new Set(
  'ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi'.split(
    ' ',
  ),
)

/** Languages with a different code in the API. */
const names: Readonly<Record<string, string>> = { ja: 'jp', zh: 'zh-hans', pt: 'pt-pt', no: 'nb' }

/**
 * Converts a region such as `us-en` to parameters of the API, which refuses unknown values. An unknown country becomes
 * `ALL`, and an unknown language is omitted.
 */
export function braveRegion(region: string, languageName: 'search_lang' | 'lang'): Readonly<Record<string, string>> {
  const [country, tongue] = region.split('-')
  if (!country || !tongue || region === 'wt-wt') return { country: 'ALL' }
  const code = country === 'uk' ? 'GB' : country.toUpperCase()
  const language = dialect(tongue, code) ?? names[tongue] ?? (languages.has(tongue) ? tongue : undefined)
  return {
    country: countries.has(code) ? code : 'ALL',
    ...(language === undefined ? {} : { [languageName]: language }),
  }
}

function dialect(tongue: string, country: string): string | undefined {
  if (tongue === 'pt' && country === 'BR') return 'pt-br'
  if (tongue === 'zh' && (country === 'TW' || country === 'HK')) return 'zh-hant'
  return tongue === 'en' && country === 'GB' ? 'en-gb' : undefined
}
