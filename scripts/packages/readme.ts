import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageManifest } from './package-manifest.ts'

export interface Readme {
  /** The packages in its install lines. */
  readonly installs: readonly string[]
  /** Its blocks of TypeScript. */
  readonly code: readonly string[]
  /** The shell block with requests to the server in the first block of TypeScript; empty where that is not a server. */
  readonly requests: string
}

export function readReadme({ name, directory }: PackageManifest): Readme {
  const text = readFileSync(join(directory, 'README.md'), 'utf8')
  const lines = [...text.matchAll(/^npm install (.+)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const [, requests = ''] = /^Save it as `server\.mts`.*?^```sh\n(.*?)^```$/ms.exec(text) ?? []
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return { installs: [...new Set([name, ...lines])], code, requests }
}
