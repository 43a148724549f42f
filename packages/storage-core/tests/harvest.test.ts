import { describe, expect, it } from 'vitest'
import { openHttp } from './open-http.ts'
import { createQtree, MiB, setQuota } from './open-storage.ts'

/** The fields that Harvest's templates of volumes read, in the order in which it sends them. */
const volumeFields = [
  ...['aggr_list', 'autosize_grow_threshold_percent', 'autosize_mode', 'autosize_shrink_threshold_percent'],
  ...['available', 'clone_parent_name', 'clone_parent_vserver', 'clone_volume', 'compression_space_saved'],
  ...['compression_space_saved_percent', 'dedupe_space_saved', 'dedupe_space_saved_percent', 'expected_available'],
  ...['files', 'files_used', 'filesystem_size', 'instance_uuid', 'is_encrypted', 'is_sis_volume'],
  ...['is_space_enforcement_logical', 'is_space_reporting_logical', 'junction_path', 'logical_available'],
  ...['logical_used', 'logical_used_by_afs', 'logical_used_by_snapshots', 'logical_used_percent', 'max_autosize'],
  ...['min_autosize', 'nodes', 'overwrite_reserve', 'overwrite_reserve_used', 'percent_snapshot_space'],
  ...['percent_used', 'performance_tier_inactive_user_data', 'performance_tier_inactive_user_data_percent'],
  ...['sis_space_saved', 'sis_space_saved_percent', 'size', 'size_available_for_snapshots'],
  ...['size_used_by_snapshots', 'snaplock_type', 'snapshot_count', 'snapshot_policy'],
  ...['snapshot_reserve_available', 'snapshot_reserve_size', 'snapshot_space_used', 'space_mgmt_try_first'],
  ...['state', 'tags', 'tiering_minimum_cooling_days', 'tiering_policy', 'total', 'type', 'used', 'virtual_used'],
  ...['virtual_used_percent', 'volume', 'volume_style_extended', 'vserver', 'vsroot'],
].join(',')

/** Opens a volume of 16 MiB in a qtree of at most 64 MiB. */
async function open() {
  const http = await openHttp()
  const rule = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
  const limits = { spaceHard: 64 * MiB, spaceSoft: 32 * MiB, filesHard: 200, filesSoft: 100 }
  await createQtree(http, 'qt1')
  for (const target of [
    { type: 'tree', qtree: 'qt1' },
    { type: 'user', users: [{ name: 'sam' }] },
  ] as const) {
    ;(await http.storage.quotaRules.create({ ...rule, ...target, limits }))._unsafeUnwrap()
  }
  await setQuota(http, true)
  http.volume.files.write('qt1/file', { size: 16 * MiB, user: 'sam' })
  const get = async (path: string) => {
    const { status, body } = await http.get(`/${path}`, { accept: 'application/json' })
    return { status, body }
  }
  return { http, get }
}

