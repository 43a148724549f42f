/** Regions whose language has a code of DuckDuckGo's own. */
const regions: Readonly<Record<string, string>> = {
  'hk-zh': 'hk-tzh',
  'jp-ja': 'jp-jp',
  'kr-ko': 'kr-kr',
  'tw-zh': 'tw-tzh',
}

/** DuckDuckGo's own codes are `us-en` too; all regions are its `wt-wt`. */
export const duckDuckGoRegion = (region: string): string =>
  regions[region] ?? (/^[a-z]{2}-[a-z]{2,3}$/.test(region) ? region : 'wt-wt')

/** It takes 499 characters. `!g`, `g!` and a backslash before a word would be answered with a redirect to another site. */
export function questionOf(text: string): string {
  const start = [...text].slice(0, 499).join('')
  return start.replace(/(^|\s)[!\\]+|!+(?=\s|$)/g, '$1').trim() || '"!"'
}
