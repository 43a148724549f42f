import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageManifest } from './package-manifest.ts'

export interface Readme {
  /** What its install lines name. */
  readonly installs: readonly string[]
  /** Its blocks of TypeScript. */
  readonly code: readonly string[]
  /** The shell block that asks the server which the first block of TypeScript is; empty where that is none. */
  readonly requests: string
}

export function readReadme({ name, directory }: PackageManifest): Readme {
  const text = readFileSync(join(directory, 'README.md'), 'utf8')
  const lines = [...text.matchAll(/^npm install (.+)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const [, requests = ''] = /^Save it as `server\.mts`.*?^```sh\n(.*?)^```$/ms.exec(text) ?? []
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return { installs: [...new Set([name, ...lines])], code, requests }
}
