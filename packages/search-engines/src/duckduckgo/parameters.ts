/** DuckDuckGo's own codes are `us-en` too; all regions are its `wt-wt`. */
export const duckDuckGoRegion = (region: string): string => (/^[a-z]{2}-[a-z]{2}$/.test(region) ? region : 'wt-wt')

/** It takes 499 characters. */
export const shortened = (text: string): string => [...text].slice(0, 499).join('')
