import { expect, it } from 'vitest'
import type { Job } from '../src/jobs/job.ts'
import { JOBS, type OpenHttp, openHttp, QTREES, RULES, VOLUMES } from './open-http.ts'

const at = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const rule = { ...at, type: 'tree', qtree: { name: 'qt1' }, space: { hard_limit: 2 ** 20 } }

async function descriptions({ get }: OpenHttp): Promise<readonly string[]> {
  const { body } = await get(`${JOBS}?fields=description`)
  return body.records.map(({ description }: Pick<Job, 'description'>) => description)
}

it('describes a job by its request, with the path of the record', async () => {
  const http = await openHttp()
  http.volume.files.write('f', { size: 4096 })
  const { uuid } = http.vol1
  await http.post(`${QTREES}?return_timeout=30`, { ...at, name: 'qt1' })
  await http.patch(`${QTREES}/${uuid}/1?return_timeout=30`, { unix_permissions: 700 })
  const { body } = await http.post(`${RULES}?return_timeout=30`, rule)
  const made = `${RULES}/${body.records[0].uuid}`
  await http.patch(`${made}?return_timeout=30`, { files: { hard_limit: 10 } })
  await http.patch(`${RULES}?type=tree&qtree.name=qt1`, { files: { hard_limit: 20 } })
  await http.delete(`${made}?return_timeout=30`)
  await http.patch(`${VOLUMES}/${uuid}?return_timeout=30`, { quota: { enabled: true } })
  await http.delete(`${QTREES}?name=qt1&return_timeout=30`)
  await http.post('/api/storage/file/clone?return_timeout=30', { ...at, source_path: 'f', destination_path: 'c' })
  expect([...(await descriptions(http))].sort()).toEqual(
    [
      `POST ${QTREES}`,
      `PATCH ${QTREES}/${uuid}/1`,
      `POST ${RULES}`,
      `PATCH ${made}`,
      `PATCH ${made}`,
      `DELETE ${made}`,
      `PATCH ${VOLUMES}/${uuid}`,
      `DELETE ${QTREES}/${uuid}/1`,
      'POST /api/storage/file/clone',
    ].sort(),
  )
})

it('describes a job by the kind of its task when the host calls the service', async () => {
  const { storage, vol1, get } = await openHttp()
  const job = (await storage.volumes.setQuota(vol1.uuid, true))._unsafeUnwrap()
  expect((await get(`${JOBS}/${job.uuid}`)).body).toMatchObject({ description: 'enable-quota' })
})
