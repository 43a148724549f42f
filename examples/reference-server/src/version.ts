import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const manifest = import.meta.resolve('@trivium/http-contract/package.json')

/** The version of all packages. */
export const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(new URL(manifest), 'utf8')),
)
