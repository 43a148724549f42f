import { expect, it } from 'vitest'
import { quotaTitle } from './quota-title.ts'

const vol1 = { svm: { uuid: 's1', name: 'svm1' }, volume: { uuid: 'v1', name: 'vol1' } }
const vol2 = { svm: { uuid: 's2', name: 'svm2' }, volume: { uuid: 'v2', name: 'vol1' } }
const ofUser = { ...vol1, type: 'user', qtree: { name: '', id: 0 } } as const
const ofTree = { ...vol1, type: 'tree', qtree: { name: 'thesis', id: 1 } } as const
const ben = { id: '1002', name: 'ben' }

it.each([
  [ofUser, 'vol1, whole volume: you'],
  [{ ...ofUser, qtree: { name: 'thesis' } }, 'vol1, qtree thesis: you'],
  [{ ...ofUser, shared_with: { num_users: 1, users: [ben] } }, 'vol1, whole volume: you and ben'],
  [{ ...ofUser, shared_with: { num_users: 2, users: [ben, { id: '1003' }] } }, 'vol1, whole volume: you and 2 others'],
  [{ ...ofTree, shared_with: { num_users: 1, users: [ben] } }, 'vol1, qtree thesis: all users'],
])('names a quota by its place and its users: $1', (quota, title) => {
  expect(quotaTitle(quota, [quota])).toBe(title)
})

it('names the SVM where the quotas are of several', () => {
  expect(quotaTitle(ofTree, [ofTree, { ...ofTree, ...vol2 }])).toBe('vol1 of svm1, qtree thesis: all users')
})
