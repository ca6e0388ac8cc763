import { expect, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService({ minFreeDisk: Number.MAX_SAFE_INTEGER })
const mover = useMover(service)

test('exports and imports get a 503 while the disk for temporary files is almost full', async () => {
  const { subdomain } = await mover.space()
  const exported = await mover.download(subdomain)
  expect([exported.status, exported.headers.get('retry-after')]).toEqual([503, '2'])
  const archive = await pack({ path: 'pages/home.html', content: 'x' })
  const detail = 'The disk for temporary files is almost full. Retry in 2 s.'
  expect((await mover.upload(subdomain, archive)).body).toMatchObject({ code: 'unavailable', detail })
})
