/** Regions for which DuckDuckGo has a different code. */
const regions: Readonly<Record<string, string>> = {
  'hk-zh': 'hk-tzh',
  'jp-ja': 'jp-jp',
  'kr-ko': 'kr-kr',
  'tw-zh': 'tw-tzh',
}

/** Converts a region such as `us-en` to DuckDuckGo's code. All regions are `wt-wt`. */
export const duckDuckGoRegion = (region: string): string =>
  regions[region] ?? (/^[a-z]{2}-[a-z]{2,3}$/.test(region) ? region : 'wt-wt')

/**
 * Cuts a query after 499 characters, and removes `!` and backslashes at words, which cause redirects to other sites.
 */
export function queryText(text: string): string {
  const start = [...text].slice(0, 499).join('')
  return start.replace(/(^|\s)[!\\]+|!+(?=\s|$)/g, '$1').trim() || '"!"'
}
