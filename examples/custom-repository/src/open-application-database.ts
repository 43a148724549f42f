import { DatabaseSync } from 'node:sqlite'

/** Opens the application's own tables. Any number of processes can have the file open. */
export function openApplicationDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(`
    pragma journal_mode = wal;
    create table if not exists customers (
      name text primary key,
      key_id text not null unique
    ) strict;
    create table if not exists ai_requests (
      id text primary key,
      ended_at integer not null,
      key_id text,
      model text not null,
      failed integer not null,
      partial integer not null,
      input_tokens integer not null,
      output_tokens integer not null,
      images integer not null,
      cost integer,
      record text not null
    ) strict;
    create index if not exists ai_requests_by_time on ai_requests (ended_at);
    create index if not exists ai_requests_by_key on ai_requests (key_id, ended_at);
  `)
  return database
}
