import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway } from '@trivium/sql-repositories/gateway'

// Prints, for each specifier in the arguments and for SQLite, the message with which it fails, or `null`.

const messageOf = (promise) =>
  promise.then(
    () => null,
    (error) => error.message,
  )

const report = {}
for (const specifier of process.argv.slice(2)) report[specifier] = await messageOf(import(specifier))
report.SQLite = await messageOf(openDatabase('memory:').then(migrateGateway))
console.log(JSON.stringify(report))