describe('Harvest', () => {
  it('reads the version of the cluster at its start, and finds no performance counters', async () => {
    const { get } = await open()
    const cluster = await get('api/cluster?return_records=true&fields=*')
    expect(cluster.body).toMatchObject({
      name: 'trivium',
      uuid: expect.any(String),
      version: { full: expect.stringContaining('9.14.1'), generation: 9, major: 14, minor: 1 },
    })
    const tables = await get('api/cluster/counter/tables?return_records=false')
    expect([tables.status, tables.body.error.code]).toEqual([404, '3'])
    const tag = 'api/cluster?ignore_unknown_fields=true&fields=harvestTag,linux,0beec7b5,25.11.0,90'
    expect((await get(tag)).status).toBe(200)
  })

  it.each(['tree', 'user', 'tree|user|group'])('reads every field of the quotas of type %s', async (type) => {
    const { get } = await open()
    const { status, body } = await get(
      `api/storage/quota/reports?return_records=true&fields=*&show_default_records=false&type=${type}&max_records=500&ignore_unknown_fields=true`,
    )
    expect(status).toBe(200)
    // The owners that only the default rule covers have no limits.
    const records = body.records.filter(({ space }: { space: { hard_limit?: number } }) => space.hard_limit)
    expect(records).toHaveLength(type.includes('|') ? 2 : 1)
    for (const record of records) {
      expect(record).toMatchObject({
        index: expect.any(Number),
        svm: { name: 'svm1' },
        volume: { name: 'vol1', uuid: expect.any(String) },
        space: {
          hard_limit: 64 * MiB,
          soft_limit: 32 * MiB,
          used: { total: 16 * MiB, hard_limit_percent: 25, soft_limit_percent: 50 },
        },
        files: {
          hard_limit: 200,
          soft_limit: 100,
          used: { total: expect.any(Number), hard_limit_percent: 1, soft_limit_percent: expect.any(Number) },
        },
      })
      if (record.type === 'tree') expect(record.qtree.name).toBe('qt1')
      else expect(record.users[0]).toEqual({ id: '1001', name: 'sam' })
    }
  })

  it('reads qtrees', async () => {
    const { get } = await open()
    const fields = 'export_policy.name,id,name,security_style,svm.name,volume.name'
    const { body } = await get(
      `api/storage/qtrees?return_records=true&fields=${fields}&name=!""&max_records=500&ignore_unknown_fields=true`,
    )
    expect(body.records).toEqual([
      expect.objectContaining({
        name: 'qt1',
        id: 1,
        security_style: 'unix',
        export_policy: { name: 'default' },
        svm: expect.objectContaining({ name: 'svm1' }),
        volume: expect.objectContaining({ name: 'vol1' }),
      }),
    ])
  })

  it('reads the fields of volumes that are known, and none that are not', async () => {
    const { get } = await open()
    const { status, body } = await get(
      `api/private/cli/volume?return_records=true&fields=${volumeFields}&is_constituent=*&max_records=500&ignore_unknown_fields=true`,
    )
    expect(status).toBe(200)
    expect(body.num_records).toBe(2)
    const volume = body.records.find((record: { volume: string }) => record.volume === 'vol1')
    expect(volume).toEqual({
      vserver: 'svm1',
      volume: 'vol1',
      instance_uuid: expect.any(String),
      nodes: ['node1'],
      state: 'online',
      type: 'rw',
      volume_style_extended: 'flexvol',
      vsroot: false,
      size: 2 ** 40,
      total: 2 ** 40,
      used: expect.any(Number),
      available: expect.any(Number),
      percent_used: 0,
    })
    expect(volume.used + volume.available).toBe(volume.size)
    const counted = await get('api/private/cli/volume?return_records=false&volume=vol1')
    expect(counted.body.num_records).toBe(1)
    expect((await get('api/private/cli/volume?fields=unknown')).status).toBe(400)
  })

  it('reads volumes with the fields of its plugin', async () => {
    const { get } = await open()
    const fields = [
      ...['anti_ransomware.dry_run_start_time', 'anti_ransomware.state', 'clone.parent_snapshot.name'],
      ...['clone.split_estimate', 'is_object_store', 'name', 'snapmirror.destinations.is_cloud'],
      ...['snapmirror.destinations.is_ontap', 'snapmirror.is_protected', 'svm.name'],
    ].join(',')
    const path = `api/storage/volumes?return_records=true&fields=${fields}`
    const { body } = await get(`${path}&is_constituent=false&max_records=500`)
    expect(body.records).toMatchObject([
      { name: expect.any(String), svm: { name: 'svm1' } },
      { name: expect.any(String), svm: { name: 'svm1' } },
    ])
    expect((await get(`${path}&is_constituent=true&max_records=500`)).body.num_records).toBe(0)
  })

  it('finds the other commands of the command line absent', async () => {
    const { get } = await open()
    for (const command of ['qtree', 'volume/footprint', 'volume/efficiency/stat', 'volume/snapshot/autodelete']) {
      const { status, body } = await get(`api/private/cli/${command}?return_records=true&fields=volume,vserver`)
      expect([status, body.error.code]).toEqual([404, '3'])
    }
  })
})
