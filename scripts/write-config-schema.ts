import { writeFileSync } from 'node:fs'
import { configSchemaFile } from '../examples/reference-server/src/config/schema/json-schema.ts'

writeFileSync('examples/reference-server/config.schema.json', configSchemaFile())
