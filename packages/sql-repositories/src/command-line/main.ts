#!/usr/bin/env node
import { runMigrations } from './run-migrations.ts'

process.exitCode = await runMigrations({
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
})
