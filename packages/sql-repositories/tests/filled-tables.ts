import { sql } from 'kysely'
import type { Database } from '../src/database.ts'
import type { EmulationTables } from '../src/emulation/emulation-tables.ts'
import type { GatewayTables } from '../src/gateway/gateway-tables.ts'
import type { StorageTables } from '../src/storage/storage-tables.ts'

const ROWS = 1_500
const HOUR = 3_600_000
const DAY = 24 * HOUR

export const uuid = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
export const hash = (index: number) => index.toString(16).padStart(64, '0')
export const timeAfter = (seconds: number) => Date.UTC(2026, 0, 2) + seconds * 1_000

/** Fills the tables with enough rows for a query planner to prefer indexes. */
export async function fillTables(database: Database): Promise<void> {
  const kysely = database.kysely.$extendTables<GatewayTables & StorageTables & EmulationTables>()
  const rows = <Row>(row: (index: number) => Row) => Array.from({ length: ROWS }, (_, index) => row(index))
  const svm = { svm_uuid: uuid(1), svm_name: 'svm1' }
  const volume = (index: number) => ({ volume_uuid: uuid(index % 100), volume_name: `vol${index % 100}` })
  const node = { node_uuid: uuid(1), node_name: 'node1' }

  await kysely
    .insertInto('gateway_api_keys')
    .values(
      rows((index) => ({
        id: uuid(index),
        hash: hash(index),
        hint: 'tvm_AbCd',
        user_id: 'user',
        username: `user${index % 50}`,
        team_id: uuid(index % 100),
        name: null,
        name_claim: null,
        rate_limit: 10,
        tokens_per_minute: null,
        tokens_per_day: null,
        created_at: timeAfter(index),
        expires_at: null,
        revoked_at: null,
        usage_count: 0,
        last_used_at: null,
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_admissions')
    .values(rows((index) => ({ key_id: uuid(index), number: 1, at: timeAfter(0), count: 1, shift: 0, writer: 1 })))
    .execute()
  await kysely
    .insertInto('gateway_budgets')
    .values(
      rows((index) => ({
        key_id: uuid(index),
        minute_window: 0,
        minute_tokens: 0,
        day_window: 0,
        day_tokens: 0,
        day_spent: 0,
        month_window: 0,
        month_spent: 0,
        total_spent: 0,
        minute_shift: 0,
        day_shift: 0,
        month_shift: 0,
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_holds')
    .values(
      rows((index) => ({
        id: uuid(index),
        key_id: uuid(index),
        tokens: 1,
        cost: 1,
        expires_at: timeAfter(60 + index),
        made_at: timeAfter(0),
        receipt: '{}',
        has_receipt: 1,
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_receipts')
    .values(rows((index) => ({ id: uuid(index), settled_at: timeAfter(60 + index), receipt: '{}' })))
    .execute()
  await kysely
    .insertInto('gateway_groups')
    .values(
      rows((index) => ({
        kind: index % 2 === 0 ? ('team' as const) : ('user' as const),
        id: uuid(index),
        name: `group ${index}`,
        terms: '{"budget":{},"policy":{},"owners":[]}',
        created_at: timeAfter(index),
      })),
    )
    .execute()
  const usage = rows((index) => ({
    id: uuid(index),
    at: timeAfter(index),
    day: '2026-01-02',
    key_id: uuid(index % 100),
    operation: 'chat',
    model: 'model',
    provider: 'local',
    streamed: 0,
    input_tokens: 1,
    output_tokens: 1,
    estimated: 0,
    partial: 0,
    status: 200,
    latency_ms: 1,
    first_token_ms: null,
    images: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    audio_input_tokens: 0,
    audio_output_tokens: 0,
    searches: 0,
    cost: 1,
    person_id: 'user',
    team_id: null,
    tag_set: `set${index % 50}`,
    end_user: null,
    upstream_model: 'model',
  }))
  // SQLite accepts 32766 values in a statement.
  for (const half of [usage.slice(0, ROWS / 2), usage.slice(ROWS / 2)]) {
    await kysely.insertInto('gateway_usage').values(half).execute()
  }
  const sums = rows((index) => ({
    span: index % 10 === 0 ? DAY : HOUR,
    start: index % 10 === 0 ? timeAfter(0) - (index % 200) * DAY : timeAfter(0) - (index % 20) * HOUR,
    group_hash: String(index),
    key_id: uuid(index % 100),
    person_id: 'user',
    team_id: null,
    tag_set: `set${index % 50}`,
    model: 'model',
    provider: 'local',
    upstream_model: 'model',
    status: 200,
    operation: 'chat',
    day: '2026-01-02',
    requests: 1,
    failures: 0,
    partial: 0,
    input_tokens: 1,
    output_tokens: 1,
    images: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    audio_tokens: 0,
    searches: 0,
    cost: 1,
  }))
  // SQLite accepts 32766 values in a statement.
  for (const half of [sums.slice(0, ROWS / 2), sums.slice(ROWS / 2)]) {
    await kysely.insertInto('gateway_usage_sums').values(half).execute()
  }
  await kysely
    .insertInto('gateway_usage_tags')
    .values(rows((index) => ({ tag_set: `set${index}`, tag: `tag${index % 500}`, last_used: timeAfter(index) })))
    .execute()
  await kysely
    .insertInto('gateway_responses')
    .values(
      rows((index) => ({
        id: `resp_${index}`,
        owner: `key:${index % 50}`,
        created_at: timeAfter(index),
        expires_at: timeAfter(index + 86_400),
        state: index % 100 === 0 ? 'queued' : 'completed',
        bytes: 4,
        previous_id: index === 0 ? null : `resp_${index - 1}`,
        conversation_id: null,
        background: 0,
        lease_until: index % 100 === 0 ? timeAfter(index) : null,
        response: '{}',
        input: '[]',
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_response_outputs')
    .values(rows((index) => ({ response_id: `resp_${index}`, item_id: `msg_${index}` })))
    .execute()
  await kysely
    .insertInto('gateway_response_owners')
    .values(rows((index) => ({ owner: `key:${index}`, responses: index < 50 ? 30 : 1, bytes: 120 })))
    .execute()
  await kysely
    .insertInto('gateway_conversations')
    .values(
      rows((index) => ({
        id: `conv_${index}`,
        owner: `key:${index % 50}`,
        created_at: timeAfter(index),
        expires_at: timeAfter(index + 86_400),
        metadata: '{}',
        items: 15,
        length: 30,
        next_position: 15,
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_conversation_items')
    .values(
      rows((index) => ({
        conversation_id: `conv_${Math.floor(index / 3)}`,
        position: index % 3,
        item_id: `msg_${index}`,
        item: '{}',
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_answers')
    .values(
      rows((index) => ({
        hash: hash(index),
        stored_at: timeAfter(index),
        expires_at: timeAfter(index + 300),
        answer: '{}',
      })),
    )
    .execute()
  await kysely
    .insertInto('gateway_requests')
    .values(
      rows((index) => ({
        id: uuid(index),
        at: timeAfter(index - ROWS),
        account_id: uuid(index % 50),
        person_id: uuid(index % 25),
        team_id: uuid(index % 10),
        tags: null,
        model: `openai/model-${index % 40}`,
        provider: 'openai',
        status: index % 40 === 0 ? 500 : 200,
        status_class: index % 40 === 0 ? 5 : 2,
        operation: 'chat',
        search_text: `text ${index}`,
        entry: JSON.stringify({ id: uuid(index), at: new Date(timeAfter(index - ROWS)) }),
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_nodes')
    .values({ uuid: uuid(1), name: 'node1', split_load_maximum: 2 ** 40 })
    .execute()
  await kysely
    .insertInto('storage_quota_rules')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        ...svm,
        ...volume(index),
        type: ['user', 'tree', 'group'][index % 3] ?? 'tree',
        users: index % 3 === 0 ? JSON.stringify([{ name: `user${index}` }]) : null,
        group_name: index % 3 === 2 ? `group${index}` : null,
        group_id: null,
        qtree_name: index % 3 === 1 ? `qt${index}` : null,
        qtree_id: null,
        user_mapping: null,
        space_hard: index % 4 === 0 ? null : index,
        space_soft: null,
        files_hard: null,
        files_soft: null,
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_quota_rule_users')
    .values(rows((index) => ({ rule_uuid: uuid(index), position: 0, name: `user${index}`, id: null })))
    .execute()
  await kysely
    .insertInto('storage_qtrees')
    .values(
      rows((index) => ({
        ...svm,
        ...volume(index),
        id: index,
        name: `qt${index}`,
        security_style: 'unix',
        unix_permissions: 755,
        export_policy: 'default',
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_clone_tokens')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        ...node,
        reserve_size: 4_096,
        lifetime_seconds: 60,
        expires_at: timeAfter(60 + index),
        owner_id: index % 2 === 0 ? `user${index % 10}` : null,
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_splits')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        ...svm,
        ...volume(index),
        ...node,
        path: `clones/${index}`,
        identity: 'identity',
        size: 4_096,
        remaining: 4_096,
        position: 0,
        token: null,
        started_at: timeAfter(index),
        owner: null,
        free_at: 0,
        state: 'waiting',
        place: index + 1,
        rate: null,
        reason: null,
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_jobs')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        description: 'PATCH',
        task: '{}',
        lane: `lane${index % 100}`,
        volume_uuid: uuid(index % 10),
        ...svm,
        ...node,
        state: index < 20 ? 'queued' : 'success',
        done: null,
        total: null,
        failure_type: null,
        message: null,
        started_at: null,
        ended_at: index < 20 ? null : timeAfter(index),
        owner: null,
        lease_until: null,
        command: null,
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_notices')
    .values(
      rows((index) => ({
        id: `notice${index}`,
        kind: 'split-done',
        at: timeAfter(index),
        svm_uuid: uuid(1),
        svm_name: 'svm1',
        ...volume(index),
        document: '{}',
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_self_tokens')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        hash: String(index).padStart(64, '0'),
        user_name: `user${index}`,
        user_id: null,
        created_at: timeAfter(index),
        expires_at: timeAfter(index),
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_webhooks')
    .values(
      rows((index) => ({
        uuid: uuid(index),
        document: '{}',
        secret: 'whsec_',
        enabled: 1,
        owner: null,
        lease_until: 0,
        retry_at: 0,
      })).slice(0, 100),
    )
    .execute()
  await kysely
    .insertInto('storage_deliveries')
    .values(
      rows((index) => ({
        webhook_uuid: uuid(index % 100),
        notice_number: index + 1,
        notice_id: `notice${index}`,
        kind: 'split-done',
        state: 'pending',
        holdoff_group: null,
        due_at: timeAfter(index),
        tries: 0,
        tried_at: null,
        status: null,
        failure: null,
      })),
    )
    .execute()
  await kysely
    .insertInto('storage_usage_volumes')
    .values(rows((index) => ({ uuid: uuid(index), claimed_at: timeAfter(0) })))
    .execute()
  await kysely
    .insertInto('storage_usage_targets')
    .values(rows((index) => ({ volume: 1 + (index % 10), target: index, position: index, seen_at: timeAfter(index) })))
    .execute()
  await kysely
    .insertInto('storage_usage_points')
    .values(
      rows((index) => ({
        volume: 1 + (index % 10),
        resolution: index % 4,
        block: Math.floor(index / 64),
        at: timeAfter(index),
        seconds: 300,
        amounts: '1,2,3',
      })),
    )
    .execute()
  await kysely
    .insertInto('emulation_instances')
    .values(
      rows((index) => ({
        id: uuid(index),
        project_id: uuid(index % 10),
        kind: 'virtual-pc',
        created_at: timeAfter(index),
        revision: 0,
        document: '{}',
      })),
    )
    .execute()
  await kysely
    .insertInto('emulation_projects')
    .values(
      rows((index) => ({
        id: uuid(index),
        path: `/projects/${index}`,
        temporary: 0,
        created_at: timeAfter(index),
        revision: 0,
      })),
    )
    .execute()
  await kysely
    .insertInto('emulation_drawings')
    .values(
      rows((index) => ({
        id: uuid(index),
        project_id: uuid(index % 10),
        created_at: timeAfter(index),
        revision: 0,
        x: 0,
        y: 0,
        z: 1,
        rotation: 0,
        locked: 0,
        characters: 6,
        svg: '<svg/>',
      })),
    )
    .execute()
  await kysely
    .insertInto('emulation_removals')
    .values(rows((index) => ({ project_id: uuid(index % 10), kind: 'virtual-pc', id: uuid(index), position: index })))
    .execute()
  await analyze(database)
}

async function analyze({ kysely, dialect }: Database): Promise<void> {
  if (dialect.name !== 'mysql') {
    await sql`analyze`.execute(kysely)
    return
  }
  for (const { name } of await kysely.introspection.getTables())
    await sql`analyze table ${sql.table(name)}`.execute(kysely)
}
