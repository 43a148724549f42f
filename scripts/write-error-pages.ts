import { mkdirSync, writeFileSync } from 'node:fs'
import { errorPages } from './errors/pages.ts'

mkdirSync('docs/errors', { recursive: true })
for (const [file, text] of Object.entries(await errorPages())) writeFileSync(file, text)
