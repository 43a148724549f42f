import { mkdirSync, writeFileSync } from 'node:fs'
import { optionPages } from './options/pages.ts'
import { readOptionReference } from './options/read-option-reference.ts'

mkdirSync('docs/options', { recursive: true })
for (const [file, text] of Object.entries(optionPages(readOptionReference()))) writeFileSync(file, text)
