import type { Svm } from '@trivium/storage-core'
import type { SvmId, SvmRepository } from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import type { StorageTables, SvmRow } from './storage-tables.ts'

/** Stores SVMs in a database that `migrateStorage` has prepared. */
export function sqlSvms(database: Database): SvmRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const findBy = async (column: keyof SvmRow, value: string) => {
    const row = await kysely.selectFrom('storage_svms').selectAll().where(column, '=', value).executeTakeFirst()
    return row && fromRow(row)
  }

  return {
    register: async ({ uuid, name }) => {
      await database.dialect.insertIfAbsent(kysely.insertInto('storage_svms').values({ uuid, name }))
      const stored = await findBy('name', name)
      if (stored === undefined) throw new Error(`The id of SVM "${name}" belongs to another SVM.`)
      return stored
    },
    find: (uuid) => findBy('uuid', uuid),
    findByName: (name) => findBy('name', name),
    list: async () => (await kysely.selectFrom('storage_svms').selectAll().orderBy('name').execute()).map(fromRow),
  }
}

const fromRow = ({ uuid, name }: SvmRow): Svm => ({ uuid: uuid as SvmId, name }) // ids are stored unchanged
