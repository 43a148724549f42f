/** The formats of files of rules, with their content types. The first one is that of an export. */
export const ruleFormats = {
  csv: ['text/csv'],
  jsonl: ['application/jsonl', 'application/x-ndjson', 'application/json-lines'],
} as const

export type RuleFormat = keyof typeof ruleFormats

/** Returns the format of a content type, or `undefined`. Texts are in UTF-8. */
export function formatOf(contentType = ''): RuleFormat | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return undefined
  if (ruleFormats.csv.some((known) => known === type)) return 'csv'
  return ruleFormats.jsonl.some((known) => known === type) ? 'jsonl' : undefined
}
