import { expect, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)

const FUTURE = '2999-01-01T00:00:00.000Z'
const PAST = '2020-01-02T03:04:05.678Z'
const LATER = '2021-01-02T03:04:05.678Z'

interface Dates {
  created_at?: string
  updated_at?: string
}

/** The dates of a page that is imported with the given dates; `now` for dates within the time of the import. */
const imported = async (dates: Dates, existing?: 'existing') => {
  const { subdomain, api } = await mover.space()
  if (existing) await api.post('/pages', { slug: 'a', html: 'old' })
  const start = new Date().toISOString()
  const manifest = { format: 'space-site-space', version: 1, pages: { a: { kind: 'static', ...dates } } }
  const archive = await pack(
    { path: 'manifest.json', content: JSON.stringify(manifest) },
    { path: 'pages/a.html', content: 'new' },
  )
  expect((await mover.put(subdomain, archive)).status).toBe(200)
  const end = new Date().toISOString()
  const [page] = (await api.get<{ data: Required<Dates>[] }>('/pages')).body.data
  const shown = (date: string) =>
    date >= start && date <= end ? 'now' : date < start && existing ? 'before' : date
  return [shown(page!.created_at), shown(page!.updated_at)]
}

test.each<[string, Dates, string[]]>([
  ['both dates', { created_at: PAST, updated_at: LATER }, [PAST, LATER]],
  ['no dates', {}, ['now', 'now']],
  ['only the date of its creation', { created_at: PAST }, [PAST, PAST]],
  ['a change before its creation', { created_at: LATER, updated_at: PAST }, [LATER, LATER]],
  ['dates in the future', { created_at: FUTURE, updated_at: FUTURE }, ['now', 'now']],
  ['a change in the future', { created_at: PAST, updated_at: FUTURE }, [PAST, 'now']],
])('an import adds a page that has %s', async (_, dates, expected) => {
  expect(await imported(dates)).toEqual(expected)
})

test('an import that changes a page keeps the date of its creation', async () => {
  expect(await imported({ created_at: PAST, updated_at: PAST }, 'existing')).toEqual(['before', 'now'])
})
